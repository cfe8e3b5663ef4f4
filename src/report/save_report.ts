import { ArgumentError } from "../api/errors.ts";
import { writeAtomically } from "../disk/side_file.ts";
import type { ReportFile } from "./report_pages.ts";
import { isFrame } from "../show/check_frame.ts";
import { startProgress } from "../show/progress.ts";
import { messages } from "./content/messages.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { describeValue } from "../api/error_text.ts";

/** Options of {@linkcode saveReport}. */
export interface SaveReportOptions {
  /** Ends the writing before the next file when it is aborted. @default none */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS = declareOptions<SaveReportOptions>()("signal");

/** What {@linkcode saveReport} wrote. */
export interface SavedReport {
  /** Folder. */
  readonly folder: string;
  /** Number of files. */
  readonly files: number;
  /** Their size, bytes. */
  readonly bytes: number;
}

/**
 * How a file is written. Unlike the store's files it is not synced to the disk, which would take most of the time of a
 * large report: a report that is lost in a crash is made again.
 */
const AS_OTHERS = { mode: 0o666, sync: false };

const SAFE = /^(?!\.)[^\\/\0]+(\/(?!\.)[^\\/\0]+)*$/;

function checkFiles<T>(files: AsyncIterable<T> | Iterable<T>): typeof files {
  const given: unknown = files;
  const iterable = typeof given === "object" && given !== null && !isFrame(given) &&
    (Symbol.asyncIterator in given || Symbol.iterator in given);
  if (iterable) return files;
  throw new ArgumentError(
    `Cannot save a report: the files of makeFleetReport() or fleetReport() are needed; this is ${
      describeValue(given)
    }`,
  );
}

/**
 * Writes the files of a report below a folder as they come. Each file is complete or missing, and the page of the
 * fleet comes last, so that its links never lead to a missing page. Other files of the folder stay.
 *
 * @param files Files, as `fleetReport()` gives them
 * @param folder Folder of the report; created where it is missing
 * @param options Signal
 * @throws {ArgumentError} If a name leads out of the folder
 * @throws {Error} If a file cannot be written
 *
 * @example
 * ```ts
 * import { monthlyIndices, turbineDetails } from "@vindkit/vindkit";
 * import { fleetReport, saveReport } from "@vindkit/vindkit/report";
 * import { assertEquals } from "@std/assert";
 *
 * const details = await turbineDetails("T1");
 * const indices = await monthlyIndices("T1", { from: "2022-01", to: "2023-12" });
 * const folder = await Deno.makeTempDir();
 * const saved = await saveReport(fleetReport([{ details, indices }], { month: "2023-12" }), folder);
 * assertEquals(saved.files, 6);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function saveReport(
  files: AsyncIterable<ReportFile> | Iterable<ReportFile>,
  folder: string,
  options: SaveReportOptions = {},
): Promise<SavedReport> {
  readOptions("saveReport()", options, OPTIONS);
  const created = new Set<string>();
  const encoder = new TextEncoder();
  let [count, bytes] = [0, 0];
  using progress = startProgress(messages.progress, { unit: "files" });
  for await (const { name, content } of checkFiles(files)) {
    options.signal?.throwIfAborted();
    if (typeof name !== "string" || !SAFE.test(name)) {
      throw new ArgumentError(
        `Cannot save ${describeValue(name)}: it is not a path below ${folder}. ` +
          `Give the files of fleetReport()`,
      );
    }
    const path = `${folder}/${name}`;
    const parent = path.slice(0, path.lastIndexOf("/"));
    const body = encoder.encode(content);
    try {
      if (!created.has(parent)) await Deno.mkdir(parent, { recursive: true });
      created.add(parent);
      await writeAtomically(path, body, AS_OTHERS);
    } catch (error) {
      throw new Error(
        `Cannot save ${path}: ${(error as Error).message}. Give a folder in which you may write, ` +
          `with room for the report`,
        { cause: error },
      );
    }
    count++;
    progress.advance();
    bytes += body.length;
  }
  return { folder, files: count, bytes };
}
