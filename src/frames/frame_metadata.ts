import { z } from "zod";
import type { Column, Dtype, Tag } from "../api/column.ts";
import { DataFormatError } from "../api/errors.ts";
import type { World } from "../api/world.ts";
import { type Provenance, provenanceLines } from "./provenance.ts";
import { isTimeZone } from "./zones.ts";

/**
 * What is kept beside a saved frame: its declared columns and where it comes from, as metadata of the W3C's "CSV on the
 * Web" (https://www.w3.org/TR/tabular-metadata/), in terms that it predefines: Dublin Core, schema.org and PROV.
 */
export interface FrameMetadata {
  /** Name of the file that it stands beside. */
  readonly file: string;
  /** SHA-256 of that file, hexadecimal: one that was changed since is known by it. */
  readonly sha256: string;
  /** How it is written, if it is CSV. */
  readonly csv?: CsvDialect | undefined;
  /** Its columns, in order. */
  readonly columns: readonly SavedColumn[];
  /** Where it comes from, if that is known. */
  readonly provenance?: Provenance | undefined;
}

/** How a saved CSV file is written. */
export interface CsvDialect {
  /** Decimal mark. */
  readonly decimal: "." | ",";
  /** Character between fields. */
  readonly delimiter: "," | ";";
  /** Whether apostrophes stand where formulas could begin. */
  readonly safe: boolean;
  /** Whether a line above the header says that the figures are invented. */
  readonly synthetic: boolean;
}

/** A column of a saved frame. */
export interface SavedColumn {
  /** Its name in the frame and in the file. */
  readonly name: string;
  /** Type of its values; `undefined` for types that only the file itself can name. */
  readonly dtype?: Dtype | undefined;
  /** Zone of its stamps. */
  readonly timeZone?: string | undefined;
  /** Its declaration, if it has one. */
  readonly column?: Column | undefined;
}

/** Name of the metadata of a file: where CSV on the Web looks for it. */
export function metadataPath(path: string): string {
  return `${path}-metadata.json`;
}

/** Bytes that metadata take at most: a thousand columns take a twentieth. */
const MAX_METADATA_BYTES = 10_000_000;

const baseTypes: Readonly<Record<Dtype, string>> = {
  f64: "double",
  i32: "int",
  i64: "long",
  utf8: "string",
  bool: "boolean",
  date: "date",
  datetime: "dateTime",
};

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

const saved = z.object({
  url: text,
  "schema:sha256": text,
  "dc:rights": z.array(text).max(1000).optional(),
  "rdfs:comment": z.array(text).max(1000).optional(),
  dialect: z.object({
    delimiter: z.enum([",", ";"]),
    commentPrefix: z.string().nullable(),
  }).optional(),
  "prov:wasGeneratedBy": z.object({
    "rdfs:label": text,
    "prov:endedAtTime": text,
    "schema:additionalProperty": properties,
    "prov:used": z.array(z.object({ "schema:sha256": text })).max(100_000),
  }).optional(),
  tableSchema: z.object({ columns: z.array(savedColumn).max(20_000) }),
  "schema:additionalProperty": properties,
});

type Value = string | number | boolean;

function propertyValues(values: Readonly<Record<string, Value | undefined>>) {
  return Object.entries(values).filter(([, value]) => value !== undefined).map(([name, value]) => ({
    "@type": "schema:PropertyValue",
    "schema:propertyID": name,
    "schema:value": value as Value,
  }));
}

function valuesOf(list: z.infer<typeof properties> = []): Map<string, Value> {
  return new Map(list.map((one) => [one["schema:propertyID"], one["schema:value"]]));
}

function columnJson({ name, dtype, timeZone, column }: SavedColumn, csv?: CsvDialect) {
  const base = dtype && baseTypes[dtype];
  const format = dtype === "f64" && csv ? { format: { decimalChar: csv.decimal } } : {};
  const [low, high] = column?.range ?? [null, null];
  return {
    titles: name,
    ...(base ? { datatype: { base, ...format } } : {}),
    ...(column?.notNull ? { required: true } : {}),
    ...(timeZone ? { "ical:tzid": timeZone } : {}),
    ...(column
      ? {
        "rdfs:label": column.label,
        "dc:description": column.description,
        ...(column.unit === undefined ? {} : { "schema:unitText": column.unit }),
        ...(low === null ? {} : { "schema:minValue": low }),
        ...(high === null ? {} : { "schema:maxValue": high }),
        "schema:additionalProperty": propertyValues({
          tag: column.tag,
          dtype: column.dtype,
          wire: column.wire,
          decimals: column.decimals,
          optional: column.optional,
        }),
      }
      : {}),
  };
}

/** Metadata as JSON. */
export function metadataJson({ file, sha256, csv, columns, provenance }: FrameMetadata): string {
  const { operation, parameters, fetchedAt, world, attribution, notes } = provenance ?? {};
  const [title] = provenance ? provenanceLines(provenance) : [];
  return JSON.stringify(
    {
      "@context": ["http://www.w3.org/ns/csvw", { "@language": "en" }],
      url: encodeURIComponent(file),
      ...(title ? { "dc:title": title } : {}),
      "schema:sha256": sha256,
      ...(attribution ? { "dc:rights": attribution } : {}),
      ...(notes ? { "rdfs:comment": notes } : {}),
      ...(provenance
        ? {
          "prov:wasGeneratedBy": {
            "@type": "prov:Activity",
            "rdfs:label": operation,
            "prov:endedAtTime": fetchedAt,
            "schema:additionalProperty": propertyValues(parameters!),
            "prov:used": provenance.sha256.map((hash) => ({ "schema:sha256": hash })),
          },
        }
        : {}),
      ...(csv
        ? {
          dialect: {
            encoding: "utf-8",
            delimiter: csv.delimiter,
            header: true,
            commentPrefix: csv.synthetic ? "#" : null,
          },
        }
        : {}),
      tableSchema: { columns: columns.map((column) => columnJson(column, csv)) },
      "schema:additionalProperty": propertyValues({
        world,
        decimal: csv?.decimal,
        safe: csv?.safe,
      }),
    },
    null,
    2,
  ) + "\n";
}

const tags: readonly Tag[] = ["documented", "assumed", "ours"];

const dtypes = new Map(Object.entries(baseTypes).map(([dtype, base]) => [base, dtype as Dtype]));

function columnOf(read: z.infer<typeof savedColumn>): SavedColumn {
  const more = valuesOf(read["schema:additionalProperty"]);
  const label = read["rdfs:label"];
  const [low, high] = [read["schema:minValue"], read["schema:maxValue"]];
  const dtype = read.datatype && dtypes.get(read.datatype.base);
  const declared = more.get("dtype") as Dtype | undefined;
  const column: Column | undefined = label === undefined ? undefined : {
    name: read.titles,
    dtype: declared && Object.hasOwn(baseTypes, declared) ? declared : dtype ?? "utf8",
    label,
    description: read["dc:description"] ?? label,
    tag: tags.find((tag) => tag === more.get("tag")) ?? "ours",
    ...(read["schema:unitText"] === undefined ? {} : { unit: read["schema:unitText"] }),
    ...(low === undefined && high === undefined ? {} : { range: [low ?? null, high ?? null] }),
    ...(read.required ? { notNull: true } : {}),
    ...(more.has("wire") ? { wire: String(more.get("wire")) } : {}),
    ...(more.has("decimals") ? { decimals: Number(more.get("decimals")) } : {}),
    ...(more.get("optional") === true ? { optional: true } : {}),
  };
  return { name: read.titles, dtype, timeZone: read["ical:tzid"], column };
}

/**
 * Reads metadata.
 *
 * @param bytes The JSON
 * @param path Its path, for messages
 * @throws {DataFormatError} If it is not what {@linkcode metadataJson} writes
 */
export function parseMetadata(bytes: Uint8Array, path: string): FrameMetadata {
  const refuse = (found: string, cause?: unknown): never => {
    throw new DataFormatError(`Cannot read ${path}: ${found}`, {
      hint: "Remove it, and declare the columns, or save the frame anew",
      cause,
    });
  };
  if (bytes.length > MAX_METADATA_BYTES) refuse(`it is longer than ${MAX_METADATA_BYTES} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    return refuse("it is no JSON", cause);
  }
  const { success, data, error } = saved.safeParse(json);
  if (!success) {
    const [{ path, message }] = error.issues;
    return refuse(`it is no metadata of a saved frame: ${path.join(".")}: ${message}`, error);
  }
  const more = valuesOf(data["schema:additionalProperty"]);
  const run = data["prov:wasGeneratedBy"];
  const { dialect } = data;
  const parameters = [...valuesOf(run?.["schema:additionalProperty"])] as [
    string,
    string | number,
  ][];
  return {
    file: decodeURIComponent(data.url),
    sha256: data["schema:sha256"],
    columns: data.tableSchema.columns.map((one) => {
      const zone = one["ical:tzid"];
      if (zone === undefined || isTimeZone(zone)) return columnOf(one);
      return refuse(`"${zone}" of column "${one.titles}" is no IANA time zone`);
    }),
    csv: dialect && {
      decimal: more.get("decimal") === "," ? "," : ".",
      delimiter: dialect.delimiter,
      safe: more.get("safe") === true,
      synthetic: dialect.commentPrefix === "#",
    },
    provenance: run && {
      operation: run["rdfs:label"],
      parameters: Object.fromEntries(parameters),
      fetchedAt: run["prov:endedAtTime"],
      sha256: run["prov:used"].map((used) => used["schema:sha256"]),
      world: worldOf(more.get("world"), (found) => refuse(found)),
      attribution: data["dc:rights"] ?? [],
      ...(data["rdfs:comment"] ? { notes: data["rdfs:comment"] } : {}),
    },
  };
}

function worldOf(value: Value | undefined, refuse: (found: string) => never): World {
  if (value === "sample" || value === "own" || value === "live") return value;
  return refuse(`its world ${JSON.stringify(value)} is none of sample, own, live`);
}
