import type { ModelProgress } from "./model-source.js";

const LARGE = 1e6;
/** Parts of a large file after which a line is printed. */
const STEPS = 10;

/**
 * Lines about a download for people: what, how large, from where and to where, then every tenth of each large file,
 * then that the model is ready. Says nothing when nothing is downloaded.
 */
export function progressLines(write: (line: string) => void): (progress: ModelProgress) => void {
  const printed = new Map<string, number>();
  let isDownload = false;
  return (progress) => {
    if (progress.type === "download") {
      isDownload = true;
      const size = progress.bytes === undefined ? "" : `, about ${megabytes(progress.bytes)} MB`;
      write(`downloading ${progress.model}${size}, from ${progress.from} to ${progress.to}`);
    } else if (progress.type === "file") {
      const { file, loadedBytes, totalBytes } = progress;
      if (totalBytes < LARGE) return;
      const step = Math.floor((STEPS * loadedBytes) / totalBytes);
      if (step <= (printed.get(file) ?? 0)) return;
      printed.set(file, step);
      write(`${file}: ${megabytes(loadedBytes)} of ${megabytes(totalBytes)} MB`);
    } else if (isDownload) {
      write(`${progress.model} is ready`);
    }
  };
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
