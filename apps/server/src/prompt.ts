import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/v4";

/** One prompt: answer a question from the index, with citations. */
export function registerPrompt(server: McpServer): void {
  server.registerPrompt(
    "answer_from_docs",
    {
      title: "Answer from the docs",
      description: "Answer a question from the indexed files, with citations.",
      argsSchema: z.object({ question: z.string().min(1).max(2000).describe("The question") }),
    },
    ({ question }) => ({
      messages: [
        {
          role: "user",
          content: {
            type: "text",
            text: `Answer the question below from the indexed files alone. Call search first, read around the best hits, and cite each fact as path:lines. When the files do not answer it, say so.\n\nQuestion: ${question}`,
          },
        },
      ],
    }),
  );
}
