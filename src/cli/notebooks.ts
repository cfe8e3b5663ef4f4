import { pooledMap } from "@std/async";
import {
  CELL_TIMEOUT,
  checkCells,
  faultText,
  type NotebookOutcome,
  notebookToRun,
  type PlannedRun,
  planRuns,
  processNotebook,
  renderRunsIndex,
  resumeRun,
  type RunProgress,
  RunsDisplay,
  writeChanged,
} from "../notebook/mod.ts";
import { ignoreMissing, listFolder } from "../disk/files.ts";
import { callerPath } from "./command/arguments.ts";
import { type Command, MisuseError } from "./command/command.ts";

/** Notebooks under way at once: each has a kernel that uses a core. */
const AT_A_TIME = 2;

function readParameters(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(given.map((text) => {
    const [, name, value] = /^([^=]+)=([^]*)$/.exec(text) ?? [];
    if (name === undefined) throw new MisuseError(`Cannot read -p "${text}": give NAME=VALUE`);
    return [name, value];
  }));
}

/** The values of `--for`, by the parameter that they are of. */
function readValues(given: readonly string[], fixed: Readonly<Record<string, string>>) {
  const values = new Map<string, string[]>();
  for (const text of given) {
    const [, name, list] = /^([^=]+)=([^,]+(?:,[^,]+)*)$/.exec(text) ?? [];
    if (name === undefined || values.has(name) || Object.hasOwn(fixed, name)) {
      throw new MisuseError(
        `Cannot read --for "${text}": give NAME=VALUE,VALUE, each parameter once, also with -p`,
      );
    }
    values.set(name, [...new Set(list.split(",").map((value) => value.trim()))]);
  }
  return values;
}

async function listNotebooks(): Promise<string[]> {
  return await ignoreMissing(listFolder("notebooks", /\.ipynb$/)) ?? [];
}

function readTimeout(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  if (!(Number(seconds) > 0)) {
    throw new MisuseError(`Cannot take --timeout ${seconds}: give a number of seconds above 0`);
  }
  return Number(seconds) * 1000;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

function formatOutcome(name: string, outcome: NotebookOutcome): string {
  const { cells, milliseconds, problems, written } = outcome;
  const word = problems.length === 0 ? "ok    " : "FAILED";
  const seconds = (milliseconds / 1000).toFixed(1).padStart(5);
  return [
    `${word} ${seconds} s  ${name}, ${cells} cells`,
    ...problems.map(indent),
    ...written.map((file) => `    ${file} written`),
  ].join("\n");
}

function refuseSamePages(runs: readonly PlannedRun[]): void {
  for (const [name, same] of Map.groupBy(runs, ({ name }) => name)) {
    if (same.length > 1) {
      const all = same.map(({ path, parameters }) =>
        [path, ...Object.values(parameters)].join(" ")
      );
      throw new Error(
        `Cannot write one page of ${all.join(" and ")}: both are called ${name}.html`,
      );
    }
  }
}

/** Runs notebooks two at a time, and reports what failed in each. */
export const notebooks: Command = {
  forms: ["[FILES] [OPTIONS]"],
  arguments: { FILES: "notebooks (default: notebooks/*.ipynb)" },
  options: {
    param: {
      short: "p",
      value: "NAME=VALUE",
      multiple: true,
      about: 'value of a parameter, declared in the cell with the tag "parameters"; may be given ' +
        "several times",
    },
    for: {
      value: "NAME=A,B",
      multiple: true,
      about: "a run and a page for each value of a parameter; of several, for every combination",
    },
    check: {
      about:
        "also checks the types of the cells, and compares the outputs in the file with those " +
        "of the run, except the times at which figures were fetched",
    },
    write: { about: "stores the outputs in the file; unchanged ones stay as they are" },
    html: {
      value: "DIR",
      about: "writes one page a notebook, with the charts inside, that needs no network",
    },
    timeout: {
      value: "SECONDS",
      about: `how long a cell may take (default: ${CELL_TIMEOUT / 1000})`,
    },
  },
  example: "notebooks/1_first_look.ipynb --html out",
  notes: [
    "They run in Deno's own kernel, two at a time. A notebook fails where a cell throws, cannot be compiled, shows an " +
    "error, writes to stderr, takes too long, or ends the kernel (more in docs/notebooks.md).",
    "With --for the pages have the values in their names, DIR/index.html leads to them. The page of a failed run shows " +
    "the error in its place. A finished page is kept as long as notebook and values are the same.",
  ],
  rest: "any",
  resume: "Notebooks that have ended are reported above, no other file is changed: name the rest " +
    "to run them. With --for give the same command again: it keeps the finished pages.",
  async run(given) {
    const { text, texts, flag, rest } = given;
    const html = text("html");
    const pages = html === undefined ? undefined : callerPath(html);
    if (pages !== undefined) await Deno.mkdir(pages, { recursive: true });
    const paths = rest.length > 0 ? rest.map(callerPath) : await listNotebooks();
    if (paths.length === 0) throw new Error("There is no notebook in notebooks/: name the files");
    const parameters = readParameters(texts("param"));
    const values = readValues(texts("for"), parameters);
    if (values.size > 0 && (pages === undefined || flag("write") || flag("check"))) {
      throw new MisuseError(
        "Cannot use --for without --html, or with --write or --check: it makes pages, and give their folder",
      );
    }
    const many = values.size > 0 ? pages : undefined;
    const timeout = readTimeout(text("timeout"));
    const how = { timeout, check: flag("check"), write: flag("write") };
    const runs = planRuns(paths, values, parameters);
    if (pages !== undefined) refuseSamePages(runs);
    // What cannot be run is reported before anything runs.
    let cells = 0;
    for (const { path, parameters } of runs) {
      cells += (await notebookToRun(path, parameters)).cells.length;
    }
    const stopping = new AbortController();
    const signal = AbortSignal.any([given.signal, stopping.signal]);
    using display = new RunsDisplay(cells);
    const outcomes = Array.fromAsync(pooledMap(AT_A_TIME, runs, async (run) => {
      const { path, parameters } = run;
      const name = many === undefined ? path : run.name;
      const onCell = (progress: RunProgress) => display.cell(name, progress);
      const outcome = many === undefined
        ? await processNotebook(path, { ...how, parameters, pages, signal, onCell })
        : await resumeRun(run, many, { timeout, signal, onCell });
      display.end(name);
      display.print(outcome ? formatOutcome(name, outcome) : `kept            ${name}`);
      return outcome?.problems ?? [];
    }));
    const types = flag("check") ? checkCells(paths, { signal }) : Promise.resolve([]);
    // When one fails the other is stopped: a kernel would go on running.
    for (const work of [outcomes, types]) work.catch(() => stopping.abort(new Error("Stopped")));
    const [ran, checked] = await Promise.allSettled([outcomes, types]);
    if (ran.status === "rejected") throw (ran.reason as AggregateError).errors[0];
    if (checked.status === "rejected") throw checked.reason;
    if (many !== undefined) {
      await writeChanged(`${many}/index.html`, await renderRunsIndex(runs, ran.value));
    }
    const failed = runs.filter(({ path }, i) => {
      const faults = checked.value[i] ?? [];
      if (faults.length > 0) {
        display.print(
          [`FAILED types of ${path}`, ...faults.map(faultText).map(indent)].join("\n"),
        );
      }
      return ran.value[i].length > 0 || faults.length > 0;
    });
    if (failed.length > 0) throw new Error(`${failed.length} of ${runs.length} notebooks failed`);
  },
};
