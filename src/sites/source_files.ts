import { isAbsolute, relative, resolve } from "node:path";
import type { DataFrame } from "nodejs-polars";
import type { Column } from "../api/columns/column.ts";
import { ArgumentError, DataFormatError } from "../api/errors.ts";
import { ENGINE_VERSION } from "../windindex/power_model.ts";
import type { World } from "../api/world.ts";
import { gunzip } from "../frames/files/archive.ts";
import { readRegularFile } from "../frames/files/read_file.ts";
import { sha256 } from "../disk/hashes.ts";
import { isSynthetic, type Origin, provenance } from "../frames/origin/provenance.ts";
import { isSyntheticFile, readFileOrigin } from "../frames/storage/frame_metadata.ts";
import { eachFile, type NamedFile } from "../frames/presets/named_files.ts";
import { OPERATION } from "../frames/production/production.ts";
import { displayOf } from "../show/check_frame.ts";
import type { SiteParts } from "./declaration/site.ts";

/** Declares a column of a file; `wire` is its name in the file if that differs. */
export function buildColumn(name: string, dtype: Column["dtype"], wire: string = name): Column {
  return { name, wire, dtype, label: name, description: name, tag: "ours" };
}

/** Reads the files that a site file names, and remembers their hashes. */
export class SourceFiles {
  readonly #folder: string;
  readonly #frames: Map<string, DataFrame>;
  readonly #hashes = new Map<string, string>();
  readonly #shared = new Map<object, Promise<DataFrame>>();
  #world: World = "own";

  readonly #onFile: (name: string) => void;

  /**
   * @param site The folder that paths start from, and the frames that replace files of the same names
   * @param onFile Called before each file, with its path as in the site file
   */
  constructor(
    { folder, frames }: Pick<SiteParts, "folder" | "frames">,
    onFile: (name: string) => void = () => {},
  ) {
    this.#onFile = onFile;
    this.#folder = folder;
    this.#frames = new Map(frames);
  }

  /** Adds frames that replace files of the same names. */
  add(frames: SiteParts["frames"]): void {
    for (const [name, frame] of frames) this.#frames.set(name, frame);
  }

  /** Where the figures read so far come from: the sample if a file declares its figures invented. */
  get world(): World {
    return this.#world;
  }

  #path(name: string): string {
    return resolve(this.#folder, name);
  }

  /** Reads the production that several turbines share once, for the first of them. */
  share(declaration: object, read: () => Promise<DataFrame>): Promise<DataFrame> {
    const frame = this.#shared.get(declaration) ?? read();
    this.#shared.set(declaration, frame);
    return frame;
  }

  /**
   * Reads production files one after the other, as `readProduction()` does.
   *
   * @param names Paths as in the site file: files, folders, archives, or patterns like "data/*.csv"
   * @param wanted Names of the files to read from folders and archives
   * @throws {ArgumentError} If a file is missing, or no name matches `wanted`
   * @throws {DataFormatError} If a file is too large or damaged
   */
  async eachProduction(
    names: string | readonly string[],
    wanted: RegExp,
    take: (file: NamedFile) => Promise<void>,
  ): Promise<void> {
    for (const declared of [names].flat()) {
      const open = async (path: string) => {
        const name = isAbsolute(declared) ? path : relative(this.#folder, path);
        const bytes = await this.read(name);
        return { name, bytes, origin: await this.#origin(name, bytes) };
      };
      await eachFile(this.#path(declared), { wanted, operation: OPERATION, open }, take);
    }
  }

  /** Provenance of the production in a file. */
  async #origin(name: string, bytes: Uint8Array): Promise<Origin> {
    const frame = this.#frames.get(name);
    const content = { start: bytes, sha256: this.#hashes.get(name)! };
    return frame ? provenance(frame) : await readFileOrigin(this.#path(name), content, OPERATION);
  }

  /**
   * Reads a file, and unpacks it if its name ends in `.gz`.
   *
   * @param name Path as in the site file
   * @throws {ArgumentError} If it is missing or not a regular file
   * @throws {DataFormatError} If it is too large, or not a complete gzip file
   */
  async read(name: string): Promise<Uint8Array> {
    this.#onFile(name);
    const frame = this.#frames.get(name);
    if (frame) {
      const bytes = frame.writeParquet({ compression: "zstd" }); // the same bytes as saveFrame() writes
      this.#hashes.set(name, sha256(bytes));
      if (displayOf(frame)?.synthetic ?? isSynthetic(provenance(frame))) this.#world = "sample";
      return bytes;
    }
    const path = this.#path(name);
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = await readRegularFile(path);
    } catch (cause) {
      if (cause instanceof ArgumentError || cause instanceof DataFormatError) throw cause;
      const problem = cause instanceof Deno.errors.NotFound
        ? `the file ${path} is missing. Correct the path, which is relative to the site file's folder`
        : `${path} cannot be opened (${
          (cause as Error).message
        }). Check that your user may read this file`;
      throw new ArgumentError(`Cannot read ${name}: ${problem}`, { cause });
    }
    this.#hashes.set(name, sha256(bytes));
    const content = name.endsWith(".gz") ? await gunzip(bytes, name) : bytes;
    if (await isSyntheticFile(path, content)) this.#world = "sample";
    return content;
  }

  /** Hash of all files read, of the engine version and of the site file. */
  fingerprint(text: string): string {
    const entries = [...this.#hashes].sort(([a], [b]) => a < b ? -1 : 1);
    return sha256(JSON.stringify([ENGINE_VERSION, text, entries]));
  }
}
