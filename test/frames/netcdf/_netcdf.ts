import hdf5, { type Dataset } from "h5wasm";

/** Values of a variable. */
export type Values =
  | Float64Array
  | Float32Array
  | Int32Array
  | Int16Array
  | BigInt64Array
  | string[];

/** A variable, its shape and attributes. */
export interface Variable {
  data: Values;
  shape?: number[];
  /** Names of its dimensions, which are written as scales. @default none, as in a plain HDF5 file */
  dimensions?: readonly string[];
  attributes?: Record<string, string | number | Float32Array | Int16Array>;
}

/**
 * Builds a small NetCDF4 file in the memory of the HDF5 library.
 *
 * @param variables Its variables
 * @param options `grown`: a variable that declares a larger shape than it has values for
 */
export async function netcdfFile(
  variables: Record<string, Variable>,
  { grown }: { readonly grown?: { readonly name: string; readonly shape: readonly number[] } } = {},
): Promise<Uint8Array> {
  const { FS } = await hdf5.ready;
  const name = crypto.randomUUID();
  const made = new hdf5.File(name, "w");
  try {
    for (const [key, { data, shape, attributes = {} }] of Object.entries(variables)) {
      const lengths = shape ?? [data.length];
      const larger = grown?.name === key ? [...grown.shape] : undefined;
      const entry = made.create_dataset({
        name: key,
        data,
        shape: lengths,
        ...(larger ? { chunks: lengths, maxshape: larger, compression: 4 } : {}),
      });
      if (larger) entry.resize(larger);
      for (const [attribute, value] of Object.entries(attributes)) {
        entry.create_attribute(attribute, value);
      }
    }
    const dimensions = Object.entries(variables)
      .flatMap(([key, { dimensions = [] }]) =>
        dimensions.map((name, i) => [key, name, i] as const)
      );
    for (const name of new Set(dimensions.map(([, name]) => name))) {
      (made.get(name) as Dataset).make_scale(name);
    }
    for (const [key, name, i] of dimensions) {
      (made.get(key) as Dataset).attach_scale(i, `/${name}`);
    }
  } finally {
    made.close();
  }
  const bytes = FS.readFile(name) as Uint8Array;
  FS.unlink(name);
  return bytes;
}
