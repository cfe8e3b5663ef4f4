import { ArgumentError } from "../api/errors.ts";

/** A file that is to stand somewhere. */
export interface FileToPlace {
  /** Where. */
  readonly path: string;
  /** Its content. */
  readonly bytes: Uint8Array;
}

/** What refuses a path that is taken. */
function taken(path: string): ArgumentError {
  return new ArgumentError(
    `Cannot save ${path}: a file of that name is there. Choose another name, or give overwrite: true`,
  );
}

/**
 * Puts files in their places so that a reader sees the old content or the new, never a part: all are written to the
 * side and brought to the disk, then each takes its name.
 *
 * @param files The files; the first one is what the others belong to
 * @param overwrite Whether one that is there is replaced
 * @throws {ArgumentError} If one is there and is not to be replaced; nothing is changed then
 */
export async function placeFiles(files: readonly FileToPlace[], overwrite: boolean): Promise<void> {
  if (!overwrite) {
    for (const { path } of files) if (await isThere(path)) throw taken(path);
  }
  const sides = files.map(({ path }) => `${path}.${crypto.randomUUID()}.part`);
  try {
    for (const [i, { bytes }] of files.entries()) await writeToDisk(sides[i], bytes);
    for (const [i, { path }] of files.entries()) {
      if (overwrite) await Deno.rename(sides[i], path);
      else await takeName(sides[i], path);
    }
  } finally {
    for (const side of sides) await Deno.remove(side).catch(() => {}); // most have their name by now
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function writeToDisk(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true });
  for (let written = 0; written < bytes.length;) {
    written += await file.write(bytes.subarray(written));
  }
  await file.sync();
}

/** Gives a file its name unless somebody else has taken it meanwhile. */
async function takeName(side: string, path: string): Promise<void> {
  try {
    await Deno.link(side, path);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw taken(path);
    await Deno.rename(side, path); // some disks, such as sticks, know no links
  }
}
