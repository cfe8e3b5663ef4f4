/**
 * Reads one NetCDF4 file in a worker: the HDF5 library finds no end in some damaged files, and a worker can be ended.
 *
 * @module
 */
import { parentPort } from "node:worker_threads";
import { readNetcdfGrid } from "./netcdf_grid.ts";
import { listBuffers, type NetcdfResult, type NetcdfTask, packGrid } from "./netcdf_message.ts";

parentPort!.on("message", async ({ buffer, offset, length, file }: NetcdfTask) => {
  try {
    const grid = packGrid(await readNetcdfGrid(new Uint8Array(buffer, offset, length), file));
    parentPort!.postMessage({ grid } satisfies NetcdfResult, listBuffers(grid));
  } catch (error) {
    const { message: problem, ...facts } = error as Error;
    parentPort!.postMessage({ ...facts, problem } satisfies NetcdfResult);
  }
});
