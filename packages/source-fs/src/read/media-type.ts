function table(types: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(types).flatMap(([type, names]) => names.split(" ").map((name) => [name, type] as const)),
  );
}

// Registered types where there is one, else the `text/x-` name in common use.
const BY_EXTENSION = table({
  "text/markdown": "md markdown mdown mkd mkdn",
  "text/mdx": "mdx",
  "text/html": "html htm xhtml",
  "text/x-rst": "rst rest",
  "text/asciidoc": "adoc asciidoc",
  "text/x-org": "org",
  "text/x-tex": "tex latex",
  "text/plain": "txt text log",
  "application/json": "json jsonc json5 webmanifest",
  "application/x-ndjson": "jsonl ndjson",
  "application/x-ipynb+json": "ipynb",
  "application/yaml": "yaml yml",
  "application/toml": "toml",
  "application/xml": "xml xsd xsl xslt rss atom plist",
  "image/svg+xml": "svg",
  "text/csv": "csv",
  "text/tab-separated-values": "tsv",
  "text/x-ini": "ini cfg conf properties editorconfig",
  "text/x-diff": "diff patch",
  "text/vtt": "vtt",
  "message/rfc822": "eml",
  "text/css": "css",
  "text/x-scss": "scss",
  "text/x-sass": "sass",
  "text/x-less": "less",
  "text/javascript": "js mjs cjs",
  "text/x-jsx": "jsx",
  "text/x-typescript": "ts mts cts",
  "text/x-tsx": "tsx",
  "text/x-vue": "vue",
  "text/x-svelte": "svelte",
  "text/x-astro": "astro",
  "text/x-python": "py pyi pyw",
  "text/x-ruby": "rb rake gemspec",
  "text/x-go": "go",
  "text/x-rust": "rs",
  "text/x-java": "java",
  "text/x-kotlin": "kt kts",
  "text/x-scala": "scala sc",
  "text/x-groovy": "groovy gradle",
  "text/x-clojure": "clj cljs cljc edn",
  "text/x-c": "c h",
  "text/x-c++": "cc cpp cxx c++ hh hpp hxx h++ ipp tpp",
  "text/x-objective-c": "m mm",
  "text/x-csharp": "cs",
  "text/x-fsharp": "fs fsi fsx",
  "text/x-visual-basic": "vb",
  "text/x-swift": "swift",
  "text/x-dart": "dart",
  "text/x-php": "php phtml",
  "text/x-perl": "pl pm pod",
  "text/x-lua": "lua",
  "text/x-r": "r",
  "text/x-julia": "jl",
  "text/x-haskell": "hs lhs",
  "text/x-ocaml": "ml mli",
  "text/x-elixir": "ex exs",
  "text/x-erlang": "erl hrl",
  "text/x-elm": "elm",
  "text/x-zig": "zig",
  "text/x-nim": "nim",
  "text/x-lisp": "lisp cl el scm rkt",
  "text/x-shellscript": "sh bash zsh fish ksh",
  "text/x-powershell": "ps1 psm1 psd1",
  "text/x-batch": "bat cmd",
  "application/sql": "sql",
  "application/graphql": "graphql gql",
  "text/x-protobuf": "proto",
  "text/x-hcl": "tf hcl tfvars",
  "text/x-nix": "nix",
  "text/x-cmake": "cmake",
  "text/x-solidity": "sol",
});

/** In lower case. */
const BY_NAME = table({
  "text/x-makefile": "makefile gnumakefile",
  "text/x-dockerfile": "dockerfile containerfile",
  "text/x-cmake": "cmakelists.txt",
  "text/x-ruby": "rakefile gemfile podfile brewfile vagrantfile",
  "text/x-python": "sconstruct sconscript",
  "text/x-groovy": "jenkinsfile",
});

/** By the program that a `#!` line starts. */
const BY_PROGRAM = table({
  "text/x-shellscript": "sh bash zsh ksh dash ash fish",
  "text/x-python": "python pypy",
  "text/javascript": "node",
  "text/x-typescript": "deno bun tsx ts-node",
  "text/x-ruby": "ruby jruby",
  "text/x-perl": "perl",
  "text/x-php": "php",
  "text/x-lua": "lua luajit",
  "text/x-elixir": "elixir",
  "text/x-erlang": "escript",
  "text/x-haskell": "runhaskell runghc",
  "text/x-swift": "swift",
  "text/x-kotlin": "kotlin",
  "text/x-scala": "scala",
  "text/x-groovy": "groovy",
  "text/x-r": "rscript",
  "text/x-julia": "julia",
  "text/x-powershell": "pwsh",
  "text/x-makefile": "make",
});

/** The program's name, through `env` and its options, without its version. */
const SHEBANG =
  /^#![ \t]*(?:\S*\/)?(?:env[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*(?:\S*\/)?)?([A-Za-z][\w-]*?)(?:-?\d[\d.]*)?(?=\s|$)/;
const SHEBANG_CHARACTERS = 200;

/**
 * The media type that a file name says, or for a name without extension the `#!` line of its text; `text/plain` when
 * neither says anything. A name that is all extension counts.
 */
export function mediaTypeOf(path: string, text = ""): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const extension = name.slice(name.lastIndexOf(".") + 1);
  const named = BY_NAME.get(name) ?? (extension === name ? undefined : BY_EXTENSION.get(extension));
  const program = extension === name ? SHEBANG.exec(text.slice(0, SHEBANG_CHARACTERS))?.[1] : undefined;
  return named ?? (program === undefined ? undefined : BY_PROGRAM.get(program.toLowerCase())) ?? "text/plain";
}
