import { relative, resolve } from "node:path";
import {
  type DataFrame,
  type ErrorFacts,
  type ProductionFormat,
  readProduction,
} from "../../../mod.ts";
import { type PresetFormat, type RecognizedFile, recognizeFile } from "../../sites/mod.ts";
import { isPattern, listFolder, matchFiles } from "../../disk/files.ts";
import { callerPath } from "../command/arguments.ts";
import type { Check } from "./dialogue.ts";

/** A file that an answer names. */
export interface InputFile extends RecognizedFile {
  /** Its path, from the root. */
  readonly path: string;
}

/** How production is read, as far as it is known. */
export type HowRead = ProductionFormat | PresetFormat;

/** Why files are not read, with its facts. */
export type Refused = Error & ErrorFacts;

/** Names of files that are read of a folder; those that begin with . or ~$ are other programs' own. */
const DATA_FILE = /^(?!\.|~\$).*\.(?:csv|tsv|txt|xlsx|parquet|nc4?|zip)(?:\.gz)?$/i;

/** The path that an answer names; ~ is the home folder. */
export function toPath(answer: string): string {
  return resolve(callerPath(answer.replace(/^~(?=\/|$)/, () => Deno.env.get("HOME") ?? "~")));
}

/** A path as its reader would write it: from the folder of the call, where that is shorter. */
export function shortPath(path: string): string {
  const from = relative(resolve(callerPath(".")), path);
  return from !== "" && from.length < path.length ? from : path;
}

/** The format of a file, in words. */
export const nameFormat = ({ format, delimiter }: RecognizedFile): string =>
  delimiter === "\t" ? "tab-separated text" : format;

/** Lists the files of a path, a folder, or a pattern for names in a folder. */
async function listFiles(answer: string): Promise<string[]> {
  const path = toPath(answer);
  const found = await Deno.stat(path).catch(() => undefined);
  if (found?.isDirectory) return await listFolder(path, DATA_FILE);
  if (found || !isPattern(path)) return [path];
  return await matchFiles(path);
}

/** Finds the files that answers name, recognizes them, and reads them to try answers out. */
export class InputFiles {
  readonly #files = new Map<string, InputFile>();
  readonly #results = new Map<string, DataFrame | Refused>();

  /** Reads production with the call of the import; an error is returned, with paths as short as they can be. */
  async read(file: string | readonly string[], how: HowRead): Promise<DataFrame | Refused> {
    const key = JSON.stringify([file, how]);
    const known = this.#results.get(key);
    if (known) return known;
    const result = await readProduction(file, how).catch((error: Refused) => {
      const paths = [file].flat();
      if (paths.length === 1) { // it is the file that is asked about
        const start = `^Cannot (?:read|use) ${RegExp.escape(paths[0])}(?: as declared)?: `;
        error.message = error.message.replace(new RegExp(start), "");
      }
      for (const path of paths) error.message = error.message.replaceAll(path, shortPath(path));
      return error;
    });
    this.#results.set(key, result);
    return result;
  }

  /**
   * Recognizes the files of answers.
   *
   * @param answers Paths, folders or patterns
   * @throws {ArgumentError} If there is no such file
   * @throws {DataFormatError} If it is damaged
   */
  async find(answers: readonly string[]): Promise<InputFile[]> {
    const paths = new Set((await Promise.all(answers.map(listFiles))).flat());
    for (const path of paths) {
      if (this.#files.has(path)) continue;
      this.#files.set(path, { ...await recognizeFile(path), path });
    }
    return [...paths].map((path) => this.#files.get(path)!);
  }

  /**
   * Makes the check of files that must be of some kind.
   *
   * @param wanted What such files are called, for messages
   */
  check(isUsable: (file: InputFile) => boolean, wanted: string): Check {
    return async (value) => {
      try {
        const files = await this.find([value].flat() as string[]);
        if (files.some(isUsable)) return undefined;
        if (files.length === 0) {
          return `"${value}" has no data files. Give a folder or a pattern with csv, xlsx, parquet, ` +
            "NetCDF or zip files";
        }
        const [{ kind, reasons }] = files;
        const found = kind === "unknown"
          ? "init does not recognize this file"
          : `This is ${kind === "power curve" ? "a power curve" : kind}, not ${wanted}`;
        return `${found}: ${reasons.join(". ")}`;
      } catch (error) {
        return (error as Error).message;
      }
    };
  }
}
