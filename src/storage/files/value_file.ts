import { Buffer } from "node:buffer";
import { deserialize, serialize } from "node:v8";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Files } from "./files.ts";

/** Level of gzip: series of noise become hardly smaller by the slower ones. */
const LEVEL = 1;

/**
 * Stores a value as a file, for a process of the same program: objects, arrays, maps, numbers of all kinds, and arrays of
 * numbers bit by bit. What it has twice is stored once. No row names the file, which is removed after a day.
 *
 * @returns Its name, by its bytes: an equal value may have another, since V8 writes a whole number in two ways
 */
export async function putValue(files: Pick<Files, "put">, value: unknown): Promise<string> {
  return await files.put(gzipSync(serialize(value), { level: LEVEL }), "value");
}

/**
 * Reads such a file.
 *
 * @throws {DamagedFileError} If it is missing or damaged
 */
export async function readValue(files: Pick<Files, "read">, name: string): Promise<unknown> {
  return deserialize(gunzipSync(Buffer.from((await files.read(name)).buffer)));
}
