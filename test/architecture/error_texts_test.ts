/** Code may decide only by the class, code and facts of an error (N1). Its text is for people, and may change. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import * as vindkit from "@vindkit/vindkit";
import { VindkitError } from "../../src/api/errors.ts";
import { JobError } from "../../src/storage/jobs/job.ts";
import { blanked, lineAt } from "./_imports.ts";

const root = new URL("../../", import.meta.url);

/** Names of variables and properties with the text of an error or of a failed process. */
const TEXT = "(?:message|problem|fault|hint|title|detail|evalue|reason|stderr|err|how)";

/** Names whose comparison with a text is a read. */
const COMPARED = String.raw`(?:\w+[?!]?\.)*\b(?:message|evalue|stderr)\b`;

/** Patterns of decisions by a text, in sources with blanked comments, strings and regular expressions. */
const reads = [
  String
    .raw`\b${TEXT}\)*[?!]?\.(?:includes|startsWith|endsWith|match|matchAll|search|split|indexOf)\(`,
  String.raw`\.(?:test|exec)\([^()]*(?:\([^()]*\)[^()]*)*\b${TEXT}\b`,
  String.raw`${COMPARED} [!=]==(?! (?:undefined|null|""))`,
  String.raw`[!=]== ${COMPARED}(?![.(])`,
  String.raw`\bswitch \(${COMPARED}\)`,
].map((pattern) => new RegExp(pattern, "g"));

/** Allowed reads of a text: file, count and reason. All but the first three turn errors of other programs into codes or classes. */
const allowed: Readonly<Record<string, readonly [times: number, reason: string]>> = {
  "src/api/errors.ts": [2, "it puts message and hint together"],
  "src/api/error_text.ts": [2, "it takes the hint, which is a fact, off the message"],
  "src/analysis/check_quality/summary.ts": [
    1,
    "it takes the remedy, which the kind of a finding has, off its message",
  ],
  "src/sites/declaration/site_file.ts": [
    1,
    "one fault of our schema names several fields, and each gets its line",
  ],
  "src/cli/command/run_command.ts": [
    1,
    "the parser of Node says only in words which option is unknown",
  ],
  "src/client/http/fetch_answer.ts": [
    2,
    "a service gives a sentence alone: one that asks has its hint, the condition is not said twice",
  ],
  "src/era5/cds_errors.ts": [
    3,
    "the Climate Data Store has one status for several refusals, and names the page of a licence in a text",
  ],
  "src/era5/fetch_from_open_meteo.ts": [1, "Open-Meteo has no code for a wrong key"],
  "src/frames/cells/sheet_cells.ts": [1, "hucre says only in words how wide a sheet is"],
  "src/frames/netcdf/netcdf_grid.ts": [2, "HDF5 gives the stack of its calls, the cause last"],
  "src/frames/files/parquet.ts": [
    1,
    "Polars says more than is wanted below the first line",
  ],
  "src/notebook/kernel/kernel.ts": [
    3,
    "Deno's kernel names the cause of its end so, and has no code for what it cannot compile",
  ],
  "src/storage/failures/failure_log.ts": [1, "Deno has no class for a full table of descriptors"],
  "src/storage/failures/is_passing.ts": [2, "node:sqlite and pg have no code for some failures"],
  "src/machines/s3/store_error.ts": [1, "Deno has no code for a certificate"],
  "src/machines/queue/open_boss.ts": [1, "what pg-boss says again is not logged again"],
  "src/storage/store/sqlite/sqlite_engine.ts": [2, "node:sqlite has no code for some failures"],
};

async function* sources(folder: string): AsyncGenerator<readonly [path: string, text: string]> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) yield* sources(`${folder}${name}/`);
    else if (/\.(ts|js)$/.test(name)) {
      yield [folder + name, await Deno.readTextFile(new URL(folder + name, root))];
    }
  }
}

/** Lines of a source that decide by the text of an error. */
function findReads(text: string): string[] {
  const code = blanked(text);
  const lines = reads.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(({ index }) => lineAt(code, index))
  );
  return [...new Set(lines)].sort((a, b) => a - b)
    .map((line) => `${line}: ${text.split("\n")[line - 1].trim()}`);
}

/** The declared codes. */
async function readCodes(): Promise<string[]> {
  const text = await Deno.readTextFile(new URL("src/api/errors.ts", root));
  return [...text.matchAll(/^ {2}\/\*\* .+\*\/\n {2}\| "(\w+)"/gm)].map(([, code]) => code);
}

describe("the text of an error", () => {
  it("N1: is found where it decides", () => {
    for (
      const line of [
        'if (error.message.includes("is duplicated")) retry();',
        'if ((error as Error).message.startsWith("Cannot")) retry();',
        "causes.find(({ pattern }) => pattern.test(message));",
        "const [, place] = /line/.exec((cause as Error).message) ?? [];",
        'if (error.message === "no rows") return;',
        'if ("no rows" === message) return;',
        'const [found] = error.message.split(". Give ");',
        'if (how.includes("AddrInUse")) retry();',
        "switch (reply.evalue) {}",
      ]
    ) assertEquals(findReads(line).length, 1, line);
    for (
      const line of [
        "throw new Error(`${message}. ${hint}`);",
        "// error.message.includes",
        'message = message.replaceAll(path, "");',
        "if (problem !== undefined) refuse(problem);",
        'if (error.code === "time_zone") retry();',
      ]
    ) assertEquals(findReads(line), [], line);
  });

  it("N1: decides nothing, but where others have no code", async () => {
    const readsByFile: Record<string, number> = {};
    const breaches: string[] = [];
    for await (const [path, text] of sources("src/")) {
      const lines = findReads(text);
      if (lines.length > 0) readsByFile[path] = lines.length;
      if (lines.length > (allowed[path]?.[0] ?? 0)) {
        breaches.push(...lines.map((line) => `${path}:${line}`));
      }
    }
    assertEquals(
      breaches,
      [],
      `Decide by code, class or a fact of the error:\n${breaches.join("\n")}`,
    );
    assertEquals(
      readsByFile,
      Object.fromEntries(Object.entries(allowed).map(([path, [times]]) => [path, times])),
    );
  });
});

describe("the codes of errors", () => {
  it("N1: are each that of a class, or given to an error", async () => {
    const codes = await readCodes();
    assertEquals(new Set(codes).size, codes.length);
    const classes = [...Object.values(vindkit), JobError].filter((value) =>
      typeof value === "function" &&
      (value === VindkitError || value.prototype instanceof VindkitError)
    ) as (typeof VindkitError)[];
    const failure = { turbineId: "T1", error: new VindkitError("no") };
    const ofClasses = classes.map((kind) =>
      Reflect.construct(kind, kind.name === "PartialError" ? [[failure], 1] : ["no"]).code
    );
    assertEquals(ofClasses.filter((code) => !codes.includes(code)), []);
    let all = "";
    for await (const [path, text] of sources("src/")) if (path !== "src/api/errors.ts") all += text;
    const finer = codes.filter((code) => !ofClasses.includes(code));
    assert(finer.length > 10);
    assertEquals(finer.filter((code) => !all.includes(`"${code}"`)), []);
  });

  it("N1: are declared of each class, also of one that only our own files know", async () => {
    const codes = await readCodes();
    const classes = new Map<
      string,
      { readonly base: string; readonly shown?: string | undefined }
    >();
    for await (const [, text] of sources("src/")) {
      for (const [, name, base, body] of text.matchAll(/class (\w+) extends (\w+) \{([^}]*)/g)) {
        const [, shown] = /override (?:readonly )?name = "(\w+)"/.exec(body) ?? [];
        classes.set(name, { base, shown });
      }
    }
    const isOurs = (name: string): boolean => {
      const base = classes.get(name)?.base;
      return base === "VindkitError" || base !== undefined && isOurs(base);
    };
    const ours = [...classes.keys()].filter(isOurs);
    assert(ours.includes("ArgumentError") && ours.includes("LostJobError"), ours.join());
    /** The name that errors of a class show: the class name, or an override by it or a base class. */
    const shownAs = (name: string): string => {
      for (let at = name; isOurs(at); at = classes.get(at)!.base) {
        const { shown } = classes.get(at)!;
        if (shown !== undefined) return shown;
      }
      return name;
    };
    const missing = ours.filter((name) => {
      const error = new VindkitError("no");
      error.name = shownAs(name);
      return !codes.includes(error.code);
    });
    assertEquals(missing, []);
  });
});
