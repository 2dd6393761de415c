import { DocsearchError } from "@docsearch/spec";
import { systemReason } from "./file-error.js";

/** `CONFIG_INVALID` with its message made from the details. */
export function configError(
  setting: string,
  value: string,
  expected: string,
  cause?: unknown,
): DocsearchError<"CONFIG_INVALID"> {
  const reason = cause instanceof Error ? ` (${systemReason(cause)})` : "";
  const message = `${setting} is "${value}"; expected ${expected}${reason}`;
  return new DocsearchError(
    "CONFIG_INVALID",
    message,
    { setting, value, expected },
    cause === undefined ? {} : { cause },
  );
}
