/**
 * Notebooks without Jupyter: runs them in Deno's own kernel, checks their types and their outputs, writes them as pages,
 * and installs a kernel whose code can import this library.
 *
 * @example A notebook with a value for one of its parameters
 * ```ts ignore
 * import { faultText, runNotebook } from "@vindkit/vindkit/notebook";
 *
 * const run = await runNotebook("notebooks/8_from_notebook_to_script.ipynb", { parameters: { turbine: "T2" } });
 * for (const fault of run.faults) console.error(faultText(fault));
 * ```
 *
 * @module
 */
import { launchKernel } from "./jupyter/launch_kernel.ts";

export { type CellFault, faultText } from "./run/check_cells.ts";
export { checkCells, type CheckCellsOptions } from "./run/check_cells.ts";
export {
  compareOutputs,
  differenceText,
  type OutputDifference,
} from "./document/compare_outputs.ts";
export { type NotebookDocument, readNotebookFile } from "./document/notebook_document.ts";
export { notebookPage, type NotebookPageOptions } from "./page/notebook_page.ts";
export {
  type NotebookOutcome,
  processNotebook,
  type ProcessNotebookOptions,
} from "./run/run_notebook.ts";
export { type NotebookRun, runNotebook, type RunNotebookOptions } from "./run/run_notebook.ts";

// The kernelspec runs this module, because only exports of a package have an address.
if (import.meta.main) Deno.exit(await launchKernel(Deno.args[0]));
