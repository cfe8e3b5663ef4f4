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

export { type CellFault, faultText } from "./run/cell_fault.ts";
export { checkCells, type CheckCellsOptions } from "./run/check_cells.ts";
export {
  compareOutputs,
  differenceText,
  type OutputDifference,
  withKeptOutputs,
} from "./document/compare_outputs.ts";
export {
  installKernelspec,
  jupyterDataFolder,
  KERNEL_NAME,
  removeKernelspec,
} from "./kernel/kernelspec.ts";
export type { Content } from "./wire/kernel_message.ts";
export {
  type Cell,
  type NotebookDocument,
  readNotebook,
  readNotebookFile,
  writeNotebook,
} from "./document/notebook_document.ts";
export { notebookPage, type NotebookPageOptions } from "./page/notebook_page.ts";
export type { MimeBundle, Output } from "./document/outputs.ts";
export type { Parameters } from "./document/parameters.ts";
export {
  type NotebookOutcome,
  processNotebook,
  type ProcessNotebookOptions,
} from "./run/process_notebook.ts";
export {
  CELL_TIMEOUT,
  type CellRun,
  type NotebookRun,
  notebookToRun,
  runNotebook,
  type RunNotebookOptions,
  type RunProgress,
} from "./run/run_notebook.ts";
export { RunsDisplay } from "./run/runs_display.ts";
export { sideBySide } from "./run/side_by_side.ts";

// The kernelspec runs this module: only exports of a package have an address.
if (import.meta.main) Deno.exit(await launchKernel(Deno.args[0]));
