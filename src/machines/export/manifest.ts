import { z } from "zod";
import { ConfigurationError } from "../../api/errors.ts";
import { sha256 } from "../../disk/hashes.ts";
import type { ExportTable, ExportTarget } from "./export_table.ts";

/** Version of the manifest and of the layout of the files. */
const SCHEMA_VERSION = 1;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const groupSchema = z.object({
  /** The turbines, in the order of the rows, each with the edition of its figures. */
  turbines: z.array(z.object({ turbine_id: z.string(), edition: count })).min(1),
  /** Attributions that their data require. */
  attribution: z.array(z.string()),
  /** Hash of the turbines' records in the store. */
  fingerprint: hash,
});

const fileSchema = z.object({
  /** Path below the folder of the manifest. */
  path: z.string(),
  year: z.int(),
  rows: count,
  bytes: count,
  sha256: hash,
  /** Position of its group. */
  group: count,
});

const manifestSchema = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  table: z.string(),
  /** Counts the exports that have changed anything here, from 1: no two manifests are the same. */
  number: z.int().min(1),
  world: z.enum(["sample", "own", "live"]),
  columns: z.array(z.object({
    name: z.string(),
    type: z.string(),
    unit: z.string().nullable(),
    description: z.string(),
  })),
  groups: z.array(groupSchema),
  files: z.array(fileSchema),
});

/** A group as written: its part of the manifest. */
export const writtenSchema = z.object({
  /** Its source; missing if its turbines are gone. */
  group: groupSchema.optional(),
  /** Its files, one a year. */
  files: z.array(fileSchema.omit({ group: true })),
});

/** A group as written: its part of the manifest. */
export type WrittenGroup = z.infer<typeof writtenSchema>;

/** Sources of an exported table, and its files: no other file is part of it. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Turbines whose rows are in the same files. */
export type ManifestGroup = z.infer<typeof groupSchema>;

/** Name of the manifest of a table: next to the folder, because readers expect only data in it. */
export function nameManifest(table: ExportTable): string {
  return `${table.name}.manifest.json`;
}

/** Parts that differ between two manifests of a table. */
export type ManifestContent = Pick<Manifest, "number" | "world" | "groups" | "files">;

function describeColumns(table: ExportTable): Manifest["columns"] {
  return table.columns.map(({ name, dtype, unit = null, description }) => ({
    name,
    type: dtype,
    unit,
    description,
  }));
}

/** Hash of the layout in which this version of the program writes a table. */
export function hashLayout(table: ExportTable): string {
  return sha256(JSON.stringify([SCHEMA_VERSION, describeColumns(table)]));
}

/** The text of a manifest. */
export function formatManifest(table: ExportTable, content: ManifestContent): string {
  const manifest: Manifest = {
    schema_version: SCHEMA_VERSION,
    table: table.name,
    columns: describeColumns(table),
    ...content,
  };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/**
 * Parses the manifest of an earlier export.
 *
 * @param text Its text; `undefined` if there is none
 * @returns Its content; without a text, an empty manifest with number 0
 * @throws {ConfigurationError} If it is damaged, or belongs to another kind of export
 */
export function parseManifest(
  text: string | undefined,
  target: ExportTarget,
  table: ExportTable,
): Omit<ManifestContent, "world"> {
  if (text === undefined) return { number: 0, groups: [], files: [] };
  const refuse = (problem: string, cause?: unknown): never => {
    throw new ConfigurationError(
      `Cannot export to ${target.address}: its file ${
        nameManifest(table)
      } ${problem}. Name another ` +
        `folder. To export everything again, remove this file and the folder ${table.name} next to it`,
      { cause },
    );
  };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    return refuse("is damaged and not JSON", cause);
  }
  const { success, data, error } = manifestSchema.safeParse(parsed);
  if (!success) {
    const [{ path, message }] = error.issues;
    return refuse(`is not a manifest that this version can read (${path.join(".")}: ${message})`);
  }
  if (data.table !== table.name) return refuse(`belongs to the table "${data.table}"`);
  return data;
}
