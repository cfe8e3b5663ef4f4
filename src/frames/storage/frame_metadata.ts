import { z } from "zod";
import type { Column } from "../../api/columns/column.ts";
import { DataFormatError } from "../../api/errors.ts";
import { ignoreMissing } from "../../disk/files.ts";
import { isTimeZone } from "../../time/zones.ts";
import { parseJson } from "../files/json.ts";
import type { Origin } from "../origin/provenance.ts";
import { readRegularFile } from "../files/read_file.ts";
import { MAX_METADATA_BYTES } from "../files/reader_limits.ts";
import { SYNTHETIC } from "../../api/world.ts";
import { buildFileSource, type HashedFile, isSyntheticText } from "../origin/file_origin.ts";

const text = z.string().max(100_000);
const texts = z.array(text).max(1000);
const dtype = z.enum(["f64", "i32", "i64", "utf8", "bool", "date", "datetime"]);
const bound = z.number().nullable();

const column = z.object({
  name: text,
  wire: text.optional(),
  aliases: texts.optional(),
  dtype,
  unit: text.optional(),
  range: z.tuple([bound, bound]).optional(),
  values: texts.optional(),
  decimals: z.number().int().min(0).max(20).optional(),
  label: text,
  description: text,
  tag: z.enum(["documented", "assumed", "ours"]),
  notNull: z.boolean().optional(),
  key: z.boolean().optional(),
  optional: z.boolean().optional(),
  monthly: z.boolean().optional(),
});

const source = z.object({
  operation: text,
  parameters: z.record(text, z.union([text, z.number()])),
  fetchedAt: text.optional(),
  sha256: z.array(text).max(100_000),
  world: z.enum(["sample", "own", "live"]),
  attribution: texts,
  notes: texts.optional(),
});

const saved = z.object({
  /** First line about the origin, for readers of the file. */
  title: text,
  /** SHA-256 of the saved file, hexadecimal, to detect later changes of it. */
  sha256: text,
  /** Whether its figures are invented, or may be: a process that used the sample wrote them without a source. */
  synthetic: z.boolean(),
  /** Format of the file, if it is CSV: decimal mark, and whether apostrophes mark the places where formulas could begin. */
  csv: z.object({ decimal: z.enum([".", ","]), safe: z.boolean() }).optional(),
  /** Its columns, in order; without the type if only the file itself can name it. */
  columns: z.array(z.object({
    name: text,
    dtype: dtype.optional(),
    /** Zone of its stamps. */
    timeZone: text.optional(),
    /** Its declaration, if it has one. */
    column: column.transform((one) => one as Column).optional(),
  })).max(20_000),
  /** Sources of the frame; empty if they are not stated. */
  origin: z.array(source).max(10_000).transform((all) => all as Origin),
});

/** Metadata stored next to a saved frame: its declared columns and its origin. */
export type FrameMetadata = z.infer<typeof saved>;

/** A column of a saved frame. */
export type SavedColumn = FrameMetadata["columns"][number];

/** Path of the metadata of a file. */
export function metadataPath(path: string): string {
  return `${path}-metadata.json`;
}

/**
 * Reads the metadata next to a file.
 *
 * @returns `undefined` if the file has no metadata
 * @throws {DataFormatError} If `saveFrame()` does not write such metadata
 */
export async function readMetadata(path: string): Promise<FrameMetadata | undefined> {
  const metadataFile = metadataPath(path);
  const bytes = await ignoreMissing(readRegularFile(metadataFile, MAX_METADATA_BYTES));
  return bytes && parseMetadata(bytes, (problem, cause) => {
    throw new DataFormatError(`Cannot read ${metadataFile}: ${problem}`, {
      hint: "Remove this file and declare the columns, or save the frame again",
      cause,
    });
  });
}

/** Reads metadata, and refuses any that `saveFrame()` would not write. */
export function parseMetadata(
  bytes: Uint8Array,
  refuse: (problem: string, cause?: unknown) => never,
): FrameMetadata {
  let json: unknown;
  try {
    json = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const problem = (cause as Error).message.replace("Cannot parse JSON: ", "");
    return refuse(`it is not valid JSON (${problem})`, cause);
  }
  const { success, data, error } = saved.safeParse(json);
  if (!success) {
    const [{ path, message }] = error.issues;
    return refuse(`it is not the metadata of a saved frame (${path.join(".")}: ${message})`, error);
  }
  const names = data.columns.map(({ name }) => name);
  const duplicate = names.find((name, i) => names.indexOf(name) !== i);
  if (duplicate !== undefined) refuse(`column "${duplicate}" is duplicated`);
  for (const { name, timeZone } of data.columns) {
    if (timeZone === undefined || isTimeZone(timeZone)) continue;
    refuse(`"${timeZone}" of column "${name}" is not an IANA time zone`);
  }
  return data;
}

/** Reads the metadata that `saveFrame()` stored next to a file; of damaged metadata, or another program's, only the mark of invented figures. */
async function findMetadata(
  path: string,
): Promise<Pick<FrameMetadata, "sha256" | "origin" | "synthetic"> | undefined> {
  try {
    return await readMetadata(path);
  } catch (error) {
    if (!(error instanceof DataFormatError)) throw error;
    const text = new TextDecoder().decode(await readRegularFile(metadataPath(path)));
    return { sha256: "", origin: [], synthetic: text.includes(SYNTHETIC) };
  }
}

/** Whether a file, or its metadata, says that its figures are invented. */
export async function isSyntheticFile(path: string, bytes: Uint8Array): Promise<boolean> {
  return isSyntheticText(bytes) || ((await findMetadata(path))?.synthetic ?? false);
}

/**
 * Finds the sources of figures in a file of any kind: the sources that `saveFrame()` stored next to it, else the file
 * itself.
 *
 * @param operation Name of the function that reads it
 */
export async function readFileOrigin(
  path: string,
  content: Uint8Array | HashedFile,
  operation: string,
): Promise<Origin> {
  const metadata = await findMetadata(path);
  if (!metadata) return [buildFileSource(path, content, operation)];
  const source = buildFileSource(path, content, operation, metadata.synthetic || undefined);
  // A file that was changed since is the user's own; invented figures stay invented.
  const savedOrigin = metadata.sha256 === source.sha256[0] ? metadata.origin : [];
  if (savedOrigin.length > 0) return savedOrigin;
  return [{ ...source, attribution: metadata.origin.flatMap(({ attribution }) => attribution) }];
}
