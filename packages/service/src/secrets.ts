/** What stands in place of a masked string. */
const MASK = "[masked secret]";

/** Strings of known form. Each is bounded, so that no text makes them slow. */
const TOKENS: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{22,255}\b/g,
  /\bglpat-[A-Za-z0-9_-]{20,64}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\b[rs]k_live_[A-Za-z0-9]{16,128}\b/g,
  /\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{32,200}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bpypi-[A-Za-z0-9_-]{50,250}/g,
  /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,1000}/g,
];

/** `scheme://user:password@host`: only the password is masked. */
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{1,100}:)([^\s/@"'<>]{3,200})(?=@)/gi;

/** A quoted value behind a name that says what it is: `api_key = "..."`. Placeholders have no digit and are left. */
const ASSIGNED =
  /\b((?:api|access|auth|client|private|secret|signing)[_-]?(?:key|token|secret)|password|passwd)(["']?\s{0,4}[:=]\s{0,4}["'])([^\s"'<>{}$]{12,200})(?=["'])/gi;

const KEY_BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

export interface Masked {
  readonly text: string;
  /** Number of strings that were masked. */
  readonly count: number;
}

/** Masks what looks like a secret. The number of lines stays as it is. */
export function maskSecrets(text: string): Masked {
  let count = 0;
  const hide = (): string => {
    count++;
    return MASK;
  };
  let masked = text;
  if (KEY_BEGIN.test(masked)) masked = maskKeys(masked, hide);
  for (const pattern of TOKENS) masked = masked.replace(pattern, hide);
  masked = masked.replace(URL_PASSWORD, (_, before: string) => before + hide());
  masked = masked.replace(ASSIGNED, (whole, name: string, sign: string, value: string) =>
    /\d/.test(value) && value !== MASK ? name + sign + hide() : whole,
  );
  return { text: masked, count };
}

/** The lines between the marks of a private key; to the end of the text when the closing mark is missing. */
function maskKeys(text: string, hide: () => string): string {
  let inside = false;
  return text
    .split("\n")
    .map((line) => {
      if (KEY_BEGIN.test(line)) {
        inside = !KEY_END.test(line);
        return hide();
      }
      if (!inside) return line;
      if (KEY_END.test(line)) inside = false;
      return MASK;
    })
    .join("\n");
}
