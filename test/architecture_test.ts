/**
 * Reads the imports of every source file and enforces the arrows between the rooms of the house.
 * Type-only imports count like any other. Only `--allow-read` is needed: imports are found in the
 * text of the files, in which comments and the contents of strings, templates and regular
 * expressions are blanked first, so that an import in the example of a doc comment is none.
 *
 * @module
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";

/** The rooms under `src/` and the rooms each may import; any may import `std`. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  api: [],
  home: [],
  show: ["api"],
  frames: ["api", "show"],
  quality: ["api", "frames"],
  windindex: ["api", "frames", "quality"],
  plots: ["api", "frames", "show"],
  analysis: ["api", "show", "windindex", "quality", "frames"],
  report: ["api", "show", "analysis", "plots", "frames"],
  service: ["api", "home", "frames", "quality", "windindex", "plots"],
  client: ["api", "home", "show", "frames"],
  notebook: ["api", "home", "show"],
  testing: ["api", "client", "service"],
  std: [],
};

const MAX_LINES = 400;

/** Scripts read their arguments, and those of analyses work on frames as their readers do. */
const packagesOfScripts = ["node:util", "nodejs-polars"];
const schemeAllowed = ["node:sqlite", "node:buffer", "node:crypto", "node:zlib"];

/** Texts of files by their path below the root, `deno.json` among them. */
type Sources = Readonly<Record<string, string>>;

interface Config {
  name: string;
  exports: Record<string, string>;
  imports: Record<string, string>;
}

interface Import {
  /** `null` where it is computed. */
  specifier: string | null;
  line: number;
  dynamic: boolean;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

const keywordBeforeExpression =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield|instanceof)$/;

/**
 * The source with comments and the contents of strings, templates and regular expressions blanked;
 * every offset stays. Throws where one of them does not end: then this reading of it is wrong.
 */
function blanked(source: string): string {
  const out = source.split("");
  const openTemplates: number[] = [];
  let depth = 0;
  let i = 0;
  // What stands before a slash decides whether it divides or begins a regular expression.
  let valueBefore = false;

  function blankUntil(end: number, what: string): void {
    if (end < 0 || end > source.length) {
      throw new Error(`Cannot read line ${lineAt(source, i)}: its ${what} does not end`);
    }
    for (; i < end; i++) if (out[i] !== "\n") out[i] = " ";
  }
  function endOf(pattern: RegExp, what: string): void {
    pattern.lastIndex = i;
    const match = pattern.exec(source);
    blankUntil(match ? pattern.lastIndex - 1 : -1, what);
    i++;
    valueBefore = true;
  }
  function template(): void {
    endOf(/(?:[^\\`$]|\\[^]|\$(?!\{))*(?:`|\$(?=\{))/y, "template");
    if (source[i - 1] === "$") {
      i++;
      openTemplates.push(depth++);
      valueBefore = false;
    }
  }

  if (source.startsWith("#!")) blankUntil(source.indexOf("\n"), "first line");
  while (i < source.length) {
    const c = source[i];
    if (source.startsWith("//", i)) {
      const end = source.indexOf("\n", i);
      blankUntil(end < 0 ? source.length : end, "comment");
    } else if (source.startsWith("/*", i)) {
      const end = source.indexOf("*/", i + 2);
      blankUntil(end < 0 ? end : end + 2, "comment");
    } else if (c === '"' || c === "'") {
      i++;
      endOf(c === '"' ? /(?:[^"\\\n]|\\[^])*"/y : /(?:[^'\\\n]|\\[^])*'/y, "string");
    } else if (c === "`") {
      i++;
      template();
    } else if (c === "}" && openTemplates.at(-1) === depth - 1) {
      depth = openTemplates.pop()!;
      i++;
      template();
    } else if (c === "/" && !valueBefore) {
      i++;
      endOf(/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y, "regular expression");
    } else if (/[\w$#@\P{ASCII}]/u.test(c)) {
      const [word] = /^[\w$#@\P{ASCII}]+/u.exec(source.slice(i, i + 200))!;
      i += word.length;
      valueBefore = !keywordBeforeExpression.test(word);
    } else {
      if (c === "{") depth++;
      if (c === "}") depth--;
      // `x++ / 2` and `x! / 2` divide.
      const postfix = valueBefore &&
        (c === "!" || source.slice(i, i + 2) === c + c && "+-".includes(c));
      if (postfix && c !== "!") i++;
      if (!/\s/.test(c) && !postfix) valueBefore = ")]}".includes(c);
      i++;
    }
  }
  if (openTemplates.length > 0) throw new Error("Cannot read the end: a template is open");
  return out.join("");
}

/** Every import of a source: static, dynamic, re-export, type, and modules named for their URL. */
function importsOf(source: string): Import[] {
  const code = blanked(source);
  const found: Import[] = [];
  const pattern = new RegExp(
    String.raw`(?<![\w$.])(?:(?<fixed>from|import|declare\s+module)\s*(?=["'])|` +
      String.raw`import\s*\(\s*|import\.meta\.resolve\s*\(\s*|(?<url>new\s+URL\s*\(\s*)(?=["']))`,
    "g",
  );
  for (const match of code.matchAll(pattern)) {
    const start = match.index + match[0].length;
    const quoted = /^(["'`])( *)\1\s*(?=([),]?))/.exec(code.slice(start));
    const { fixed, url } = match.groups!;
    const dynamic = fixed === undefined;
    const whole = quoted && (!dynamic || quoted[3] !== "");
    let specifier = whole ? source.slice(start + 1, start + 1 + quoted[2].length) : null;
    if (url) {
      // A worker is a module too; other files are read, not imported.
      if (!specifier?.endsWith(".ts") || /^\w+:/.test(specifier)) continue;
      specifier = specifier.replace(/^(?!\.)/, "./");
    }
    found.push({ specifier, line: lineAt(source, start), dynamic });
  }
  return found;
}

type Target = { file: string } | { foreign: string } | { undeclared: string };

function resolve(specifier: string, from: string, config: Config): Target {
  if (/^\.{0,2}\//.test(specifier)) {
    const { pathname } = new URL(specifier, new URL(from, "file:///"));
    return { file: decodeURIComponent(pathname.slice(1)) };
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) return { foreign: specifier };
  if (specifier === config.name || specifier.startsWith(`${config.name}/`)) {
    const file = config.exports[`.${specifier.slice(config.name.length)}`];
    return file ? { file: file.replace(/^\.\//, "") } : { undeclared: specifier };
  }
  const key = Object.keys(config.imports).find((key) =>
    key === specifier || key.endsWith("/") && specifier.startsWith(key)
  );
  if (!key) return { undeclared: specifier };
  const address = config.imports[key];
  return address.startsWith("./")
    ? { file: address.slice(2) + specifier.slice(key.length) }
    : { foreign: `${key} (declared)` };
}

const roomOf = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1];

/** Cycles of the file graph, one for each import that closes one. */
function cyclesOf(graph: ReadonlyMap<string, { to: string; line: number }[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  function visit(file: string): void {
    trail.push(file);
    for (const { to, line } of graph.get(file) ?? []) {
      const i = trail.indexOf(to);
      if (i >= 0) {
        found.push(`${file}:${line} closes a cycle: ${[...trail.slice(i), to].join(" > ")}`);
      } else if (!done.has(to)) visit(to);
    }
    trail.pop();
    done.add(file);
  }
  for (const file of graph.keys()) if (!done.has(file)) visit(file);
  return found;
}

/** Why a file must not import the other, or `null` where it may; the one exception is not here. */
function problemWithArrow(from: string, to: string, config: Config): string | null {
  const subpaths = Object.entries(config.exports).map(([key, file]) => ({
    key,
    file: file.slice(2),
  }));
  if (from === "mod.ts") {
    if (!roomOf(to)) return "mod.ts re-exports rooms of src/ only";
    const own = subpaths.find(({ key, file }) => key !== "." && roomOf(file) === roomOf(to));
    return own ? `that room has a subpath export of its own, ${own.key}` : null;
  }
  if (from.startsWith("scripts/")) {
    if (to.startsWith("scripts/_")) return null; // what the scripts share
    if (to === "mod.ts" || subpaths.some(({ file }) => file === to)) return null;
    return "scripts import ../mod.ts and the subpath exports of deno.json only";
  }
  const [own, other] = [roomOf(from), roomOf(to)];
  if (!own || !(own in rooms)) return null;
  if (!other) return "files of src/ import files of rooms only";
  if (own === other || rooms[own].includes(other) || other === "std") return null;
  return `${own} may import ${
    [...rooms[own], own === "std" ? [] : "std"].flat().join(", ") || "no room"
  }`;
}

/** Every breach of the house's rules, each with file and line. */
function breachesOf(sources: Sources): string[] {
  const breaches: string[] = [];
  const config: Config = { exports: {}, imports: {}, ...JSON.parse(sources["deno.json"]) };
  const graph = new Map<string, { to: string; line: number }[]>();
  const exceptions: string[] = [];

  for (const [path, source] of Object.entries(sources)) {
    if (!path.endsWith(".ts")) continue;
    const inSource = path.startsWith("src/");
    const room = roomOf(path);
    if (inSource && !room) breaches.push(`${path}:1 stands in no room`);
    if (room && !(room in rooms)) breaches.push(`${path}:1 stands in an unknown room, ${room}`);
    const lines = source.replace(/\n$/, "").split("\n").length;
    if (inSource && lines > MAX_LINES) {
      breaches.push(
        `${path}:${MAX_LINES + 1} is one of ${lines} lines, at most ${MAX_LINES} are allowed`,
      );
    }
    let imports: Import[];
    try {
      imports = importsOf(source);
    } catch (error) {
      breaches.push(`${path}:1 cannot be checked: ${(error as Error).message}`);
      continue;
    }
    graph.set(path, []);
    for (const { specifier, line, dynamic } of imports) {
      const at = `${path}:${line}`;
      if (specifier === null) {
        if (inSource) breaches.push(`${at} computes what it imports, which cannot be checked`);
        continue;
      }
      const target = resolve(specifier, path, config);
      if ("undeclared" in target) {
        breaches.push(`${at} imports ${specifier}, which deno.json does not declare`);
      } else if ("foreign" in target) {
        if (inSource && target.foreign === specifier && !schemeAllowed.includes(specifier)) {
          breaches.push(`${at} imports ${specifier}: src/ imports by the names of deno.json`);
        }
        const allowed = path.startsWith("scripts/") && packagesOfScripts.includes(specifier);
        if ((path === "mod.ts" || path.startsWith("scripts/")) && !allowed) {
          breaches.push(`${at} imports ${specifier}, a package`);
        }
      } else {
        graph.get(path)!.push({ to: target.file, line });
        const problem = problemWithArrow(path, target.file, config);
        if (problem && dynamic && room === "client" && roomOf(target.file) === "service") {
          exceptions.push(at);
        } else if (problem) breaches.push(`${at} imports ${target.file}: ${problem}`);
      }
    }
  }

  if (exceptions.length > 1) {
    breaches.push(...exceptions.map((at) => `${at} is one of several dynamic imports of service`));
  }
  if (exceptions.length === 0 && sources["src/client/mod.ts"] && sources["src/service/mod.ts"]) {
    breaches.push("src/client/mod.ts:1 and its room never import service dynamically");
  }
  breaches.push(...cyclesOf(graph), ...problemsWithPins(sources["deno.json"], config));
  if (sources["mod.ts"]) breaches.push(...logicIn("mod.ts", sources["mod.ts"]));
  return breaches;
}

function problemsWithPins(text: string, { imports }: Config): string[] {
  return Object.entries(imports).flatMap(([key, address]) => {
    const exact = /^npm:\/?(?:@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+(?:-[\w.]+)?(?:\/.*)?$/.test(
      address,
    );
    if (exact || !address.startsWith("npm:")) return [];
    return [`deno.json:${lineAt(text, text.indexOf(`"${key}":`))} pins ${address} not exactly`];
  });
}

function logicIn(path: string, source: string): string[] {
  const rest = blanked(source).replace(
    /\bexport\s+(?:type\s+)?(?:\{[^{}]*\}|\*(?:\s+as\s+[\w$]+)?)\s*from\s*(["']) *\1\s*;?/g,
    (statement) => statement.replace(/\S/g, " "),
  );
  const at = rest.search(/\S/);
  return at < 0 ? [] : [`${path}:${lineAt(rest, at)} is no re-export`];
}

const root = new URL("../", import.meta.url);

async function collect(folder: string, into: Record<string, string>): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) await collect(`${folder}${name}/`, into);
    else if (name.endsWith(".ts")) {
      into[folder + name] = await Deno.readTextFile(new URL(folder + name, root));
    }
  }
}

async function readProject(): Promise<Sources> {
  const sources: Record<string, string> = {};
  for (const folder of ["src/", "test/", "scripts/"]) await collect(folder, sources);
  sources["deno.json"] = await Deno.readTextFile(new URL("deno.json", root));
  const { exports } = JSON.parse(sources["deno.json"]);
  try {
    sources["mod.ts"] = await Deno.readTextFile(new URL(exports["."], root));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return sources;
}

describe("the house", () => {
  it("keeps its arrows, its pins and its file sizes", async () => {
    const breaches = breachesOf(await readProject());
    assertEquals(breaches, [], `${breaches.length} breaches:\n${breaches.join("\n")}`);
  });

  it("has rooms whose arrows never form a circle", () => {
    const graph = new Map(
      Object.entries(rooms).map(([room, others]) => [room, others.map((to) => ({ to, line: 1 }))]),
    );
    assertEquals(cyclesOf(graph), []);
    for (const others of Object.values(rooms)) for (const other of others) assert(other in rooms);
  });

  it("names every npm package of deno.json in NOTICE with its version", async () => {
    const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
    const notice = await Deno.readTextFile(new URL("NOTICE", root));
    for (const address of Object.values<string>(imports)) {
      const pin = /^npm:\/?(.+)@([\d.]+)/.exec(address);
      if (pin) assert(notice.includes(`${pin[1]} ${pin[2]}`), `NOTICE lacks ${pin[1]} ${pin[2]}`);
    }
  });
});

const configText = JSON.stringify(
  {
    name: "@us/house",
    exports: { ".": "./mod.ts", "./service": "./src/service/mod.ts" },
    imports: { "@std/csv": "./src/std/csv.ts", "zod": "npm:zod@4.6.7", "x/": "npm:/x@1.0.0/" },
  },
  null,
  2,
);

/** Breaches of a small house in memory. */
function breachesIn(sources: Sources): string[] {
  return breachesOf({ "deno.json": configText, ...sources });
}

describe("breachesOf()", () => {
  it("finds nothing in a house that keeps its rules", () => {
    assertEquals(
      breachesIn({
        "mod.ts":
          '/** Doc. */\nexport { a } from "./src/client/mod.ts";\nexport * from "./src/show/a.ts";',
        "src/api/a.ts": 'import { z } from "zod";\nimport { b } from "x/b.js";\n',
        "src/show/a.ts": 'import type { A } from "../api/a.ts";\nimport { parse } from "@std/csv";',
        "src/client/mod.ts": 'const service = () => import("../service/mod.ts");',
        "src/service/mod.ts": 'import { DatabaseSync } from "node:sqlite";',
        "scripts/a.ts": 'import { a } from "../mod.ts";\nimport { b } from "@us/house/service";',
        "src/std/csv.ts": "export const parse = 1;",
      }),
      [],
    );
  });

  const cases: [string, Sources, string[]][] = [
    [
      "a forbidden arrow, static, type-only, re-exported and dynamic",
      {
        "src/show/a.ts": 'import "../api/a.ts";\n\nimport { b } from "../client/b.ts";',
        "src/api/a.ts": 'import type { B } from "../home/b.ts";',
        "src/plots/a.ts": 'export * from "../service/b.ts";',
        "src/home/a.ts": 'type B = import("../api/b.ts").B;\nawait import(`../api/b.ts`);',
        "src/std/a.ts": 'import { b } from "../api/b.ts";',
      },
      [
        "src/show/a.ts:3 imports src/client/b.ts: show may import api, std",
        "src/api/a.ts:1 imports src/home/b.ts: api may import std",
        "src/plots/a.ts:1 imports src/service/b.ts: plots may import api, frames, show, std",
        "src/home/a.ts:1 imports src/api/b.ts: home may import std",
        "src/home/a.ts:2 imports src/api/b.ts: home may import std",
        "src/std/a.ts:1 imports src/api/b.ts: std may import no room",
      ],
    ],
    [
      "a cycle, also of types and within a room",
      {
        "src/api/a.ts": 'import type { B } from "./b.ts";',
        "src/api/b.ts": '\nexport { C } from "./c.ts";',
        "src/api/c.ts": 'const a = import("./a.ts");',
        "src/home/d.ts": 'import { d } from "./d.ts";',
      },
      [
        "src/api/c.ts:1 closes a cycle: src/api/a.ts > src/api/b.ts > src/api/c.ts > src/api/a.ts",
        "src/home/d.ts:1 closes a cycle: src/home/d.ts > src/home/d.ts",
      ],
    ],
    [
      "more than one way from client to service, and a static one",
      {
        "src/client/a.ts": 'await import("../service/mod.ts");',
        "src/client/b.ts": 'await import("../service/mod.ts");',
        "src/client/c.ts": 'import type { S } from "../service/mod.ts";',
      },
      [
        "src/client/c.ts:1 imports src/service/mod.ts: client may import api, home, show, frames, std",
        "src/client/a.ts:1 is one of several dynamic imports of service",
        "src/client/b.ts:1 is one of several dynamic imports of service",
      ],
    ],
    [
      "no way from client to service",
      { "src/client/mod.ts": "export {};", "src/service/mod.ts": "export {};" },
      ["src/client/mod.ts:1 and its room never import service dynamically"],
    ],
    [
      "files outside of rooms, and imports of them",
      {
        "src/a.ts": "",
        "src/attic/a.ts": "",
        "src/api/a.ts": 'import { b } from "../../test/b.ts";\nimport { c } from "../c.ts";',
        "src/api/d.ts": 'import { e } from "@us/house";',
      },
      [
        "src/a.ts:1 stands in no room",
        "src/attic/a.ts:1 stands in an unknown room, attic",
        "src/api/a.ts:1 imports test/b.ts: files of src/ import files of rooms only",
        "src/api/a.ts:2 imports src/c.ts: files of src/ import files of rooms only",
        "src/api/d.ts:1 imports mod.ts: files of src/ import files of rooms only",
      ],
    ],
    [
      "packages that are not declared, or named by their place",
      {
        "src/api/a.ts": 'import a from "lodash";\nimport b from "npm:zod@4.6.7";\n' +
          'import c from "jsr:@std/csv";\nimport d from "https://a.test/d.ts";\n' +
          'import e from "node:fs";\nimport f from "node:zlib";\nimport(name);',
        "test/a_test.ts": 'import a from "zodd";\nimport b from "node:fs";',
      },
      [
        "src/api/a.ts:1 imports lodash, which deno.json does not declare",
        "src/api/a.ts:2 imports npm:zod@4.6.7: src/ imports by the names of deno.json",
        "src/api/a.ts:3 imports jsr:@std/csv: src/ imports by the names of deno.json",
        "src/api/a.ts:4 imports https://a.test/d.ts: src/ imports by the names of deno.json",
        "src/api/a.ts:5 imports node:fs: src/ imports by the names of deno.json",
        "src/api/a.ts:7 computes what it imports, which cannot be checked",
        "test/a_test.ts:1 imports zodd, which deno.json does not declare",
      ],
    ],
    [
      "logic in mod.ts, and scripts that reach into rooms",
      {
        "mod.ts": '// "fine"\nexport { a } from "./src/client/a.ts";\nexport const b = 1;\n' +
          'export * from "./src/service/mod.ts";',
        "scripts/a.ts": 'import { a } from "../src/client/a.ts";\nimport { z } from "zod";',
      },
      [
        "mod.ts:4 imports src/service/mod.ts: that room has a subpath export of its own, ./service",
        "scripts/a.ts:1 imports src/client/a.ts: scripts import ../mod.ts and the subpath exports of deno.json only",
        "scripts/a.ts:2 imports zod, a package",
        "mod.ts:3 is no re-export",
      ],
    ],
    [
      "pins that are not exact, and files that are too long",
      {
        "deno.json": configText.replace("zod@4.6.7", "zod@^4.6.7").replace("/x@1.0.0", "/x@1"),
        "src/api/a.ts": "//\n".repeat(400),
        "src/api/b.ts": "//\n".repeat(401),
      },
      [
        "src/api/b.ts:401 is one of 401 lines, at most 400 are allowed",
        "deno.json:9 pins npm:zod@^4.6.7 not exactly",
        "deno.json:10 pins npm:/x@1/ not exactly",
      ],
    ],
  ];
  for (const [name, sources, expected] of cases) {
    it(`reports ${name}`, () => assertEquals(breachesIn(sources), expected));
  }
});

describe("importsOf()", () => {
  const specifiers = (source: string) => importsOf(source).map(({ specifier }) => specifier);

  it("finds every form of import, over several lines too", () => {
    const source = [
      "import a, {\n  b,\n  type C,\n} from './1.ts'",
      'import * as d from "./2.ts";import"./3.ts"',
      'export type {\n E } from "./4.ts"',
      'export * as f from "./5.json" with { type: "json" }',
      'const g = await import(\n  "./6.ts",\n)',
      'type H = typeof import("./7.ts")',
      'new Worker(new URL("8.ts", import.meta.url))',
      'import.meta.resolve("./9.ts")',
      'const i = `${await import("./10.ts")} ${`${import("./11.ts")}`}`',
      'declare module "./12.ts" {}',
    ].join("\n");
    assertEquals(specifiers(source).map((path) => /\d+/.exec(path!)?.[0]), [
      ..."123456789",
      "10",
      "11",
      "12",
    ]);
    assertEquals(importsOf(source)[0].line, 4);
  });

  it("takes comments, strings, templates and regular expressions for what they are", () => {
    const source = [
      '/**\n * ```ts\n * import { a } from "./no.ts";\n * ```\n */',
      '// import "./no.ts"',
      'const a = \'import "./no.ts"\', b = "from \'./no.ts\' \\" ";',
      'const c = `import "./no.ts" ${1 + `}`.length} from "./no.ts" \\` `;',
      'const d = /["\'`/*]\\/[/"]/.test(a), e = a.length / 2 / b.length, f = [/"/, x! / 2, i++ / 2];',
      'Array.from("x"), { from: "y" }, import.meta.url, store.import("z"), a["from"]',
      'import "./yes.ts"',
    ].join("\n");
    assertEquals(specifiers(source), ["./yes.ts"]);
  });

  it("says so where it cannot tell", () => {
    assertEquals(specifiers('import(name); import(`./${a}.ts`); import("./a" + b)'), [
      null,
      null,
      null,
    ]);
    for (const source of ['"open', "`open", "`${open", "/* open", "a = /open"]) {
      assertThrows(() => importsOf(source), Error, "Cannot read");
    }
  });
});
