/** What stands at the end of the help of the program and of each command. */
export const EXAMPLES = {
  docsearch: `
Examples:
  docsearch index docs README.md             index a folder and a file
  docsearch search "how do I retry a job"    ask in words
  docsearch search useEffect --mode keyword  look for a name
  docsearch search retry --json | jq .       for scripts

The index is .docsearch/index.db in the nearest folder above that has one, else
in the working directory.

Exit codes: 0 done or found; 1 nothing found, files that could not be read, or
faults in the index; 2 error. Results go to stdout, everything else to stderr.`,
  index: `
Examples:
  docsearch index                                   the working directory
  docsearch index docs README.md                    a folder and a file
  docsearch index . --include '*.{md,mdx}'          Markdown alone
  docsearch index . --exclude drafts/ --exclude '*.txt'
  docsearch index docs --embedder none              keywords alone, no vectors
  docsearch index --rebuild docs                    anew, with today's settings

A run that is stopped or killed leaves a whole index; the next one goes on.`,
  search: `
Examples:
  docsearch search "how do I retry a job"           ask in words
  docsearch search useEffect --mode keyword         look for a name
  docsearch search '"exact words" more'             quoted words stand together
  docsearch search retry --path docs/guide -n 3     in one folder
  docsearch search retry --group-by document        a result per document
  docsearch search -- --watch                       a query with a dash
  git log -1 --format=%s | docsearch search -       from standard input
  docsearch search retry --json | jq -r '.results[].path'`,
  status: `
Examples:
  docsearch status
  docsearch status --json | jq .stats`,
  eval: `
Examples:
  docsearch eval queries.jsonl                      all arms, side by side
  docsearch eval --auto                             queries made from the index
  docsearch eval queries.jsonl --fail-under mrr@10=0.8
  docsearch eval queries.jsonl --save before.json   then, after a change:
  docsearch eval queries.jsonl --compare before.json

A query is a line of JSON: {"query": "…", "relevant": [{"path": "docs/a.md"}]}`,
  doctor: `
Examples:
  docsearch doctor
  docsearch doctor --json | jq '.findings[] | select(.result != "ok")'`,
  chunk: `
Examples:
  docsearch chunk README.md
  docsearch chunk README.md --chunk-size 800
  docsearch chunk README.md --json | jq '.chunks[].headingPath'`,
} as const;
