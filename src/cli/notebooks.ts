import { basename } from "node:path";
import { pooledMap } from "@std/async";
import {
  CELL_TIMEOUT,
  checkCells,
  faultText,
  installKernelspec,
  jupyterDataFolder,
  KERNEL_NAME,
  type NotebookOutcome,
  notebookToRun,
  processNotebook,
  removeKernelspec,
  type RunProgress,
  RunsDisplay,
} from "../notebook/mod.ts";
import { ignoreMissing, listFolder } from "../disk/files.ts";
import { callerPath } from "./command/arguments.ts";
import { type Command, MisuseError, PROGRAM } from "./command/command.ts";

/** Number of notebooks that run at the same time: each has a kernel that uses a core. */
const AT_A_TIME = 2;

function readParameters(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text) => {
    const [, name, value] = /^([^=]+)=([^]*)$/.exec(text) ?? [];
    if (name === undefined) {
      throw new MisuseError(
        `Cannot read -p "${text}": the name or "=" is missing. Give NAME=VALUE`,
      );
    }
    return [name, value];
  }));
}

async function listNotebooks(): Promise<string[]> {
  return await ignoreMissing(listFolder("notebooks", /\.ipynb$/)) ?? [];
}

function readTimeout(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  if (!(Number(seconds) > 0)) {
    throw new MisuseError(
      `Cannot use --timeout ${seconds}: it is not a number above 0. Give a number of seconds, such as 60`,
    );
  }
  return Number(seconds) * 1000;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

function formatOutcome(outcome: NotebookOutcome): string {
  const { path, cells, milliseconds, problems, written } = outcome;
  const word = problems.length === 0 ? "ok    " : "FAILED";
  const seconds = (milliseconds / 1000).toFixed(1).padStart(5);
  return [
    `${word} ${seconds} s  ${path}, ${cells} cells`,
    ...problems.map(indent),
    ...written.map((file) => `    ${file} written`),
  ].join("\n");
}

function refuseSamePages(paths: readonly string[]): void {
  for (const [name, same] of Map.groupBy(paths, (path) => basename(path, ".ipynb"))) {
    if (same.length > 1) {
      throw new Error(
        `Cannot write the pages of ${
          same.join(" and ")
        }: each page would be called ${name}.html. Rename one of the notebooks`,
      );
    }
  }
}

/** Runs notebooks two at a time, and reports the failures of each. */
export const notebooks: Command = {
  forms: ["[FILES] [OPTIONS]"],
  arguments: { FILES: "notebooks (default: notebooks/*.ipynb)" },
  options: {
    param: {
      short: "p",
      value: "NAME=VALUE",
      multiple: true,
      about:
        'value of a parameter, declared in the cell with the tag "parameters"; may be repeated',
    },
    check: {
      about: "also checks the types of the cells and compares the outputs in the file with the " +
        "outputs of the run, except the times at which figures were fetched",
    },
    write: { about: "stores the outputs in the file; unchanged outputs stay as they are" },
    html: {
      value: "DIR",
      about: "writes one page for each notebook; it contains the charts and needs no network",
    },
    timeout: {
      value: "SECONDS",
      about: `seconds that a cell may take (default: ${CELL_TIMEOUT / 1000})`,
    },
  },
  example: "notebooks/1_first_look.ipynb --html out",
  notes: [
    "Notebooks run in Deno's own kernel, two at a time. A notebook fails if a cell throws, cannot be compiled, shows an " +
    "error, writes to stderr, takes too long, or ends the kernel (more in docs/notebooks.md).",
  ],
  resume: "The lines above list the finished notebooks. No other file has changed. To run the " +
    "remaining notebooks, name them.",
  async run(args) {
    const { text, texts, flag, rest } = args;
    const html = text("html");
    const pages = html === undefined ? undefined : callerPath(html);
    if (pages !== undefined) await Deno.mkdir(pages, { recursive: true });
    const paths = rest.length > 0 ? rest.map(callerPath) : await listNotebooks();
    if (paths.length === 0) {
      throw new Error("Cannot find notebooks: the folder notebooks/ has none. Name the files");
    }
    const parameters = readParameters(texts("param"));
    const timeout = readTimeout(text("timeout"));
    const how = { timeout, check: flag("check"), write: flag("write"), parameters, pages };
    if (pages !== undefined) refuseSamePages(paths);
    // Report notebooks that cannot run before any other runs.
    let cells = 0;
    for (const path of paths) cells += (await notebookToRun(path, parameters)).cells.length;
    const stopping = new AbortController();
    const signal = AbortSignal.any([args.signal, stopping.signal]);
    using display = new RunsDisplay(cells);
    const outcomes = Array.fromAsync(pooledMap(AT_A_TIME, paths, async (path) => {
      const onCell = (progress: RunProgress) => display.cell(path, progress);
      const outcome = await processNotebook(path, { ...how, signal, onCell });
      display.end(path);
      display.print(formatOutcome(outcome));
      return outcome.problems;
    }));
    const types = flag("check") ? checkCells(paths, { signal }) : Promise.resolve([]);
    // If one fails, stop the other too: its kernel would keep running.
    for (const work of [outcomes, types]) work.catch(() => stopping.abort(new Error("Stopped")));
    const [ran, checked] = await Promise.allSettled([outcomes, types]);
    if (ran.status === "rejected") throw (ran.reason as AggregateError).errors[0];
    if (checked.status === "rejected") throw checked.reason;
    const failed = paths.filter((path, i) => {
      const faults = checked.value[i] ?? [];
      if (faults.length > 0) {
        display.print(
          [`FAILED type check of ${path}`, ...faults.map(faultText).map(indent)].join("\n"),
        );
      }
      return ran.value[i].length > 0 || faults.length > 0;
    });
    if (failed.length > 0) throw new Error(`${failed.length} of ${paths.length} notebooks failed`);
  },
};

const NEXT = `
JupyterLab: jupyter lab, then choose "Vindkit (Deno)" in the launcher
            (if it is missing: pip install jupyterlab)
VS Code:    open a notebook, "Select Kernel", "Jupyter Kernel...", "Vindkit (Deno)"
            (with the extension "Jupyter")
Terminal:   jupyter execute --kernel_name=${KERNEL_NAME} FILE, or without Jupyter: ${PROGRAM} notebooks FILE`;

/** Installs the kernel "Vindkit (Deno)" for Jupyter, or removes it. */
export const kernel: Command = {
  forms: ["[--to DIR]", "--remove [--to DIR]"],
  options: {
    to: {
      value: "DIR",
      about: "Jupyter's data folder (default: JUPYTER_DATA_DIR, else the user's data folder)",
    },
    remove: { about: "removes the kernel" },
  },
  example: "",
  notes: [
    "Notebooks in any folder of this user can then import @vindkit/vindkit. The kernel uses this Deno and this library " +
    "in their present folders. If you move or update Deno or the library, install the kernel again. The kernel contains no keys; it reads VINDKIT_URL and VINDKIT_KEY from the environment of Jupyter.",
  ],
  async run({ text, flag }) {
    const to = text("to");
    const dataFolder = to === undefined ? jupyterDataFolder() : callerPath(to);
    if (!flag("remove")) {
      console.log(`Installed in ${await installKernelspec(dataFolder)}\n${NEXT}`);
      return;
    }
    const folder = await removeKernelspec(dataFolder);
    console.log(
      folder ? `Removed ${folder}` : `The kernel is not installed in ${dataFolder}`,
    );
  },
};
