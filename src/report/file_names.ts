import { sha256 } from "../disk/sha256.ts";

/** Names that every file system and address takes unchanged, and no shell takes for an option. */
const PLAIN = /^[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/;

/** Names that Windows reserves for devices, whatever follows after a dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Longest identifier that is its own file name, characters. */
const MAX_LENGTH = 60;

/** Hash of an identifier; a lone surrogate has no UTF-8 of its own. */
function hashId(id: string): string {
  return sha256(JSON.stringify(id));
}

/**
 * Gives each turbine a file name that is safe everywhere and unique, also where case is ignored: a plain identifier is its
 * own name, any other one is cleaned and ends with the beginning of its hash.
 */
export class FileNames {
  readonly #taken = new Set<string>();

  /** Name of a turbine's files, without extension. Call it once for each turbine. */
  of(id: string): string {
    const hashed = () => {
      const cleaned = id.slice(0, 200).replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
      return `${cleaned.slice(0, 40) || "turbine"}-${hashId(id).slice(0, 10)}`;
    };
    const plain = id.length <= MAX_LENGTH && PLAIN.test(id) && !DEVICE.test(id);
    let name = plain ? id : hashed();
    if (this.#taken.has(name.toLowerCase())) name = hashed();
    for (let i = 2; this.#taken.has(name.toLowerCase()); i++) name = `${hashed()}-${i}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
