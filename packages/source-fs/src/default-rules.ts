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
  secret: ".ssh .gnupg .aws .azure .gcloud .password-store .terraform.d",
  generated: "__snapshots__",
});

/** In lower case; file names are compared without regard to case. */
const FILES = table<NameRule>({
  "version-control": ".git",
  "lock-file": `package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock
    composer.lock gemfile.lock cargo.lock poetry.lock pipfile.lock pdm.lock uv.lock pixi.lock conda-lock.yml go.sum
    go.work.sum flake.lock mix.lock pubspec.lock podfile.lock cartfile.resolved package.resolved packages.lock.json
    paket.lock gradle.lockfile .terraform.lock.hcl module.bazel.lock`,
  "ignore-file": `.gitignore .docsearchignore .gitattributes .ignore .rgignore .hgignore .npmignore .dockerignore
    .prettierignore .eslintignore .stylelintignore .vscodeignore .gcloudignore .slugignore .cursorignore`,
  secret: `.netrc _netrc .npmrc .pypirc .git-credentials .htpasswd .htdigest .pgpass pgpass.conf .my.cnf .mylogin.cnf
    .dockercfg .dockerconfigjson .s3cfg .boto .passwd-s3fs rclone.conf kubeconfig .vault-token .terraformrc terraform.rc
    .msmtprc .fetchmailrc sftp-config.json .ftpconfig authorized_keys authorized_keys2 known_hosts krb5.keytab
    .bash_history .zsh_history .sh_history .history .python_history .node_repl_history .psql_history .mysql_history
    .sqlite_history .rediscli_history .irb_history
    credentials credentials.json credentials.yml credentials.yaml credentials.ini credentials.toml credentials.csv
    credentials.xml credentials.txt credentials.db credentials.tfrc.json .credentials .credentials.json
    application_default_credentials.json access_tokens.db accesstokens.json msal_token_cache.json
    secret.json secret.yml secret.yaml secret.txt secrets.json secrets.yml secrets.yaml secrets.ini secrets.toml
    secrets.txt token token.txt tokens.txt token.json .token api_key.txt apikey.txt password.txt passwords.txt
    passwords.csv master.key terraform.tfvars wallet.dat
    ssh_host_rsa_key ssh_host_dsa_key ssh_host_ecdsa_key ssh_host_ed25519_key`,
});

/** Endings that begin with a dot, a dash or an underscore. */
const ENDINGS = table<DefaultRule>({
  minified: ".min.js .min.mjs .min.cjs .min.css -min.js -min.css .bundle.js",
  "source-map": ".js.map .mjs.map .cjs.map .css.map .ts.map .mts.map .cts.map",
  generated: `.pb.go .pb.gw.go .pb.cc .pb.h .pb.c .pb.dart .pbjson.dart .pbenum.dart _pb2.py _pb2.pyi _pb2_grpc.py
    _pb.js _pb.ts _pb.d.ts _pb.rb _grpc_pb.js _grpc_pb.d.ts .g.dart .freezed.dart .g.cs .designer.cs .gen.go
    _generated.go .snap`,
  secret: `.pem .key .p8 .p12 .pfx .pk8 .jks .bks .keystore .keytab .kdbx .kdb .psafe3 .ppk .gpg .pgp .ovpn .agekey .jwk
    .tfstate .tfstate.backup .auto.tfvars .yml.enc .yaml.enc .kubeconfig .publishsettings .rdp .token`,
});

const BEGINNINGS = [
  ...table<DefaultRule>({
    secret: ".env id_rsa id_dsa id_ecdsa id_ed25519 id_xmss",
    generated: "zz_generated.",
  }),
];

const SECRET_NAMES = [
  /^(?:client_secret|service[-_]?account|gcp[-_]key).*\.json$/,
  /firebase-adminsdk.*\.json$/,
  // `prod.env`, `prod.env.bak`; but not `process.env.md` and `load.env.ts`, which are about such files.
  /\.env(?:\.(?!(?:md|mdx|rst|adoc|html?|[cm]?[jt]sx?|py|rb|go|rs|java|kt|cs|php|sh)$)[^.]+)*$/,
];

/** What programs write beside a file for a while, some as long as it is open. Names are in lower case. */
const TEMPORARY = [
  // Vim, Emacs, Kate, GNOME, JetBrains.
  /~$|^[._].+\.sw[a-px]$|^4913$|^\.#|^#.*#$|\.kate-swp$|^\.goutputstream-\w+$|___jb_(?:tmp|old|bak)___$/,
  // Microsoft Office, LibreOffice.
  /^~\$|^\.~lock\..+#$/,
  // Saves that write `a.md.tmp-1` or `a.md.tmp.123.456` and rename it; those of macOS.
  /\.\w+\.tmp(?:[-.]\w+)*$|\.sb-[0-9a-f]{8}-\w{6}$/,
  // What was removed while a program had it open.
  /^\.(?:fuse_hidden|nfs)[0-9a-f]{10,}$/,
  // Browsers.
  /\.(?:crdownload|part)$/,
];

/** Files whose names say it together with that of their folder. */
const SECRET_PLACES = new Set([
  ".docker/config.json",
  ".kube/config",
  "gh/hosts.yml",
  ".config/hub",
  "doctl/config.yaml",
]);

/** The default rule for a folder of this name. */
export function folderRule(name: string): NameRule | undefined {
  return FOLDERS.get(name) ?? (name.endsWith(".egg-info") ? "build-output" : undefined);
}

/** The default rule for a file of this name, in a folder of that name, if it is known. */
export function fileRule(name: string, folder = ""): NameRule | undefined {
  const lower = name.toLowerCase();
  return (
    FILES.get(lower) ??
    (SECRET_PLACES.has(`${folder}/${lower}`) ? "secret" : undefined) ??
    endingRule(lower) ??
    BEGINNINGS.find(([beginning]) => lower.startsWith(beginning))?.[1] ??
    (SECRET_NAMES.some((pattern) => pattern.test(lower)) ? "secret" : undefined) ??
    (lower.includes(".generated.") ? "generated" : undefined) ??
    (TEMPORARY.some((pattern) => pattern.test(lower)) ? "temporary" : undefined)
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

/** What tools leave in folders whose names may mean anything: any one of it is enough. */
const LEFT_BY_TOOLS: ReadonlyMap<string, readonly string[]> = new Map([
  ["build", ["CMakeCache.txt", "asset-manifest.json"]],
  ["coverage", ["lcov.info", "lcov-report", "coverage-final.json", "clover.xml"]],
  ["obj", ["project.assets.json"]],
  ["target", [".rustc_info.json", "maven-status", "test-classes"]],
]);

/** The default rule for a folder with these names in it. */
export function folderMarker(folder: string, names: ReadonlySet<string>): DefaultRule | "version-control" | undefined {
  if (names.has("pyvenv.cfg")) return "dependencies";
  const vendored = names.has("modules.txt") || names.has("autoload.php") || names.has("bundle");
  if (folder === "vendor" && vendored) return "dependencies";
  // https://bford.info/cachedir/: cargo, mypy, pytest and others put it in what they can make again.
  if (names.has("CACHEDIR.TAG")) return "build-output";
  if (LEFT_BY_TOOLS.get(folder)?.some((name) => names.has(name))) return "build-output";
  const bareRepository = names.has("HEAD") && names.has("objects") && names.has("refs") && names.has("config");
  return bareRepository ? "version-control" : undefined;
}
