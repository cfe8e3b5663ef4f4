import { runNotebook } from "../../src/notebook/run/run_notebook.ts";
import { jupyterCommand } from "../notebook/run/_jupyter.ts";
import { Folder } from "../notebook/_folder.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { shortest, timed } from "./_timing.ts";

/** Notebooks with little work in their cells, because the runner is measured. */
const NOTEBOOKS = ["one", "two", "three"].map((name) => ({
  name,
  cells: Array.from(
    { length: 8 },
    (_, i) => `const ${name}${i} = ${i};\nconsole.log(${name}${i});`,
  ),
}));

/** Number of runs; the best counts. */
const RUNS = 3;

async function succeed(
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args, env }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Measures the first chart of a notebook from the start of its kernel, on an existing sample. */
async function firstChart(folder: Folder): Promise<BenchmarkRow> {
  const path = await folder.notebook("chart", [
    'import { monthlyIndices, plotMonthlyIndices } from "@vindkit/vindkit";',
    'plotMonthlyIndices(await monthlyIndices("T1", { from: "2022-01", to: "2023-12" }))',
  ]);
  const run = async () => {
    const { notebook, faults } = await runNotebook(path);
    const drawn = notebook.cells[1].outputs.some((output) =>
      "data" in output && "image/svg+xml" in output.data
    );
    if (faults.length > 0 || !drawn) throw new Error(`Cannot draw: ${faults[0]?.message}`);
  };
  await run(); // creates the sample
  const time = await timed(run);
  return {
    what: "first chart from a cold start of the runner",
    measured: `${(time / 1000).toFixed(2)} s`,
    bound: "at most 3 s",
    holds: time <= 3000,
  };
}

/** Measures `deno task notebooks` against nbclient (`jupyter execute`) on the same three notebooks, and the time to the first chart. */
export async function runNotebooks(): Promise<BenchmarkRow[]> {
  await using folder = await Folder.make();
  const paths: string[] = [];
  for (const { name, cells } of NOTEBOOKS) paths.push(await folder.notebook(name, cells));
  // Both run as users start them: one command with the three files.
  const ours = await shortest(
    RUNS,
    () => succeed(Deno.execPath(), ["task", "--quiet", "notebooks", ...paths], {}),
  );
  const jupyter = await jupyterCommand();
  const chart = await firstChart(folder);
  const what = "run three small notebooks";
  const seconds = `${(ours / 1000).toFixed(2)} s`;
  if (!jupyter) {
    const bound = "nbclient left out: no Jupyter here";
    return [{ what, measured: seconds, bound, holds: true }, chart];
  }
  await Deno.mkdir(`${folder.path}/kernels/deno`, { recursive: true });
  const argv = [Deno.execPath(), "jupyter", "--kernel", "--conn", "{connection_file}"];
  const spec = { argv, display_name: "Deno", language: "typescript" };
  await Deno.writeTextFile(`${folder.path}/kernels/deno/kernel.json`, JSON.stringify(spec));
  const theirs = await shortest(
    RUNS,
    () =>
      succeed(jupyter, ["execute", "--kernel_name=deno", ...paths], {
        JUPYTER_DATA_DIR: folder.path,
      }),
  );
  return [{
    what,
    measured: `${seconds}; jupyter execute takes ${(theirs / 1000).toFixed(2)} s`,
    bound: "less than half its time",
    holds: ours < theirs / 2,
  }, chart];
}
