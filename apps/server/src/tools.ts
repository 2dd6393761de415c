import type { Answer, Inputs, OperationName, ProgressOptions, Service } from "@docsearch/service";

export interface ToolHints {
  /** Absent: it writes. */
  readonly readOnlyHint?: true;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: false;
}

/** How an operation of the service is offered as a tool. */
export interface Tool<N extends OperationName = OperationName> {
  readonly name: N;
  readonly description: string;
  readonly hints: ToolHints;
  /** Left out of a read-only server. */
  readonly isWriter: boolean;
  /** The answer is a status: it comes as an object, too. */
  readonly isStatus: boolean;
  readonly run: (service: Service, input: Inputs[N], options: ProgressOptions) => Promise<Answer<object>>;
}

const READS: ToolHints = { readOnlyHint: true, openWorldHint: false };

function tool<N extends OperationName>(definition: Tool<N>): Tool {
  return definition as unknown as Tool;
}

/** In the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  tool({
    name: "search",
    description: "Search indexed docs and code. Gives passages with path:lines, headings and chunk id.",
    hints: READS,
    isWriter: false,
    isStatus: false,
    run: (service, input, call) => service.search(input, call),
  }),
  tool({
    name: "get_chunk",
    description: "A whole chunk, with neighbours.",
    hints: READS,
    isWriter: false,
    isStatus: false,
    run: (service, input, call) => service.getChunk(input, call),
  }),
  tool({
    name: "read",
    description: "Lines of a document.",
    hints: READS,
    isWriter: false,
    isStatus: false,
    run: (service, input, call) => service.read(input, call),
  }),
  tool({
    name: "outline",
    description: "Headings or symbols of a file, or files of a source.",
    hints: READS,
    isWriter: false,
    isStatus: false,
    run: (service, input, call) => service.outline(input, call),
  }),
  tool({
    name: "list_sources",
    description: "What is indexed.",
    hints: READS,
    isWriter: false,
    isStatus: true,
    run: (service, input, call) => service.listSources(input, call),
  }),
  tool({
    name: "index_path",
    description: "Index a folder or file, or what changed in it.",
    hints: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    isWriter: true,
    isStatus: true,
    run: (service, input, options) => service.indexPath(input, options),
  }),
  tool({
    name: "index_status",
    description: "State of index jobs.",
    hints: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    isWriter: true,
    isStatus: true,
    run: async (service, input) => service.indexStatus(input),
  }),
  tool({
    name: "remove_source",
    description: "Take a source or file out of the index.",
    hints: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    isWriter: true,
    isStatus: true,
    run: (service, input, call) => service.removeSource(input, call),
  }),
];
