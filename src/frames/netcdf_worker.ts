/**
 * Reads one NetCDF4 file in a worker: the HDF5 library finds no end in some damaged files, and a worker can be ended.
 *
 * @module
 */
import { parentPort } from "node:worker_threads";
import { type NetcdfGrid, readNetcdfGrid } from "./netcdf_grid.ts";

/** A file and its name, for messages. */
export interface NetcdfTask {
  /** The file. */
  readonly bytes: Uint8Array;
  /** Its name. */
  readonly file: string;
}

/** The grid, or the message of the error. */
export type NetcdfResult = { readonly grid: NetcdfGrid } | { readonly problem: string };

parentPort!.on("message", async ({ bytes, file }: NetcdfTask) => {
  let result: NetcdfResult;
  try {
    result = { grid: await readNetcdfGrid(bytes, file) };
  } catch (error) {
    result = { problem: (error as Error).message };
  }
  parentPort!.postMessage(result);
});
