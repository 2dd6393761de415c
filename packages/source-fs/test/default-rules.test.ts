import { DEFAULT_RULES, fileSource, walk } from "@docsearch/source-fs";
import { isDocsearchError } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { collect, NO_SETTINGS, tree, walkAll, walkFiles, walkSkips } from "./tree.js";

describe("by name", () => {
  test.each([
    ["dependencies", "node_modules/ bower_components/ .venv/ venv/ site-packages/ .tox/ Pods/ .yarn/"],
    ["build-output", "dist/ .next/ .nuxt/ __pycache__/ .cache/ .terraform/ tool.egg-info/ htmlcov/"],
    ["version-control", ".git/ .hg/ .svn/ .jj/ CVS/"],
    ["secret", ".ssh/ .gnupg/ .aws/ .azure/ .password-store/"],
    ["generated", "__snapshots__/"],
    ["index", ".docsearch/"],
  ])("folders: %s", async (reason, names) => {
    const folders = names.split(" ");
    const root = tree(Object.fromEntries(folders.map((folder) => [`${folder}page.md`, "# Page\n"])));
    expect(await walkSkips({ root })).toEqual(folders.sort().map((folder) => `${folder}: ${reason}`));
  });

  test.each([
    [
      "lock-file",
      "package-lock.json pnpm-lock.yaml yarn.lock bun.lock Cargo.lock poetry.lock uv.lock go.sum composer.lock Gemfile.lock flake.lock",
    ],
    ["minified", "a.min.js a.min.css jquery-min.js app.bundle.js"],
    ["source-map", "app.js.map app.css.map index.d.ts.map"],
    [
      "generated",
      "a.pb.go a_pb2.py a_grpc_pb.js model.g.dart Form.Designer.cs api.generated.ts a.snap zz_generated.x.go",
    ],
    [
      "secret",
      ".env .env.local .envrc server.pem server.key id_rsa id_ed25519 id_rsa.pub store.kdbx .npmrc .netrc .git-credentials credentials credentials.json secrets.yml client_secret_1.json service-account.json terraform.tfstate key.p12",
    ],
    [
      "secret",
      "prod.env prod.env.bak app.env.local .s3cfg .boto .bash_history .zsh_history .psql_history rclone.conf authorized_keys .vault-token token.txt a.pfx a.jks a.ppk .pgpass serviceAccountKey.json app-firebase-adminsdk-1.json terraform.tfstate.backup prod.auto.tfvars id_ecdsa id_dsa ssh_host_rsa_key AuthKey_1.p8 client.ovpn kubeconfig application_default_credentials.json",
    ],
    [
      "temporary",
      "a.md~ .a.md.swp .a.md.swx _a.md.swp 4913 a.md.tmp-1 a.md.tmp a.md.tmp.1234.5678 .#a.md #a.md# ~$report.docx .~lock.report.odt# .a.md.kate-swp .goutputstream-AB12C3 a.md___jb_tmp___ a.md.sb-1a2b3c4d-Xy5Zab .fuse_hidden0000123400000001 .nfs00000000000abcd100000002 page.html.part",
    ],
    ["ignore-file", ".gitignore .docsearchignore .gitattributes .dockerignore .npmignore .prettierignore .ignore"],
  ])("files: %s", async (reason, names) => {
    const files = names.split(" ").sort();
    const root = tree(Object.fromEntries(files.map((file) => [file, "text\n"])));
    expect(await walkSkips({ root, allow: [] })).toEqual(files.map((file) => `${file}: ${reason}`));
  });

  test("leave alone what people write", async () => {
    const files = [
      ".github/CONTRIBUTING.md",
      "bin/run.sh",
      "build/index.md",
      "coverage/report.md",
      "credentials.md",
      "docs/vendor/list.md",
      "env/notes.md",
      "environment.md",
      "generated.md",
      "git/notes.md",
      "id.md",
      "lock.json",
      "minified.js",
      "out/page.md",
      "package.json",
      "part.md",
      "pods/kubernetes.md",
      "process.env.md",
      "secrets.md",
      "service-account.md",
      "setup.env.ts",
      "swap.sb-notes.md",
      "target/page.md",
      "tmp.md",
      "tokens.json",
      "treasure.map",
      "variables.tfvars",
    ];
    expect(await walkFiles({ root: tree(Object.fromEntries(files.map((file) => [file, "text\n"]))) })).toEqual(files);
  });
});

test("files are told by their folder too", async () => {
  const secrets = [".config/gh/hosts.yml", ".config/hub", ".docker/config.json", ".kube/config"];
  const others = [".docker/Dockerfile", "config", "config.json", "hosts.yml", "hub"];
  const root = tree(Object.fromEntries([...secrets, ...others].map((path) => [path, "text\n"])));
  expect(await walkSkips({ root })).toEqual(secrets.map((path) => `${path}: secret`));
  expect(await walkFiles({ root })).toEqual(others);
});

test.each([
  [".env", ".env"],
  [".ssh/id_rsa", "id_rsa"],
  [".kube/config", "config"],
  [".aws/", "./"],
])("a root that is a secret is left out although it was named, unless it is allowed: %s", async (path, skipped) => {
  const top = tree({ ".env": "A=1\n", ".ssh/id_rsa": "key\n", ".kube/config": "a: 1\n", ".aws/notes.md": "a\n" });
  const root = `${top}/${path}`;
  expect(await walkAll({ root })).toEqual([{ type: "skip", path: skipped, reason: "secret" }]);
  expect(await walkFiles({ root, allow: ["secret"] })).toHaveLength(1);
});

test("a link to a secret that was named is one too", async () => {
  const top = tree({ ".env": "A=1\n", "notes.txt": { link: ".env" } });
  expect(await walkSkips({ root: `${top}/notes.txt` })).toEqual(["notes.txt: secret"]);
});

test("folders are told by what is in them", async () => {
  const root = tree({
    "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n",
    "app/build/a.md": "# How we build\n",
    "app/constructor/a.md": "# A name that objects have\n",
    "app/coverage/a.md": "# What insurance covers\n",
    "app/target/debug/a.md": "# Aims\n",
    "build/CMakeCache.txt": "",
    "coverage/lcov-report/index.html": "",
    "env/lib/a.py": "",
    "env/pyvenv.cfg": "home = /usr/bin\n",
    "mirror/HEAD": "ref: refs/heads/main\n",
    "mirror/config": "",
    "mirror/objects/": "",
    "mirror/refs/": "",
    "obj/project.assets.json": "{}",
    "service/target/maven-status/a.lst": "",
    "target/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n",
    "target/a.rs": "",
    "vendor/golang.org/x/a.go": "",
    "vendor/modules.txt": "",
  });
  expect(await walkSkips({ root })).toEqual([
    "build/: build-output",
    "coverage/: build-output",
    "env/: dependencies",
    "mirror/: version-control",
    "obj/: build-output",
    "service/target/: build-output",
    "target/: build-output",
    "vendor/: dependencies",
  ]);
  expect(await walkFiles({ root })).toEqual([
    "CACHEDIR.TAG",
    "app/build/a.md",
    "app/constructor/a.md",
    "app/coverage/a.md",
    "app/target/debug/a.md",
  ]);
});

const MINIFIED = `var ${Array.from({ length: 400 }, (_, index) => `a${index}=${index}`).join(",")};\n`;

describe("by content", () => {
  const outcome = async (name: string, content: string): Promise<string> => {
    const [item] = await collect(fileSource({ env: NO_SETTINGS, root: tree({ [name]: content }) }).read());
    return item?.type === "skip" ? item.reason : (item?.type ?? "nothing");
  };

  test.each([
    ["a.go", "// Code generated by stringer. DO NOT EDIT.\n\npackage a\n"],
    ["a.py", "#!/usr/bin/env python\n# DO NOT EDIT: made by tool\n"],
    ["a.py", '"""\nDO NOT MODIFY\n"""\n'],
    ["a.php", "<?php\n/**\n * @generated\n */\n"],
    ["a.cs", "// <auto-generated>\n"],
    ["a.sql", "-- This file is automatically generated.\n"],
    ["a.yaml", "# This file was auto-generated by a tool\n"],
    ["a.xml", '<?xml version="1.0"?>\n<!-- DO NOT EDIT -->\n'],
    ["a.lisp", ";;; Autogenerated by make\n"],
    ["a.toml", "# This file is automatically @generated by a tool\n"],
    ["a.js", "/* Generated by a tool from a.y. Do not edit by hand. */\n"],
  ])("%s that says so is generated: %j", async (name, content) => {
    expect(await outcome(name, content)).toBe("generated");
  });

  test.each([
    ["a.md", "# DO NOT EDIT\n\nThis file is generated from the sources.\n"],
    ["a.txt", "# This file is autogenerated by a tool\n"],
    ["a.ts", 'const HEADER = "// DO NOT EDIT";\n'],
    ["a.ts", "// Ids are generated here.\n// Do not edit them later.\n"],
    ["a.ts", "// Files with @generated in their first lines are left out.\n"],
    ["a.ts", `${"// line\n".repeat(10)}// DO NOT EDIT\n`],
    ["a.ts", "// Please do not edit this in a hurry\n"],
  ])("%s is a document: %j", async (name, content) => {
    expect(await outcome(name, content)).toBe("document");
  });

  test.each([
    ["a.js", MINIFIED, "minified"],
    ["a.css", `a{${"color:red;".repeat(300)}}`, "minified"],
    ["a.json", `[${"1,".repeat(2000)}1]`, "document"],
    ["a.js", "var a=1;", "document"],
    ["a.js", `${"const line = 1;\n".repeat(500)}`, "document"],
  ])("%s in long lines: %#", async (name, content, expected) => {
    expect(await outcome(name, content)).toBe(expected);
  });
});

describe("a default rule is lifted", () => {
  const entries = {
    "a.min.js": "a\n",
    "dist/a.md": "a\n",
    "dist/node_modules/b.md": "b\n",
    "gen/a.go": "// Code generated. DO NOT EDIT.\n",
    "gen/b.js": MINIFIED,
    "node_modules/x/a.md": "a\n",
    "node_modules/x/node_modules/y/a.md": "a\n",
    "node_modules/z/a.md": "a\n",
    "package-lock.json": "{}\n",
    "server.pem": "-\n",
    "src/a.md": "a\n",
  };
  const documents = async (options: Partial<Parameters<typeof fileSource>[0]>, own?: string): Promise<string[]> => {
    const root = tree(own === undefined ? entries : { ...entries, ".docsearchignore": own });
    const items = await collect(
      fileSource({ env: NO_SETTINGS, root, exclude: [".docsearchignore"], ...options }).read(),
    );
    return items.flatMap((item) => (item.type === "document" ? [item.document.id] : []));
  };

  test("by nothing", async () => {
    expect(await documents({})).toEqual(["src/a.md"]);
  });

  test.each([
    ["that name what is below a folder", ["node_modules/x/**"], ["node_modules/x/a.md"]],
    ["that name the folder", ["dist/"], ["dist/a.md"]],
    ["that name the folder at any depth", ["**/dist/*.md"], ["dist/a.md"]],
    [
      "that name the file",
      ["package-lock.json", "gen/a.go", "/server.pem"],
      ["gen/a.go", "package-lock.json", "server.pem"],
    ],
    ["that name the kind of file", ["*.min.js", "**/*.pem"], ["a.min.js", "server.pem"]],
    ["beside one for everything", ["**", "dist/**"], ["dist/a.md", "src/a.md"]],
  ])("by include patterns %s", async (_, include, expected) => {
    expect(await documents({ include })).toEqual(expected);
  });

  test.each([
    ["*.md", ["src/a.md"]],
    ["**/*.{js,json,go}", []],
    ["**/*", ["src/a.md"]],
    ["gen/**", []],
    ["*/a.md", ["src/a.md"]],
  ])("but not by the include pattern %s", async (pattern, expected) => {
    expect(await documents({ include: [pattern] })).toEqual(expected);
  });

  test.each([
    ["!dist/", ["dist/a.md", "src/a.md"]],
    ["!/node_modules/\n/node_modules/*\n!/node_modules/x/", ["node_modules/x/a.md", "src/a.md"]],
    ["!package-lock.json", ["package-lock.json", "src/a.md"]],
    ["!*.min.js", ["a.min.js", "src/a.md"]],
    ["!gen/**", ["gen/a.go", "gen/b.js", "src/a.md"]],
  ])("by the lines %j of .docsearchignore", async (lines, expected) => {
    expect(await documents({}, lines)).toEqual(expected);
  });

  test.each([
    ["*\n!*/\n!*.md\n!*.js\n!*.json\n!*.go", ["src/a.md"]],
    ["!**", ["src/a.md"]],
    ["!*.js", ["src/a.md"]],
    ["!node_modules/x/", ["src/a.md"]],
  ])("but not by the lines %j of .docsearchignore", async (lines, expected) => {
    expect(await documents({}, lines)).toEqual(expected);
  });

  test("by `allow`, for the whole walk", async () => {
    expect(await documents({ allow: ["generated", "minified", "secret"] })).toEqual([
      "a.min.js",
      "gen/a.go",
      "gen/b.js",
      "server.pem",
      "src/a.md",
    ]);
    expect(await documents({ allow: [...DEFAULT_RULES] })).toEqual(Object.keys(entries));
  });

  test("never for version control and the index", async () => {
    const root = tree({ ".git/HEAD": "ref: refs/heads/main\n", ".docsearch/a.md": "a\n", "a.md": "a\n" });
    const include = [".git/HEAD", ".docsearch/**", "a.md"];
    expect(await walkFiles({ root, include, allow: [...DEFAULT_RULES] })).toEqual(["a.md"]);
  });

  test("only when there is such a rule", () => {
    const options = { root: ".", allow: ["binary" as "generated"] };
    expect(() => walk(options)).toThrow(
      'allow is "binary"; expected one of dependencies, build-output, lock-file, minified, generated, source-map, ignore-file, temporary, secret, linked-worktree',
    );
    let code: unknown;
    try {
      walk(options);
    } catch (error) {
      code = isDocsearchError(error, "CONFIG_INVALID") && error.details.setting;
    }
    expect(code).toBe("allow");
  });
});
