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

/** A file in an answer. */
export interface InputFile extends RecognizedFile {
  /** Its absolute path. */
  readonly path: string;
}

/** The format of production, as known so far. */
export type HowRead = ProductionFormat | PresetFormat;

/** Why files cannot be read, with facts. */
export type Refused = Error & ErrorFacts;

/** Names of files to read in a folder; names that begin with . or ~$ are temporary files of other programs. */
const DATA_FILE = /^(?!\.|~\$).*\.(?:csv|tsv|txt|xlsx|parquet|nc4?|zip)(?:\.gz)?$/i;

/** The path in an answer; ~ is the home folder. */
export function toPath(answer: string): string {
  return resolve(callerPath(answer.replace(/^~(?=\/|$)/, () => Deno.env.get("HOME") ?? "~")));
}

/** The shortest form of a path: relative to the caller's folder if that is shorter. */
export function shortPath(path: string): string {
  const from = relative(resolve(callerPath(".")), path);
  return from !== "" && from.length < path.length ? from : path;
}

/** The format of a file, in words. */
export const nameFormat = ({ format, delimiter }: RecognizedFile): string =>
  delimiter === "\t" ? "tab-separated text" : format;

/** Lists the files of a path, a folder, or a pattern of names in a folder. */
async function listFiles(answer: string): Promise<string[]> {
  const path = toPath(answer);
  const info = await Deno.stat(path).catch(() => undefined);
  if (info?.isDirectory) return await listFolder(path, DATA_FILE);
  if (info || !isPattern(path)) return [path];
  return await matchFiles(path);
}

/** Finds and recognizes the files in answers, and reads them to try answers out. */
export class InputFiles {
  readonly #files = new Map<string, InputFile>();
  readonly #results = new Map<string, DataFrame | Refused>();

  /** Reads production as the import does; returns an error instead of throwing it, with short paths. */
  async read(file: string | readonly string[], how: HowRead): Promise<DataFrame | Refused> {
    const key = JSON.stringify([file, how]);
    const cached = this.#results.get(key);
    if (cached) return cached;
    const result = await readProduction(file, how).catch((error: Refused) => {
      const paths = [file].flat();
      if (paths.length === 1) { // the question is about this file
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
   * Recognizes the files in answers.
   *
   * @param answers Paths, folders or patterns
   * @throws {ArgumentError} If no such file exists
   * @throws {DataFormatError} If a file is damaged
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
   * Builds a check that files are of some kind.
   *
   * @param wanted Name of the kind, for messages
   */
  check(isUsable: (file: InputFile) => boolean, wanted: string): Check {
    return async (value) => {
      try {
        const files = await this.find([value].flat() as string[]);
        if (files.some(isUsable)) return undefined;
        if (files.length === 0) {
          return `"${value}" has no data files. Give a folder or a pattern with csv, xlsx, parquet, NetCDF or zip files`;
        }
        const [{ kind, reasons }] = files;
        const problem = kind === "unknown"
          ? "init does not recognize this file"
          : `This is ${kind === "power curve" ? "a power curve" : kind}, not ${wanted}`;
        return `${problem}: ${reasons.join(". ")}`;
      } catch (error) {
        return (error as Error).message;
      }
    };
  }
}
