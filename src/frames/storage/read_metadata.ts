import { z } from "zod";
import type { Column, Dtype, Tag } from "../../api/columns/column.ts";
import { DataFormatError } from "../../api/errors.ts";
import { MAX_METADATA_BYTES } from "../reader_limits.ts";
import { ignoreMissing } from "../../disk/files.ts";
import { parseJson } from "../json.ts";
import { readRegularFile } from "../read_file.ts";
import type { Provenance } from "../provenance.ts";
import {
  baseTypes,
  type FrameMetadata,
  metadataPath,
  type SavedColumn,
  type Value,
} from "./frame_metadata.ts";
import { isTimeZone } from "../../time/zones.ts";

const text = z.string().max(100_000);
const property = z.object({
  "schema:propertyID": text,
  "schema:value": z.union([text, z.number(), z.boolean()]),
});
const properties = z.array(property).max(1000);

const savedColumn = z.object({
  titles: text,
  datatype: z.object({ base: text }).optional(),
  required: z.boolean().optional(),
  "rdfs:label": text.optional(),
  "dc:description": text.optional(),
  "schema:unitText": text.optional(),
  "schema:minValue": z.number().optional(),
  "schema:maxValue": z.number().optional(),
  "ical:tzid": text.optional(),
  "schema:additionalProperty": properties.optional(),
});

const source = z.object({
  "rdfs:label": text,
  "schema:additionalType": z.enum(["sample", "own", "live"]),
  "prov:endedAtTime": text.optional(),
  "schema:additionalProperty": properties,
  "prov:used": z.array(z.object({ "schema:sha256": text })).max(100_000),
  "dc:rights": z.array(text).max(1000),
  "rdfs:comment": z.array(text).max(1000).optional(),
});

const saved = z.object({
  url: text,
  "schema:sha256": text,
  dialect: z.object({
    delimiter: z.enum([",", ";"]),
    commentPrefix: z.string().nullable(),
  }).optional(),
  // The first edition wrote one source or none, with its remarks and its world beside it.
  "prov:wasGeneratedBy": z.union([
    z.array(source).max(10_000),
    source.omit({ "schema:additionalType": true, "dc:rights": true }),
  ]).optional(),
  "dc:rights": source.shape["dc:rights"].optional(),
  "rdfs:comment": source.shape["rdfs:comment"],
  tableSchema: z.object({ columns: z.array(savedColumn).max(20_000) }),
  "schema:additionalProperty": properties,
});

function readProperties(list: z.infer<typeof properties> = []): Map<string, Value> {
  return new Map(list.map((one) => [one["schema:propertyID"], one["schema:value"]]));
}

const tags: readonly Tag[] = ["documented", "assumed", "ours"];

const dtypes = new Map(Object.entries(baseTypes).map(([dtype, base]) => [base, dtype as Dtype]));

function readColumn(read: z.infer<typeof savedColumn>): SavedColumn {
  const more = readProperties(read["schema:additionalProperty"]);
  const label = read["rdfs:label"];
  const [low, high] = [read["schema:minValue"], read["schema:maxValue"]];
  const dtype = read.datatype && dtypes.get(read.datatype.base);
  const decimals = more.get("decimals");
  const declared = more.get("dtype") as Dtype | undefined;
  const column: Column | undefined = label === undefined ? undefined : {
    name: read.titles,
    dtype: declared && Object.hasOwn(baseTypes, declared) ? declared : dtype ?? "utf8",
    label,
    description: read["dc:description"] ?? label,
    tag: tags.find((tag) => tag === more.get("tag")) ?? "ours",
    ...(read["schema:unitText"] === undefined ? {} : { unit: read["schema:unitText"] }),
    ...(low === undefined && high === undefined ? {} : { range: [low ?? null, high ?? null] }),
    ...(read.required ? { notNull: true, key: true } : {}),
    ...(more.has("wire") ? { wire: String(more.get("wire")) } : {}),
    ...(isPlaces(decimals) ? { decimals } : {}),
    ...(more.get("optional") === true ? { optional: true } : {}),
  };
  return { name: read.titles, dtype, timeZone: read["ical:tzid"], column };
}

function readSource(read: z.infer<typeof source>): Provenance {
  const parameters = readProperties(read["schema:additionalProperty"]) as Map<
    string,
    string | number
  >;
  const { "prov:endedAtTime": fetchedAt, "rdfs:comment": notes } = read;
  return {
    operation: read["rdfs:label"],
    parameters: Object.fromEntries(parameters),
    ...(fetchedAt === undefined ? {} : { fetchedAt }),
    sha256: read["prov:used"].map((used) => used["schema:sha256"]),
    world: read["schema:additionalType"],
    attribution: read["dc:rights"],
    ...(notes ? { notes } : {}),
  };
}

/** Reads the sources of metadata of any edition. */
function readSources(data: z.infer<typeof saved>, world: Value | undefined): Provenance[] {
  const run = data["prov:wasGeneratedBy"];
  if (run === undefined || Array.isArray(run)) return (run ?? []).map(readSource);
  return [readSource({
    ...run,
    // What does not say that it is real may be invented.
    "schema:additionalType": world === "own" || world === "live" ? world : "sample",
    "dc:rights": data["dc:rights"] ?? [],
    "rdfs:comment": data["rdfs:comment"],
  })];
}

/**
 * Reads the metadata beside a file.
 *
 * @returns `undefined` if the file has no metadata
 * @throws {DataFormatError} If they are not what `saveFrame()` writes
 */
export async function readMetadata(path: string): Promise<FrameMetadata | undefined> {
  const beside = metadataPath(path);
  const bytes = await ignoreMissing(readRegularFile(beside, MAX_METADATA_BYTES));
  return bytes && parseMetadata(bytes, (found, cause) => {
    throw new DataFormatError(`Cannot read ${beside}: ${found}`, {
      hint: "Remove it, and declare the columns, or save the frame again",
      cause,
    });
  });
}

/** Reads metadata, and refuses what `saveFrame()` does not write. */
export function parseMetadata(
  bytes: Uint8Array,
  refuse: (found: string, cause?: unknown) => never,
): FrameMetadata {
  let json: unknown;
  try {
    json = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const found = (cause as Error).message.replace("Cannot parse JSON: ", "");
    return refuse(`it is not JSON that can be read: ${found}`, cause);
  }
  const { success, data, error } = saved.safeParse(json);
  if (!success) {
    const [{ path, message }] = error.issues;
    return refuse(`it is not the metadata of a saved frame: ${path.join(".")}: ${message}`, error);
  }
  const titles = data.tableSchema.columns.map((one) => one.titles);
  const twice = titles.find((title, i) => titles.indexOf(title) !== i);
  if (twice !== undefined) refuse(`column "${twice}" is duplicated`);
  const more = readProperties(data["schema:additionalProperty"]);
  const { dialect } = data;
  const origin = readSources(data, more.get("world"));
  return {
    file: readName(data.url, refuse),
    sha256: data["schema:sha256"],
    columns: data.tableSchema.columns.map((one) => {
      const zone = one["ical:tzid"];
      if (zone === undefined || isTimeZone(zone)) return readColumn(one);
      return refuse(`"${zone}" of column "${one.titles}" is not an IANA time zone`);
    }),
    csv: dialect && {
      decimal: more.get("decimal") === "," ? "," : ".",
      delimiter: dialect.delimiter,
      safe: more.get("safe") === true,
      synthetic: dialect.commentPrefix === "#",
    },
    origin,
    synthetic: more.get("synthetic") === true || origin.some(({ world }) => world === "sample"),
  };
}

/** Whether a value is a number of decimal places that can be shown. */
function isPlaces(value: Value | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 20;
}

function readName(url: string, refuse: (found: string) => never): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return refuse(`its url ${JSON.stringify(url.slice(0, 100))} is not the name of a file`);
  }
}
