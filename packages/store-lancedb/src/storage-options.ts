import { DocsearchError, type Env } from "@docsearch/spec";

/** Settings of the object store by their names in LanceDB. */
export type StorageOptions = Readonly<Record<string, string>>;

const VARIABLE = "DOCS_LANCEDB_STORAGE_OPTIONS";
const EXPECTED = 'a JSON object of texts such as {"endpoint": "http://127.0.0.1:9000"}';

/** Names in LanceDB of what the tools of Amazon read. */
const AWS: readonly (readonly [variable: string, option: string])[] = [
  ["AWS_DEFAULT_REGION", "region"],
  ["AWS_REGION", "region"],
  ["AWS_ACCESS_KEY_ID", "awsAccessKeyId"],
  ["AWS_SECRET_ACCESS_KEY", "awsSecretAccessKey"],
  ["AWS_SESSION_TOKEN", "awsSessionToken"],
  ["AWS_ENDPOINT_URL", "endpoint"],
  ["AWS_ENDPOINT_URL_S3", "endpoint"],
];

/**
 * Options from `AWS_*` and from the JSON in `DOCS_LANCEDB_STORAGE_OPTIONS`, which go before.
 *
 * @throws `CONFIG_INVALID`; the message does not repeat the value, which may hold a key
 */
export function storageOptionsFromEnv(env: Env): StorageOptions {
  const options: Record<string, string> = {};
  for (const [variable, option] of AWS) {
    const value = env[variable]?.trim();
    if (value) options[option] = value;
  }
  // Plain HTTP is what an address without TLS asks for.
  if (options.endpoint?.startsWith("http://")) options.allowHttp = "true";
  const json = env[VARIABLE]?.trim();
  return json ? { ...options, ...parse(json) } : options;
}

function parse(json: string): StorageOptions {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalid();
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject || Object.values(value as object).some((each) => typeof each !== "string")) throw invalid();
  return value as StorageOptions;
}

function invalid(): DocsearchError {
  return new DocsearchError("CONFIG_INVALID", `${VARIABLE} must be ${EXPECTED}.`, {
    setting: VARIABLE,
    value: "(not repeated)",
    expected: EXPECTED,
  });
}
