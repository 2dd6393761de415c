import { chunkerConformance } from "@docsearch/conformance";
import type { Document } from "@docsearch/spec";
import { test } from "vitest";
import { textChunker } from "../src/text-chunker/text-chunker.js";
import { LOG, MAIL, MANUAL, RFC } from "./text-samples.js";

const document = (id: string, text: string, mediaType = "text/plain"): Document => {
  return { id, collection: "test", text, contentHash: "", mediaType, path: id, metadata: {} };
};

chunkerConformance({
  test,
  load: () => textChunker().load(),
  samples: [
    document("manual.txt", MANUAL),
    document("rfc.txt", RFC),
    document("mail.eml", MAIL, "message/rfc822"),
    document("server.log", LOG),
    document("main.c", "int main(void) {\n\treturn 0;\n}\n\n".repeat(40), "text/x-c"),
  ].map((sample) => ({ document: sample })),
});
