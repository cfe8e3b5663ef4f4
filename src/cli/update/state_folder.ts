import { sha256 } from "../../disk/sha256.ts";
import { homePath } from "../../home/home.ts";
import { formatStorage, type StorageAddress } from "../../service/storage_address.ts";
import { nameFailure } from "../../disk/name_failure.ts";

/** Characters of the hash that names a folder. */
const CHARACTERS = 16;

/**
 * Finds the folder of what updates keep beside the data: a data directory itself; for a shared storage one of this
 * machine below VINDKIT_HOME, which is created.
 *
 * @throws {Error} If the folder cannot be created
 */
export async function findStateFolder(data: StorageAddress): Promise<string> {
  if (typeof data === "string") return data;
  const name = sha256(new TextEncoder().encode(formatStorage(data))).slice(0, CHARACTERS);
  const folder = homePath("updates", name);
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 })
    .catch((cause) => Promise.reject(nameFailure(`create ${folder}`, cause)));
  return folder;
}
