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
  docsearch index docs/guide/a.md                   a file of an indexed folder
  docsearch index --list-skipped                    what was left out, and why

A path inside a source, or inside a folder that was indexed before, brings that
part of it up to date, by its patterns; its documents stay in its collection. To
make it a collection of its own: docsearch sources add <name> <path>.

A run that is stopped or killed leaves a whole index; the next one goes on. With
--rebuild the old index answers until the new one is whole; it is kept, and
docsearch index rollback brings it back.`,
  rollback: `
Examples:
  docsearch index rollback                          and again: the new one is back

A folder of that name is indexed by docsearch index ./rollback.`,
  embed: `
Examples:
  docsearch embed --model Xenova/bge-small-en-v1.5    on this machine
  docsearch embed --model nomic-embed-text --embedder-url http://localhost:11434/v1
  docsearch embed list                                 models and coverage
  docsearch eval queries.jsonl                         all models, side by side
  docsearch embed use bge-small-en-v1.5                the index answers with it
  docsearch embed drop static                          and frees the space

The index answers with the model that it has until another one is used. A run
that is stopped or killed keeps what it has embedded; the same command goes on.
Where the environment names no embedder, an index is searched with its own.`,
  models: `
Examples:
  docsearch models
  docsearch models --measure
  docsearch models --json | jq -r '.known[].name'`,
  watch: `
Examples:
  docsearch watch                                   the working directory
  docsearch watch docs --debounce 10                less often
  docsearch watch /mnt/share/docs --poll            a drive of the network
  docsearch watch docs --json | jq .replaced

Each run is one of docsearch index. Ctrl-C ends it, with a whole index.`,
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
  why: `
Examples:
  docsearch why "retry a job" docs/jobs.md          why it is found, or is not
  docsearch why "retry a job" docs/jobs.md:120      a line of it
  docsearch why retry src/job.ts --mode keyword --json | jq .lostAt`,
  symbols: `
Examples:
  docsearch symbols createServer
  docsearch symbols Router.match --json | jq -r '.definitions[].path'
  docsearch symbols match --kind method --path src`,
  outline: `
Examples:
  docsearch outline docs/guide.md
  docsearch outline src/server.ts`,
  gaps: `
Examples:
  DOCS_QUERY_LOG=queries.jsonl DOCS_QUERY_LOG_TEXT=yes docsearch search "dark mode"
  docsearch gaps queries.jsonl
  docsearch gaps queries.jsonl --json | jq -r '.gaps[].topic | join(" ")'`,
  status: `
Examples:
  docsearch status
  docsearch status --json | jq .stats`,
  eval: `
Examples:
  docsearch eval queries.jsonl                      all arms, side by side
  docsearch eval --auto                             queries made from the index
  docsearch eval --auto --tune                      the best weights for this index
  docsearch eval queries.jsonl --fail-under mrr@10=0.8
  docsearch eval queries.jsonl --save before.json   then, after a change:
  docsearch eval queries.jsonl --compare before.json

A query is a line of JSON: {"query": "…", "relevant": [{"path": "docs/a.md"}]}`,
  sources: `
Examples:
  docsearch sources add docs ./docs --include '**/*.md'
  docsearch sources add code src --exclude '*.test.ts'
  docsearch sources add spec ../spec && docsearch trust    outside the project
  docsearch index                                   all sources
  docsearch index docs/guide                        what has changed there
  docsearch search "dark mode" --collection docs

They stand in docsearch.config.json, docsearch.config.yaml or
docsearch.config.yml, of which a project has one.`,
  trust: `
Examples:
  docsearch trust                                   shows and allows them
  docsearch trust --list
  docsearch trust --revoke

A config file may name folders outside its project, such as ../spec. They are
not read before you have run this in the project; a repository that was cloned
cannot do that for you. When the file or a link leads elsewhere later, you are
asked again. Kept in ~/.config/docsearch/trust.json.`,
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
