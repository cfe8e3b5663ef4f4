import {
  baseTypes,
  type CsvDialect,
  type FrameMetadata,
  type SavedColumn,
  type Value,
} from "./frame_metadata.ts";
import { formatProvenance } from "../provenance.ts";

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
    ...(column?.notNull ? { required: true } : {}),
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

export function formatMetadata({ file, sha256, csv, columns, provenance }: FrameMetadata): string {
  const { operation, parameters, fetchedAt, world, attribution, notes } = provenance ?? {};
  const [title] = provenance ? formatProvenance(provenance) : [];
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
            "schema:additionalProperty": listProperties(parameters!),
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
      tableSchema: { columns: columns.map((column) => formatColumn(column, csv)) },
      "schema:additionalProperty": listProperties({
        world,
        decimal: csv?.decimal,
        safe: csv?.safe,
      }),
    },
    null,
    2,
  ) + "\n";
}
