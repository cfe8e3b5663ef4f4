/**
 * Suites: files that import several test files, or have the examples of the docs. `deno test` loads and compiles
 * everything again for each file, which took a fifth of the time.
 *
 * @module
 */
import { pathToFileURL } from "node:url";

const ROOT = new URL("../", import.meta.url).pathname;

/** Folder of the suites. */
const SUITES = ".vindkit/suites";

/** Most files of a suite: larger suites load code less often, smaller ones balance the cores better. */
const MAX_FILES = 30;

/** Files that need a process that has not used the sample, because data without a source would be SYNTHETIC there. */
const UNMARKED = [
  "test/frames/storage/save_frame_test.ts",
  ...[
    "comparison/actual_predicted",
    "index/budget",
    "index/long_term",
    "losses/performance",
    "losses/shortfall",
  ]
    .map((name) => `test/plots/${name}_test.ts`),
];

/** Whether a file runs without a suite. */
const isAlone = (file: string) => UNMARKED.includes(file) || file.endsWith("_long_test.ts");

function writeSuite(name: string, text: string): string {
  Deno.mkdirSync(ROOT + SUITES, { recursive: true });
  const path = `${SUITES}/${name.replaceAll("/", "_")}`;
  Deno.writeTextFileSync(ROOT + path, text);
  return path;
}

/** Parts of the names of tests that take minutes. */
const LONGEST = [
  ...["validation_long", "notebooks_long", "foreign_project", "contract_types", "schemathesis"],
  ...["jupyterlab", "rolling_restart", "report_in_browser", "site_long", "time_zone"],
  ...["check_cells", "same_bytes", "nbclient", "every_page", "start_page", "disk_full"],
];

/**
 * Writes a suite for each long test, the longest first, so all cores end at about the same time. Without suites `deno
 * test` would run files of several folders by folder.
 */
export function suitesOfLong(files: readonly string[]): string[] {
  const rank = (file: string) => {
    const at = LONGEST.findIndex((name) => file.includes(name));
    return at === -1 ? LONGEST.length : at;
  };
  return files.toSorted((a, b) => rank(a) - rank(b)).map((file) =>
    writeSuite(file, `import "${pathToFileURL(ROOT + file)}";\n`)
  );
}

/** The room of a test file: the folder below `test`. */
const roomOf = (file: string) => file.split("/").slice(0, -1)[1] ?? "test";

/**
 * Writes suites of test files; each has files of one room.
 *
 * @returns Files for `deno test`
 */
export function suitesOf(files: readonly string[]): string[] {
  const rooms = Map.groupBy([...files].sort(), (file) => isAlone(file) ? file : roomOf(file));
  return [...rooms].flatMap(([room, all]) => {
    if (all.length === 1) return all;
    const count = Math.ceil(all.length / MAX_FILES);
    return Array.from({ length: count }, (_, i) => {
      const [from, to] = [i, i + 1].map((part) => Math.round(part * all.length / count));
      const imports = all.slice(from, to).map((file) =>
        `import "${pathToFileURL(ROOT + file)}";\n`
      );
      return writeSuite(`${room}_${i + 1}_test.ts`, imports.join(""));
    });
  });
}

const COMMENT = /\/\*\*[\s\S]*?\*\//g;
const EXAMPLE = /^```ts\n([\s\S]*?)^```/gm;
const IMPORT = /^import [\s\S]*?;\n/gm;

/** The examples of a page or a source, as modules with one test each, named by file and first line. */
function examplesOf(file: string): string[] {
  const text = Deno.readTextFileSync(ROOT + file);
  const prose = file.endsWith(".md")
    ? text
    : text.replace(COMMENT, (comment) => comment.replace(/^ *\* ?/gm, "")); // line numbers stay
  return [...prose.matchAll(EXAMPLE)].map(({ 1: code, index }) => {
    const name = `${file}:${prose.slice(0, index).split("\n").length + 1}`;
    const body = code.replace(IMPORT, "");
    return `${
      code.match(IMPORT)?.join("") ?? ""
    }Deno.test({ name: "${name}", async fn() {\n${body}} });\n`;
  });
}

/**
 * Writes one suite of all examples of pages and sources, which share a connection to the sample.
 *
 * @returns Files for `deno test`
 */
export function suiteOfExamples(files: readonly string[]): string[] {
  const paths = files.flatMap((file) =>
    examplesOf(file).map((text, i) => writeSuite(`${file}_${i + 1}.ts`, text))
  );
  if (paths.length === 0) return [];
  const imports = paths.map((path) => `import "${pathToFileURL(ROOT + path)}";\n`);
  return [writeSuite("examples_test.ts", imports.join(""))];
}
