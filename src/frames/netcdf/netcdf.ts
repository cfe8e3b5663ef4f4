import { Worker } from "node:worker_threads";
import { DataFormatError } from "../../api/errors.ts";
import { refuseFile } from "../files/read_file.ts";
import { MAX_NETCDF_BYTES, NETCDF_DEADLINE } from "../files/reader_limits.ts";
import type { NetcdfGrid } from "./netcdf_grid.ts";
import type { NetcdfResult, NetcdfTask } from "./netcdf_worker.ts";

/**
 * Reads a NetCDF4 file as the Climate Data Store delivers it.
 *
 * @param deadline Timeout, ms
 * @throws {DataFormatError} If it is not a NetCDF4 file, is damaged, beyond the limits of readers, or the timeout passes
 */
export async function readNetcdf(
  bytes: Uint8Array,
  file: string,
  deadline: number = NETCDF_DEADLINE.base + NETCDF_DEADLINE.perByte * bytes.length,
): Promise<NetcdfGrid> {
  const signature = String.fromCharCode(...bytes.subarray(0, 4));
  if (signature !== "\x89HDF") {
    const problem = signature.startsWith("PK")
      ? "it is a zip archive. Unzip it first"
      : signature.startsWith("CDF")
      ? "it is classic NetCDF. Request NetCDF4 from the Climate Data Store"
      : signature === "GRIB"
      ? "it is GRIB. Request NetCDF4 from the Climate Data Store"
      : "it is not a NetCDF4 file";
    refuseFile(file, problem);
  }
  if (bytes.length > MAX_NETCDF_BYTES) {
    const problem = `it has ${bytes.length} bytes, but the limit is ${MAX_NETCDF_BYTES}`;
    refuseFile(file, `${problem}. Download fewer years or points per file`);
  }
  // Deno's own Worker cannot be terminated while it computes. Node's can, but does not accept the address of a server.
  const module = new URL("./netcdf_worker.ts", import.meta.url);
  const worker = new Worker(
    module.protocol === "file:"
      ? module
      : new URL(`data:text/javascript,import ${JSON.stringify(module.href)}`),
    { env: {} }, // else it reads all environment variables, for which tasks have no permission
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const result = await new Promise<NetcdfResult>((resolve) => {
    const refuse = (problem: string) => resolve({ problem: `Cannot read ${file}: ${problem}` });
    worker.on("message", resolve);
    worker.on("error", (error: Error) => refuse(`the HDF5 reader failed (${error.message})`));
    timer = setTimeout(
      () =>
        refuse(
          `reading it took more than ${
            Math.round(deadline / 1000)
          } s, so it is probably damaged. Download it again`,
        ),
      deadline,
    );
    const { buffer, byteOffset: offset, length } = bytes;
    worker.postMessage({ buffer, offset, length, file } satisfies NetcdfTask);
  });
  clearTimeout(timer);
  await worker.terminate();
  if ("problem" in result) throw new DataFormatError(result.problem, result);
  return result.grid;
}
