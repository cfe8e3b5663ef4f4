/** Runs notebooks without Jupyter: `deno task notebooks [FILES]`. */
import {
  CELL_TIMEOUT,
  checkCells,
  faultText,
  type NotebookOutcome,
  processNotebook,
  sideBySide,
} from "@vindkit/vindkit/notebook";
import { callerPath, command } from "./_command.ts";

const HELP =
  `Runs notebooks from top to bottom in Deno's own kernel, two at a time. A notebook fails where a cell throws, cannot be
compiled, shows an error, writes to stderr, takes too long, or ends the kernel.

deno task notebooks [FILES] [-p NAME=VALUE]... [--check] [--write] [--html DIR] [--timeout SECONDS]

  FILES              notebooks (default: notebooks/*.ipynb)
  -p NAME=VALUE      value of a parameter, declared in the cell with the tag "parameters"; may be given several times
  --check            also checks the types of the cells, and that the outputs in the file are those of the run; when
                     figures were fetched does not count
  --write            keeps the outputs in the file; those that say the same stay as they are
  --html DIR         writes one page a notebook, with the charts inside, that needs no network
  --timeout SECONDS  how long a cell may take (default: ${CELL_TIMEOUT / 1000})`;

const options = {
  param: { type: "string", short: "p", multiple: true },
  check: { type: "boolean" },
  write: { type: "boolean" },
  html: { type: "string" },
  timeout: { type: "string" },
} as const;

/** Notebooks under way at once: each has a kernel that uses a core. */
const AT_A_TIME = 2;

function parametersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(given.map((text) => {
    const [, name, value] = /^([^=]+)=([^]*)$/.exec(text) ?? [];
    if (name === undefined) throw new Error(`Cannot read -p "${text}": give NAME=VALUE`);
    return [name, value];
  }));
}

async function ownNotebooks(): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir("notebooks")) names.push(`notebooks/${name}`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names.filter((name) => name.endsWith(".ipynb")).sort();
}

function milliseconds(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  if (!(Number(seconds) > 0)) {
    throw new Error(`Cannot take --timeout ${seconds}: give a number of seconds above 0`);
  }
  return Number(seconds) * 1000;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

function tell({ path, cells, milliseconds, problems, written }: NotebookOutcome): void {
  const word = problems.length === 0 ? "ok    " : "FAILED";
  console.log(`${word} ${(milliseconds / 1000).toFixed(1).padStart(5)} s  ${path}, ${cells} cells`);
  for (const problem of problems) console.log(indented(problem));
  for (const file of written) console.log(`    ${file} written`);
}

await command(HELP, options, "any", async ({ text, texts, flag, rest }) => {
  const html = text("html");
  const pages = html === undefined ? undefined : callerPath(html);
  if (pages !== undefined) await Deno.mkdir(pages, { recursive: true });
  const paths = rest.length > 0 ? rest.map(callerPath) : await ownNotebooks();
  if (paths.length === 0) throw new Error("There is no notebook in notebooks/: name the files");
  const how = {
    parameters: parametersOf(texts("param")),
    timeout: milliseconds(text("timeout")),
    check: flag("check"),
    write: flag("write"),
    pages,
  };
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error("Stopped"));
  Deno.addSignalListener("SIGINT", stop);
  const { signal } = stopping;
  const outcomes = sideBySide(paths, AT_A_TIME, async (path) => {
    const outcome = await processNotebook(path, { ...how, signal });
    tell(outcome);
    return outcome.problems.length > 0;
  });
  const types = flag("check") ? checkCells(paths, { signal }) : Promise.resolve([]);
  // Nothing goes on when one of them cannot: a kernel would be left behind.
  for (const work of [outcomes, types]) work.catch(() => stopping.abort(new Error("Stopped")));
  const [ran, checked] = await Promise.allSettled([outcomes, types]);
  Deno.removeSignalListener("SIGINT", stop);
  if (ran.status === "rejected") throw ran.reason;
  if (checked.status === "rejected") throw checked.reason;
  const failed = paths.filter((path, i) => {
    const faults = checked.value[i] ?? [];
    if (faults.length > 0) console.log(`FAILED types of ${path}`);
    for (const fault of faults) console.log(indented(faultText(fault)));
    return ran.value[i] || faults.length > 0;
  });
  if (failed.length > 0) throw new Error(`${failed.length} of ${paths.length} notebooks failed`);
});
