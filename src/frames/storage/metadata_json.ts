import {
  baseTypes,
  type CsvDialect,
  type FrameMetadata,
  type SavedColumn,
  type Value,
} from "./frame_metadata.ts";
import { formatMissingSource } from "../../show/sample_use.ts";
import { formatOrigin, type Provenance } from "../provenance.ts";

function listProperties(values: Readonly<Record<string, Value | undefined>>) {
  return Object.entries(values).filter(([, value]) => value !== undefined).map(([name, value]) => ({
    "@type": "schema:PropertyValue",
    "schema:propertyID": name,
    "schema:value": value as Value,
  }));
}

function formatColumn({ name, dtype, timeZone, column }: SavedColumn, csv?: CsvDialect) {
  const base = dtype && baseTypes[dtype];
  const format = dtype === "f64" && csv ? { format: { decimalChar: csv.decimal } } : {};
  const [low, high] = column?.range ?? [null, null];
  return {
    titles: name,
    ...(base ? { datatype: { base, ...format } } : {}),
    ...(column?.key ? { required: true } : {}),
    ...(timeZone ? { "ical:tzid": timeZone } : {}),
    ...(column
      ? {
        "rdfs:label": column.label,
        "dc:description": column.description,
        ...(column.unit === undefined ? {} : { "schema:unitText": column.unit }),
        ...(low === null ? {} : { "schema:minValue": low }),
        ...(high === null ? {} : { "schema:maxValue": high }),
        "schema:additionalProperty": listProperties({
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

function formatSource(
  { operation, parameters, fetchedAt, sha256, world, attribution, notes }: Provenance,
) {
  return {
    "@type": "prov:Activity",
    "rdfs:label": operation,
    "schema:additionalType": world,
    ...(fetchedAt === undefined ? {} : { "prov:endedAtTime": fetchedAt }),
    "schema:additionalProperty": listProperties(parameters),
    "prov:used": sha256.map((hash) => ({ "schema:sha256": hash })),
    "dc:rights": attribution,
    ...(notes ? { "rdfs:comment": notes } : {}),
  };
}

export function formatMetadata(
  { file, sha256, csv, columns, origin, synthetic }: FrameMetadata,
): string {
  const [title = formatMissingSource()] = formatOrigin(origin);
  return JSON.stringify(
    {
      "@context": ["http://www.w3.org/ns/csvw", { "@language": "en" }],
      url: encodeURIComponent(file),
      "dc:title": title,
      "schema:sha256": sha256,
      "prov:wasGeneratedBy": origin.map(formatSource),
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
      tableSchema: { columns: columns.map((column) => formatColumn(column, csv)) },
      "schema:additionalProperty": listProperties({
        synthetic,
        decimal: csv?.decimal,
        safe: csv?.safe,
      }),
    },
    null,
    2,
  ) + "\n";
}
