import { expect, it } from "vitest";
import { parseEndpoint, shownUrl } from "../src/endpoint.js";

const parse = (value: string, allowHttp = false): string => parseEndpoint(value, { setting: "url", allowHttp }).href;

it.each([
  ["https://api.openai.com/v1", "https://api.openai.com/v1"],
  [" https://x.example/v1/#part ", "https://x.example/v1"],
  ["http://localhost:11434", "http://localhost:11434/"],
  ["http://ollama.localhost/api", "http://ollama.localhost/api"],
  ["http://127.0.0.1/", "http://127.0.0.1/"],
  ["http://127.9.9.9:1/", "http://127.9.9.9:1/"],
  ["http://[::1]:80/v1", "http://[::1]/v1"],
])("%s is taken", (value, href) => {
  expect(parse(value)).toBe(href);
});

it.each([
  ["localhost:11434", 'url is "localhost:11434"; expected a URL such as https://api.openai.com/v1'],
  ["", 'url is ""; expected a URL such as'],
  ["file:///etc/passwd", "expected a URL such as"],
  ["javascript:alert(1)", "expected a URL such as"],
  ["http://10.0.0.5/v1?key=secret", 'url is "http://10.0.0.5/v1"; expected https, or http on this machine'],
  ["http://localhost.example.com", "expected https, or http on this machine"],
  ["http://127.0.0.1.example.com", "expected https, or http on this machine"],
  ["https://me:secret@x.example/v1", 'url is "https://x.example/v1"; expected a URL without a user name and password'],
])("%s is refused", (value, message) => {
  expect(() => parse(value)).toThrow(message);
});

it("no refusal repeats a password or a query", () => {
  for (const value of ["http://me:secret@x/v1", "secret://me:secret@x", "http://x/?key=secret", "https://a:secret@b"]) {
    try {
      parse(value);
      expect.unreachable();
    } catch (error) {
      expect((error as Error).message.replace("secret://", "")).not.toContain("secret");
    }
  }
});

it("http to another machine is taken where it is allowed", () => {
  expect(parse("http://10.0.0.5/v1", true)).toBe("http://10.0.0.5/v1");
});

it("a shown URL has no query", () => {
  expect(shownUrl(new URL("https://x.example/v1?key=secret#a"))).toBe("https://x.example/v1");
});
