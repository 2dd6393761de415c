import type { DefaultRule, SkipReason } from "./skip-reason.js";

/** What a name alone says. `version-control` and `index` are never lifted. */
export type NameRule = DefaultRule | "version-control" | "index";

function table<R extends SkipReason>(rules: Partial<Record<R, string>>): ReadonlyMap<string, R> {
  const entries = Object.entries(rules) as [R, string][];
  return new Map(entries.flatMap(([rule, names]) => names.split(/\s+/).map((name) => [name, rule] as const)));
}

// Names that are common words for folders people write in (build, target, out, bin, env, vendor, coverage) are not
// here: repositories ignore those themselves, and `folderMarker` tells most of the others by what is inside.
const FOLDERS = table<NameRule>({
  "version-control": ".git .hg .svn .bzr .jj .pijul .sl _darcs CVS",
  index: ".docsearch",
  dependencies: `node_modules bower_components jspm_packages .pnpm-store .yarn .venv venv virtualenv site-packages .tox
    .nox .eggs __pypackages__ .bundle .stack-work .dart_tool elm-stuff Pods Carthage`,
  "build-output": `dist dist-newstyle .next .nuxt .output .svelte-kit .docusaurus .astro .vite .turbo .cache .gradle
    .parcel-cache .angular .nyc_output __pycache__ .pytest_cache .mypy_cache .ruff_cache .ipynb_checkpoints htmlcov
    .terraform .serverless .aws-sam .zig-cache zig-cache DerivedData`,
  secret: ".ssh .gnupg .aws",
  generated: "__snapshots__",
});

/** In lower case; file names are compared without regard to case. */
const FILES = table<NameRule>({
  "version-control": ".git",
  "lock-file": `package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock
    composer.lock gemfile.lock cargo.lock poetry.lock pipfile.lock pdm.lock uv.lock pixi.lock conda-lock.yml go.sum
    go.work.sum flake.lock mix.lock pubspec.lock podfile.lock cartfile.resolved package.resolved packages.lock.json
    paket.lock gradle.lockfile .terraform.lock.hcl module.bazel.lock`,
  secret: `.netrc _netrc .npmrc .pypirc .git-credentials .htpasswd .pgpass .my.cnf .dockercfg credentials
    credentials.json credentials.yml credentials.yaml credentials.ini credentials.toml credentials.csv credentials.xml
    secrets.json secrets.yml secrets.yaml secrets.ini secrets.toml master.key terraform.tfvars`,
});

/** Endings that begin with a dot, a dash or an underscore. */
const ENDINGS = table<DefaultRule>({
  minified: ".min.js .min.mjs .min.cjs .min.css -min.js -min.css .bundle.js",
  "source-map": ".js.map .mjs.map .cjs.map .css.map .ts.map .mts.map .cts.map",
  generated: `.pb.go .pb.gw.go .pb.cc .pb.h .pb.c .pb.dart .pbjson.dart .pbenum.dart _pb2.py _pb2.pyi _pb2_grpc.py
    _pb.js _pb.ts _pb.d.ts _pb.rb _grpc_pb.js _grpc_pb.d.ts .g.dart .freezed.dart .g.cs .designer.cs .gen.go
    _generated.go .snap`,
  secret: ".pem .key .p12 .pfx .jks .keystore .kdbx .kdb .ppk .gpg .tfstate .tfstate.backup .yml.enc",
});

const BEGINNINGS = [
  ...table<DefaultRule>({
    secret: ".env id_rsa id_dsa id_ecdsa id_ed25519",
    generated: "zz_generated.",
  }),
];

const CLOUD_KEY = /^(?:client_secret|service[-_]account).*\.json$/;

/** The default rule for a folder of this name. */
export function folderRule(name: string): NameRule | undefined {
  return FOLDERS.get(name) ?? (name.endsWith(".egg-info") ? "build-output" : undefined);
}

/** The default rule for a file of this name. */
export function fileRule(name: string): NameRule | undefined {
  const lower = name.toLowerCase();
  return (
    FILES.get(lower) ??
    endingRule(lower) ??
    BEGINNINGS.find(([beginning]) => lower.startsWith(beginning))?.[1] ??
    (CLOUD_KEY.test(lower) ? "secret" : undefined) ??
    (lower.includes(".generated.") ? "generated" : undefined)
  );
}

function endingRule(name: string): DefaultRule | undefined {
  for (let at = 0; at < name.length; at++) {
    const char = name[at];
    const rule = char === "." || char === "_" || char === "-" ? ENDINGS.get(name.slice(at)) : undefined;
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** The default rule for a folder with these names in it. */
export function folderMarker(folder: string, names: ReadonlySet<string>): DefaultRule | "version-control" | undefined {
  if (names.has("pyvenv.cfg")) return "dependencies";
  const vendored = names.has("modules.txt") || names.has("autoload.php") || names.has("bundle");
  if (folder === "vendor" && vendored) return "dependencies";
  // https://bford.info/cachedir/: cargo, mypy, pytest and others put it in what they can make again.
  if (names.has("CACHEDIR.TAG")) return "build-output";
  const bareRepository = names.has("HEAD") && names.has("objects") && names.has("refs") && names.has("config");
  return bareRepository ? "version-control" : undefined;
}
