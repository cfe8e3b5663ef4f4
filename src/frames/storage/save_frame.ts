import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { ArgumentError } from "../../api/errors.ts";
import { exists } from "../../disk/files.ts";
import { sha256 } from "../../disk/hashes.ts";
import { SideFile } from "../../disk/side_file.ts";
import { checkFrame, displayOf, formatMissingSource } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { isTimeZone } from "../../time/zones.ts";
import { declaredType, dtypeName, zoneOf } from "../frame.ts";
import { SYNTHETIC_LINE, UNSTATED_LINE } from "../origin/file_origin.ts";
import { formatOrigin, isSynthetic, provenance } from "../origin/provenance.ts";
import { MAX_METADATA_BYTES } from "../files/reader_limits.ts";
import { formatCsv } from "./format_csv.ts";
import { type FrameMetadata, metadataPath, parseMetadata } from "./frame_metadata.ts";

/** Options of {@linkcode saveFrame}. */
export interface SaveFrameOptions {
  /** Whether a file of that name is replaced. @default {false} */
  readonly overwrite?: boolean;
  /**
   * CSV: whether an apostrophe is put wherever a spreadsheet could see the beginning of a formula in a text. Numbers are
   * not changed. Use it for texts of unknown origin in files that people open. @default {false}
   */
  readonly safe?: boolean;
  /** CSV: decimal mark. With a comma, fields are separated by semicolons, as Excel expects in much of Europe. @default {"."} */
  readonly decimal?: "." | ",";
  /** CSV: whether the file begins with a byte order mark, by which Excel recognizes UTF-8. @default {false} */
  readonly bom?: boolean;
  /** Declarations of columns that the frame does not carry. @default none */
  readonly columns?: readonly Column[];
}

/** Kinds of files for frames. */
type FileKind = "parquet" | "csv";

/**
 * Detects the kind of a file by the ending of its name.
 *
 * @throws {ArgumentError} If the ending is not .parquet or .csv
 */
export function detectFileKind(path: string): FileKind {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  if (ending === "parquet" || ending === "csv") return ending;
  throw new ArgumentError(
    `Cannot use ${path} for a frame: its name does not end in .parquet or .csv. Choose a name with one of these endings`,
  );
}

/** Converts a file URL to a path; a path is returned unchanged. */
export function toPath(file: string | URL): string {
  if (typeof file === "string") return file;
  const path = decodeURIComponent(file.pathname);
  return /^\/[A-Za-z]:\//.test(path) ? path.slice(1) : path;
}

const OPTIONS = declareOptions<SaveFrameOptions>()("columns", {
  overwrite: false,
  safe: false,
  decimal: ".",
  bom: false,
});

/**
 * Saves a frame as Parquet or CSV, by the ending of the name. Its units, descriptions, zones and origin are stored next
 * to it in `NAME-metadata.json`, where `readFrame()` finds them. Invented figures are marked SYNTHETIC there, and in
 * the first line of a CSV file.
 *
 * Both files are written under temporary names, synced to the disk and renamed, so readers never see an incomplete file.
 *
 * @param frame The frame
 * @param file Path that ends in .parquet or .csv
 * @param options `overwrite`: whether a file is replaced; `columns`: declarations that the frame does not carry;
 * `decimal`, `safe` and `bom`: how CSV is written
 * @throws {ArgumentError} If the file exists, its path has another ending, a number is NaN or infinite, or CSV cannot
 * store a column
 *
 * @example Units and zones come back
 * ```ts
 * import { modelData, provenance, readFrame, saveFrame } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const hours = await modelData("T1", { from: "2023-05-01", to: "2023-05-01" });
 * await saveFrame(hours, `${folder}/hours.parquet`);
 * const again = await readFrame(`${folder}/hours.parquet`);
 * assertEquals(String(again), String(hours));
 * assertEquals(provenance(again), provenance(hours));
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @example CSV for Excel in Germany or Denmark
 * ```ts
 * import { monthlyIndices, saveFrame } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const index = await monthlyIndices("T1", { from: "2023-01", to: "2023-02" });
 * await saveFrame(index, `${folder}/index.csv`, { decimal: ",", bom: true, safe: true });
 * const [first, header] = (await Deno.readTextFile(`${folder}/index.csv`)).split("\n");
 * assertEquals(first.includes("SYNTHETIC"), true);
 * assertEquals(header.split(";").slice(0, 2), ["turbine_id", "month"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function saveFrame(
  frame: DataFrame,
  file: string | URL,
  options: SaveFrameOptions = {},
): Promise<void> {
  const { overwrite, safe, decimal, bom, columns = [] } = readOptions(
    "saveFrame()",
    options,
    OPTIONS,
  );
  checkFrame(frame, "save a frame", "monthlyIndices() or another call");
  const path = toPath(file);
  const kind = detectFileKind(path);
  if (decimal !== "." && decimal !== ",") {
    throw new ArgumentError(`Cannot save ${path}: "decimal" is "${decimal}". Give "." or ","`);
  }
  if (kind !== "csv" && (safe || bom || decimal !== ".")) {
    throw new ArgumentError(
      `Cannot save ${path}: "safe", "decimal" and "bom" apply only to CSV. Omit them, or save the frame as .csv`,
    );
  }
  assertFinite(frame, path);
  const origin = provenance(frame);
  const synthetic = displayOf(frame)?.synthetic ?? isSynthetic(origin);
  const firstLine = synthetic ? (origin.length > 0 ? SYNTHETIC_LINE : UNSTATED_LINE) : undefined;
  const bytes = kind === "csv"
    ? formatCsv(frame, path, { decimal, safe, bom, firstLine })
    : frame.writeParquet({ compression: "zstd" });
  const declared = [...displayOf(frame)?.columns ?? [], ...columns];
  const metadata: FrameMetadata = {
    title: formatOrigin(origin)[0] ?? formatMissingSource(),
    sha256: sha256(bytes),
    synthetic,
    csv: kind === "csv" ? { decimal, safe } : undefined,
    columns: frame.columns.map((name) => {
      const { dtype } = frame.getColumn(name);
      const column = declared.findLast((one) => one.name === name);
      const zone = zoneOf(dtype);
      const timeZone = zone !== undefined && isTimeZone(zone) ? zone : undefined;
      return { name, dtype: declaredType(dtypeName(dtype)), timeZone, column };
    }),
    origin,
  };
  const metadataBytes = new TextEncoder().encode(`${JSON.stringify(metadata, null, 2)}\n`);
  const refuse = (problem: string, cause?: unknown): never => {
    throw new ArgumentError(
      `Cannot save ${path}: readFrame() could not read the file, because ${problem}. Save fewer columns, or shorten their ` +
        "names and notes",
      { cause },
    );
  };
  if (metadataBytes.length > MAX_METADATA_BYTES) {
    refuse(
      `its metadata has ${metadataBytes.length} bytes, but readFrame() reads at most ${MAX_METADATA_BYTES}`,
    );
  }
  parseMetadata(metadataBytes, refuse);
  await writeFiles([[path, bytes], [metadataPath(path), metadataBytes]], overwrite);
}

/** Writes and syncs all files under temporary names, then renames them. If a name is taken, throws an `ArgumentError` and changes nothing. */
export async function writeFiles(
  files: readonly (readonly [path: string, bytes: Uint8Array])[],
  overwrite: boolean,
): Promise<void> {
  await using sides = new AsyncDisposableStack();
  const written: [string, SideFile][] = [];
  for (const [path, bytes] of files) {
    if (!overwrite && await exists(path)) throw buildExistsError(path);
    const side = sides.use(await SideFile.create(path, 0o666)); // before the user's umask, as for other files of the user
    await side.write(bytes);
    await side.sync();
    written.push([path, side]);
  }
  for (const [path, side] of written) {
    await side.commit(path, { overwrite, sync: false }).catch((error) => {
      throw error instanceof Deno.errors.AlreadyExists ? buildExistsError(path) : error;
    });
  }
}

/** Error for a path that exists. */
function buildExistsError(path: string): ArgumentError {
  return new ArgumentError(
    `Cannot save ${path}: the file exists. Choose another name, or give overwrite: true`,
  );
}

/** Refuses NaN and infinity: a missing value is null, in files as in frames. */
function assertFinite(frame: DataFrame, path: string): void {
  for (const name of frame.columns) {
    const series = frame.getColumn(name);
    if (!dtypeName(series.dtype).startsWith("Float")) continue;
    const row = (series.toArray() as (number | null)[])
      .findIndex((value) => value !== null && !Number.isFinite(value));
    if (row === -1) continue;
    throw new ArgumentError(
      `Cannot save ${path}: column "${name}" is ${series.get(row)} in row ${
        row + 1
      }. Give null for a missing value: fillNan(pl.lit(null)) replaces NaN`,
    );
  }
}
