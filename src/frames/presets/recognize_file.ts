/** A column of a file, by what its first rows have. */
export interface RecognizedColumn {
  /** Its name in the file. */
  readonly name: string;
  /** What its cells are. */
  readonly cells: "times" | "numbers" | "texts" | "empty";
}

/** What a file is, as far as its beginning shows it. */
export interface RecognizedFile {
  /** What the file has; a register of turbines with their production is "production". */
  readonly kind: "production" | "events" | "climate" | "power curve" | "unknown";
  /** Format of the file. */
  readonly format: "csv" | "xlsx" | "parquet" | "arrow" | "netcdf" | "zip" | "unknown";
  /** Name of the preset that reads it. @default none fits */
  readonly preset?: string;
  /** Its columns, in the order of the file; empty where they are not known. */
  readonly columns: readonly RecognizedColumn[];
  /** What shows it, in sentences; of an unknown file, what was looked for. */
  readonly reasons: readonly string[];
}

/**
 * Recognizes what a file is by its beginning: the preset that reads it, or its kind. Nothing is read as figures.
 *
 * @param file The file, or its path
 * @returns Its kind with the reasons, and its columns
 * @throws {ArgumentError} If there is no such file
 */
export function recognizeFile(_file: Uint8Array | string | URL): Promise<RecognizedFile> {
  return Promise.resolve({ kind: "unknown", format: "unknown", columns: [], reasons: [] });
}
