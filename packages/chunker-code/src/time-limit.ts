/** Starts a limit of so many milliseconds; the function that it returns says whether they are over. */
export type TimeLimit = (milliseconds: number) => () => boolean;

/** Asking how much the process has worked costs as much as a small file, which is chunked before this time. */
const FREE_MS = 50;

/**
 * Over when so much time has passed and the process was at work for as long: what a parser may take does not depend on
 * what else the machine does.
 */
export const startTimeLimit: TimeLimit = (milliseconds) => {
  const start = performance.now();
  const free = Math.min(FREE_MS, milliseconds);
  let work: NodeJS.CpuUsage | undefined;
  /** When the work is looked at next. */
  let next = free;
  return () => {
    const passed = performance.now() - start;
    if (passed <= next) return false;
    if (work === undefined) {
      work = process.cpuUsage();
      next = milliseconds;
      return false;
    }
    next = passed + FREE_MS;
    const { user, system } = process.cpuUsage(work);
    return (user + system) / 1000 > milliseconds - free;
  };
};
