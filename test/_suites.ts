/**
 * Suites: files that import several test files, or hold the examples of the docs. Each file that `deno test` is given begins
 * with nothing loaded and nothing compiled, which took a fifth of the time.
 *
 * @module
 */
import { pathToFileURL } from "node:url";

const ROOT = new URL("../", import.meta.url).pathname;

/** Where they are written. */
const SUITES = ".vindkit/suites";

/** Most files of a suite: fewer suites begin less often with nothing, more end at the same time on all cores. */
const MAX_FILES = 30;

/** Files that need a process in which the sample was not used: what has no source would be SYNTHETIC there. */
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

/** Whether a file is given to `deno test` as it is. */
const isAlone = (file: string) => UNMARKED.includes(file) || file.endsWith("_long_test.ts");

function writeSuite(name: string, text: string): string {
  Deno.mkdirSync(ROOT + SUITES, { recursive: true });
  const path = `${SUITES}/${name.replaceAll("/", "_")}`;
  Deno.writeTextFileSync(ROOT + path, text);
  return path;
}

/** What takes minutes, by a part of its name. */
const LONGEST = [
  ...["validation_long", "notebooks_long", "foreign_project", "contract_types", "schemathesis"],
  ...["jupyterlab", "rolling_restart", "report_in_browser", "site_long", "time_zone"],
  ...["check_cells", "same_bytes", "nbclient", "every_page", "start_page", "disk_full"],
];

/**
 * Writes a suite of each long test, the longest first: all cores are to end at the same time. Files that are given in several
 * folders would be run by folder.
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

/** The room that a test file is about: the folder below `test`. */
const roomOf = (file: string) => file.split("/").slice(0, -1)[1] ?? "test";

/**
 * Writes suites of test files, each of a part of a room.
 *
 * @returns What to give to `deno test`
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

/** The examples of a page or a source as modules with a test each, that is named by the file and its first line. */
function examplesOf(file: string): string[] {
  const text = Deno.readTextFileSync(ROOT + file);
  const prose = file.endsWith(".md")
    ? text
    : text.replace(COMMENT, (own) => own.replace(/^ *\* ?/gm, "")); // the lines stay where they are
  return [...prose.matchAll(EXAMPLE)].map(({ 1: code, index }) => {
    const name = `${file}:${prose.slice(0, index).split("\n").length + 1}`;
    const body = code.replace(IMPORT, "");
    return `${
      code.match(IMPORT)?.join("") ?? ""
    }Deno.test({ name: "${name}", async fn() {\n${body}} });\n`;
  });
}

/**
 * Writes a suite of the examples of pages and sources: of one process, which has one connection to the sample.
 *
 * @returns What to give to `deno test`
 */
export function suiteOfExamples(files: readonly string[]): string[] {
  const paths = files.flatMap((file) =>
    examplesOf(file).map((text, i) => writeSuite(`${file}_${i + 1}.ts`, text))
  );
  if (paths.length === 0) return [];
  const imports = paths.map((path) => `import "${pathToFileURL(ROOT + path)}";\n`);
  return [writeSuite("examples_test.ts", imports.join(""))];
}
