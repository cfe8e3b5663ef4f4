import { formatMonthLabel } from "../../time/zones.ts";
import { z } from "zod";
import { type Column, wireName } from "../../api/columns/column.ts";
import { figures, monthRecord, monthState, turbineId } from "../../api/columns/columns.ts";
import { monthlyReportResource } from "../../api/resources/report_resource.ts";
import { turbineDetailsResource } from "../../api/resources/resources.ts";
import { lastWindIndex, turbineDetailsFields } from "../../api/columns/turbine_columns.ts";
import { buildRecordRows, type Field, type Fields } from "../../show/record_rows.ts";
import { formatCount, formatShare, isShare } from "../../show/text/numbers.ts";
import { attachProvenance, formatOrigin, type Provenance } from "../../frames/origin/provenance.ts";
import { showAsCard } from "../../show/card.ts";

/** Resources state a unit as the last sentence of the description. */
const UNIT = / ?Unit: (\S+)\.$/;

function buildField(column: Column): Field {
  const { label, unit, decimals, description } = column;
  const short = (value: unknown) =>
    typeof value === "number" && value >= 0 && value <= 1 ? `${formatShare(value)} %` : undefined;
  return { label, unit, decimals, description, ...(isShare(column) ? { short } : {}) };
}

/** Formats "mean_annual_production_low" as "Mean annual production, low"; a single letter keeps its case. */
function formatLabel(name: string): string {
  const end = /_(low|high)$/.exec(name);
  const words = name.slice(0, end?.index).replaceAll("_", " ");
  const label = words.length === 1 ? words : words.charAt(0).toUpperCase() + words.slice(1);
  return end ? `${label}, ${end[1]}` : label;
}

/** Unwraps nullable and optional schemas; the description is on one of the layers. */
function unwrapSchema(schema: z.ZodType): { schema: z.ZodType; description: string } {
  let description = schema.description ?? "";
  while (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    schema = schema.unwrap() as z.ZodType;
    description ||= schema.description ?? "";
  }
  return { schema, description };
}

/** Builds the fields of an object from its schema; a column of the same name gives label and unit. */
function buildResourceFields(resource: z.ZodType, columns: ReadonlyMap<string, Column>): Fields {
  if (!(resource instanceof z.ZodObject)) return new Map();
  const shape = resource.shape as Record<string, z.ZodType>;
  return new Map(
    Object.entries(shape).map(([name, declared]) => {
      const { schema, description } = unwrapSchema(declared);
      const column = columns.get(name);
      const field: Field = column ? buildField(column) : {
        label: formatLabel(name),
        unit: UNIT.exec(description)?.[1],
        description: description.replace(UNIT, "") || undefined,
      };
      return [name, { ...field, fields: buildResourceFields(schema, columns) }];
    }),
  );
}

/** Replaces properties of some declared fields. */
function overrideFields(fields: Fields, words: Readonly<Record<string, Field>>): Fields {
  const overridden = Object.entries(words).map(([name, field]): [string, Field] => [
    name,
    { ...fields.get(name), ...field },
  ]);
  return new Map([...fields, ...overridden]);
}

function mapByWireName(columns: readonly Column[]): ReadonlyMap<string, Column> {
  return new Map(columns.map((column) => [wireName(column), column]));
}

/** "22 points, 4 to 25 m/s, pcPitch"; the fields were checked when the answer was read. */
function formatCurve(value: unknown): string {
  const { power, power_control } = value as {
    power: { wind_speed: number }[];
    power_control: string | null;
  };
  const control = power_control === null ? "" : `, ${power_control}`;
  if (power.length === 0) return `no points${control}`;
  const speeds = power.map(({ wind_speed }) => wind_speed);
  const lowest = speeds.reduce((a, b) => Math.min(a, b));
  const highest = speeds.reduce((a, b) => Math.max(a, b));
  return `${power.length} points, ${lowest} to ${highest} m/s${control}`;
}

/** "12 months, 2023-06 to 2024-05"; the history of another service is not checked. */
function formatHistory(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const [first, last] = [value[0], value[value.length - 1]].map((month) => month?.period);
  return typeof first === "string" && typeof last === "string"
    ? `${value.length} months, ${first} to ${last}`
    : undefined;
}

/** Formats only the count: the texts would fill the card. */
function formatLength(noun: string): (value: unknown) => string | undefined {
  return (value) => Array.isArray(value) ? formatCount(value.length, noun) : undefined;
}

/** Fields of turbine details. */
export const turbineFields: Fields = overrideFields(
  buildResourceFields(turbineDetailsResource, mapByWireName(turbineDetailsFields)),
  {
    latitude: { decimals: 4 }, // 10 m
    longitude: { decimals: 4 },
    [lastWindIndex.name]: {
      label: lastWindIndex.label,
      short: (month) => formatMonthLabel(month as { year: number; month: number }),
    },
    power_curve: { short: formatCurve },
  },
);

/** Fields of the figures of a month. */
export const monthFields: Fields = new Map(
  monthRecord.map((column) => [column.name, buildField(column)]),
);

const reportResource = buildResourceFields(
  monthlyReportResource,
  mapByWireName([turbineId, ...figures, ...monthState]),
);

const overrideInner = (name: string, words: Readonly<Record<string, Field>>): Field => ({
  fields: overrideFields(reportResource.get(name)?.fields ?? new Map(), words),
});

/** Fields of a monthly report. */
export const reportFields: Fields = overrideFields(reportResource, {
  history: { short: formatHistory },
  notes: { short: formatLength("note") },
  reference_period: overrideInner("reference_period", {
    inter_annual_variability: { label: "Inter-annual variability" },
  }),
  calibration: overrideInner("calibration", {
    parameters: { short: formatLength("value") },
    candidates: { short: formatLength("scaling") },
    reanalyses: { short: formatLength("dataset") },
    findings: { short: formatLength("finding") },
  }),
});

/** Makes a record of the service show itself as a card and have a provenance. It stays a plain object. */
export function showRecord<T extends object>(
  record: T,
  title: string,
  fields: Fields,
  provenance: Provenance,
): T {
  return showAsCard(attachProvenance(record, provenance), () => ({
    title,
    rows: buildRecordRows(record, fields),
    caption: formatOrigin([provenance]),
    synthetic: provenance.world === "sample",
  }));
}
