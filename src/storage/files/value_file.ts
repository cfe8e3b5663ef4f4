import { Buffer } from "node:buffer";
import { deserialize, serialize } from "node:v8";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Files } from "./files.ts";

/** Level of gzip: slower levels hardly shrink noisy series. */
const LEVEL = 1;

/**
 * Stores a value as a file, for a process of the same program: objects, arrays, maps, all numbers, and typed arrays bit
 * by bit. An object referenced twice is stored once. No row names the file, so it is removed after a day.
 *
 * @returns Its name, from its bytes: an equal value may have another name, because V8 writes whole numbers in two ways
 */
export async function putValue(files: Pick<Files, "put">, value: unknown): Promise<string> {
  return await files.put(gzipSync(serialize(value), { level: LEVEL }), "value");
}

/**
 * Reads a value from its file.
 *
 * @throws {DamagedFileError} If it is missing or damaged
 */
export async function readValue(files: Pick<Files, "read">, name: string): Promise<unknown> {
  return deserialize(gunzipSync(Buffer.from((await files.read(name)).buffer)));
}
