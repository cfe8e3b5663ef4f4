import type { ErrorFacts } from "../api/errors.ts";
import type { NetcdfGrid } from "./netcdf_grid.ts";

/** A file and its name, for messages. Buffers are copied at once; what has a view is gone through element by element. */
export interface NetcdfTask {
  readonly buffer: ArrayBufferLike;
  /** Position of the file in the buffer. */
  readonly offset: number;
  readonly length: number;
  /** Its name. */
  readonly file: string;
}

/** An array as its buffer. */
interface PackedArray {
  readonly buffer: ArrayBuffer;
  readonly kind: "Uint8Array" | "Float32Array" | "Float64Array";
}

/** A grid with its arrays as buffers. */
export interface PackedGrid {
  readonly times: PackedArray;
  readonly latitudes: readonly number[];
  readonly longitudes: readonly number[];
  readonly skipped: readonly string[];
  readonly variables: readonly (readonly [name: string, unit: string, values: PackedArray])[];
  readonly preliminary?: PackedArray;
}

/** The grid, or the message of the error, with its facts. */
export type NetcdfResult =
  | { readonly grid: PackedGrid }
  | ErrorFacts & { readonly problem: string };

function pack(array: Uint8Array | Float32Array | Float64Array): PackedArray {
  const whole = array.byteLength === array.buffer.byteLength ? array : array.slice();
  return {
    buffer: whole.buffer as ArrayBuffer,
    kind: whole.constructor.name as PackedArray["kind"],
  };
}

/** Makes a grid ready to be sent. */
export function packGrid({ times, variables, preliminary, ...places }: NetcdfGrid): PackedGrid {
  return {
    ...places,
    times: pack(times),
    variables: [...variables].map(([name, { unit, values }]) => [name, unit, pack(values)]),
    ...(preliminary ? { preliminary: pack(preliminary) } : {}),
  };
}

/** Lists the buffers of a grid, so that they are handed over instead of copied. */
export function listBuffers({ times, variables, preliminary }: PackedGrid): ArrayBuffer[] {
  const arrays = [times, ...variables.map(([, , values]) => values), preliminary];
  return arrays.flatMap((array) => array ? [array.buffer] : []);
}

/** Reads a grid that was sent. */
export function unpackGrid({ times, variables, preliminary, ...places }: PackedGrid): NetcdfGrid {
  const floats = ({ buffer, kind }: PackedArray) =>
    kind === "Float32Array" ? new Float32Array(buffer) : new Float64Array(buffer);
  return {
    ...places,
    times: new Float64Array(times.buffer),
    variables: new Map(
      variables.map(([name, unit, values]) => [name, { unit, values: floats(values) }]),
    ),
    ...(preliminary ? { preliminary: new Uint8Array(preliminary.buffer) } : {}),
  };
}
