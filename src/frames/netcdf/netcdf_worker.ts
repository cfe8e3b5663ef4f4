/**
 * Reads one NetCDF4 file in a worker: the HDF5 library never returns on some damaged files, and a worker can be
 * terminated.
 *
 * @module
 */
import { parentPort } from "node:worker_threads";
import type { ErrorFacts } from "../../api/errors.ts";
import { type NetcdfGrid, readNetcdfGrid } from "./netcdf_grid.ts";

/** A file and its name, for messages. A buffer is copied at once; a view of it would be copied element by element. */
export interface NetcdfTask {
  readonly buffer: ArrayBufferLike;
  /** Position of the file in the buffer. */
  readonly offset: number;
  readonly length: number;
  /** Its name. */
  readonly file: string;
}

/** The grid, or the message of the error, with its facts. */
export type NetcdfResult =
  | { readonly grid: NetcdfGrid }
  | ErrorFacts & { readonly problem: string };

parentPort!.on("message", async ({ buffer, offset, length, file }: NetcdfTask) => {
  try {
    const grid = await readNetcdfGrid(new Uint8Array(buffer, offset, length), file);
    const { times, preliminary, variables } = grid;
    const arrays = [times, preliminary, ...[...variables.values()].map(({ values }) => values)];
    // Transferred instead of copied.
    const buffers = arrays.flatMap((array) => array ? [array.buffer as ArrayBuffer] : []);
    parentPort!.postMessage({ grid } satisfies NetcdfResult, buffers);
  } catch (error) {
    const { message: problem, ...facts } = error as Error;
    parentPort!.postMessage({ ...facts, problem } satisfies NetcdfResult);
  }
});
