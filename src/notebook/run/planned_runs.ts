import { basename } from "node:path";
import { exists, ignoreMissing } from "../../disk/files.ts";
import { sha256 } from "../../disk/hashes.ts";
import { writeAtomically } from "../../disk/side_file.ts";
import { notebookPage } from "../page/notebook_page.ts";
import {
  type NotebookOutcome,
  notebookToRun,
  processNotebook,
  type RunNotebookOptions,
  type RunProgress,
} from "./run_notebook.ts";
import { type Progress, startProgress } from "../../show/progress.ts";

/** A run of a notebook with values of its own. */
export interface PlannedRun {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Name of its page: that of the notebook, and the values by which the runs differ. */
  readonly name: string;
}

/** Characters of a value that the name of its page does not have. */
const OTHERS = /[^\p{L}\p{N}._+-]+/gu;

/**
 * Plans a run for every combination of values; one run a notebook where there are none.
 *
 * @param fixed Values of other parameters, the same in all runs
 */
export function planRuns(
  paths: readonly string[],
  values: ReadonlyMap<string, readonly string[]>,
  fixed: Readonly<Record<string, string>>,
): PlannedRun[] {
  let combinations: Readonly<Record<string, string>>[] = [{}];
  for (const [name, own] of values) {
    combinations = combinations.flatMap((some) => own.map((value) => ({ ...some, [name]: value })));
  }
  return paths.flatMap((path) =>
    combinations.map((chosen) => ({
      path,
      parameters: { ...fixed, ...chosen },
      name: [
        basename(path, ".ipynb"),
        ...Object.values(chosen).map((value) => value.replaceAll(OTHERS, "-")),
      ].join("_"),
    }))
  );
}

/**
 * Runs a notebook for its page, unless the page is finished and was made of the same: a record beside it has the hash
 * of the notebook's text and code, and the parameters. The page of a run that fails has the error in its place.
 *
 * @param pages Existing folder of the pages
 * @returns `undefined` where the page is kept
 */
export async function resumeRun(
  { path, parameters, name }: PlannedRun,
  pages: string,
  options: RunNotebookOptions,
): Promise<NotebookOutcome | undefined> {
  const { cells } = await notebookToRun(path);
  const notebook = sha256(
    JSON.stringify(cells.map(({ cell_type, source }) => [cell_type, source])),
  );
  const record = JSON.stringify({ notebook, parameters });
  const place = `${pages}/${name}.json`;
  const known = await ignoreMissing(Deno.readTextFile(place));
  if (known === record && await exists(`${pages}/${name}.html`)) return undefined;
  await ignoreMissing(Deno.remove(place)); // of another page: this one is not finished
  const outcome = await processNotebook(path, {
    ...options,
    ...{ parameters, pages, pageName: name, failedPage: true },
  });
  if (outcome.problems.length === 0) {
    await writeAtomically(place, new TextEncoder().encode(record), { mode: 0o666 });
  }
  return outcome;
}

/** Writes a text so that Markdown shows it as it is, on one line. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[!-/:-@[-`{-~]/g, "\\$&");
}

/**
 * Renders the page that leads to the pages of runs, and says what failed first in each that did.
 *
 * @param problems What failed in each run
 */
export async function renderRunsIndex(
  runs: readonly PlannedRun[],
  problems: readonly (readonly string[])[],
): Promise<string> {
  const names = [...new Set(runs.flatMap(({ parameters }) => Object.keys(parameters)))];
  const failed = problems.filter(({ length }) => length > 0).length;
  const rows = runs.map(({ name, parameters }, i) => [
    `[${escapeMarkdown(name)}](<./${encodeURIComponent(name)}.html>)`,
    ...names.map((one) => escapeMarkdown(parameters[one])),
    escapeMarkdown([...problems[i].map((why) => `failed, ${why}`), "ok"][0].split("\n")[0]),
  ]);
  const head = ["page", ...names.map(escapeMarkdown), "outcome"];
  const table = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  const source = `# ${runs.length} runs, ${failed} failed\n\n${table.join("\n")}`;
  const markdown = { cell_type: "markdown", id: "runs", source } as const;
  const cell = { ...markdown, metadata: {}, outputs: [], executionCount: null };
  return await notebookPage({ metadata: {}, cells: [cell] });
}

const encoder = new TextEncoder();

/**
 * Shows the progress of runs of notebooks on standard error: on the last line of a terminal; elsewhere as a line for each
 * notebook as it begins.
 */
export class RunsDisplay implements Disposable {
  readonly #bar: Progress;
  readonly #terminal: boolean = Deno.stderr.isTerminal();
  readonly #running = new Map<string, RunProgress>();

  /**
   * Begins to show progress.
   *
   * @param cells Number of cells of all notebooks together
   */
  constructor(cells: number) {
    this.#bar = startProgress("Notebooks", { total: cells, unit: "cells" });
  }

  /**
   * Updates the progress of a notebook.
   *
   * @param path The notebook
   * @param progress As `onCell` gives it
   */
  cell(path: string, progress: RunProgress): void {
    if (progress.done) return;
    const before = this.#running.get(path);
    if (!before && !this.#terminal) console.error(`begins ${path}, ${progress.of} cells`);
    this.#running.set(path, progress);
    const places = [...this.#running].map(([path, { position, of }]) =>
      `${basename(path, ".ipynb")} ${position}/${of}`
    );
    this.#bar.say(places.join(", "));
    this.#bar.advance(progress.position - (before?.position ?? 1));
  }

  /**
   * Removes a notebook whose run has ended.
   *
   * @param path The notebook
   */
  end(path: string): void {
    const { position, of } = this.#running.get(path) ?? { position: 1, of: 0 };
    this.#running.delete(path);
    this.#bar.advance(of - position + 1);
  }

  /** Prints a text to standard output, above the progress line. */
  print(text: string): void {
    if (this.#terminal) Deno.stderr.writeSync(encoder.encode("\r\x1b[K"));
    console.log(text);
  }

  /** Removes the progress line. */
  [Symbol.dispose](): void {
    this.#bar.end();
  }
}
