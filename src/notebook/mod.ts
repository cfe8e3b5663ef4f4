/**
 * The public entry, plus functions only for our own commands.
 *
 * @module
 */
export * from "./entry.ts";
export {
  installKernelspec,
  jupyterDataFolder,
  KERNEL_NAME,
  removeKernelspec,
} from "./kernel/kernelspec.ts";
export { pageStyles, renderNotebook } from "./page/notebook_page.ts";
export { CELL_TIMEOUT, notebookToRun, type RunProgress } from "./run/run_notebook.ts";
export { RunsDisplay } from "./run/runs_display.ts";
