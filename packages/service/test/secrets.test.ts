import { expect, test } from "vitest";
import { maskSecrets } from "../src/secrets.js";

// Put together here, so that no scanner takes this file for a leak.
const SECRETS = {
  aws: `AKIA${"ABCD1234".repeat(2)}`,
  github: `ghp_${"a1B2".repeat(9)}`,
  slack: `xoxb-${"1234567890"}-abcdef`,
  google: `AIza${"b".repeat(35)}`,
  stripe: `sk_live_${"c3".repeat(12)}`,
  npm: `npm_${"d4".repeat(18)}`,
  jwt: `eyJ${"hbGciOiJI".repeat(2)}.eyJ${"zdWIiOiIx".repeat(2)}.${"sig".repeat(6)}`,
};

test.each(Object.entries(SECRETS))("%s is masked and counted", (_, secret) => {
  expect(maskSecrets(`before ${secret} after`)).toEqual({ text: "before [masked secret] after", count: 1 });
});

test("a password in an address and a quoted value behind a telling name", () => {
  expect(maskSecrets("postgres://app:hunter2x@db/main")).toEqual({
    text: "postgres://app:[masked secret]@db/main",
    count: 1,
  });
  expect(maskSecrets('api_key = "a8f5f167f44f4964"')).toEqual({ text: 'api_key = "[masked secret]"', count: 1 });
});

test("placeholders and prose stay", () => {
  for (const text of [
    'password: "your-password-here"',
    "api_key = os.environ[KEY]",
    "the password is hashed",
    "sk-1",
  ]) {
    expect(maskSecrets(text)).toEqual({ text, count: 0 });
  }
});

test("a private key is masked line by line, also when its end is missing", () => {
  const begin = `-----BEGIN RSA ${"PRIVATE"} KEY-----`;
  const end = `-----END RSA ${"PRIVATE"} KEY-----`;
  expect(maskSecrets(`a\n${begin}\nAAAA\nBBBB\n${end}\nb`).text.split("\n")).toEqual([
    "a",
    "[masked secret]",
    "[masked secret]",
    "[masked secret]",
    "[masked secret]",
    "b",
  ]);
  expect(maskSecrets(`${begin}\nAAAA`)).toEqual({ text: "[masked secret]\n[masked secret]", count: 1 });
});
