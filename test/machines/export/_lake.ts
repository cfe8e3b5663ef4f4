/**
 * Content of an export, read only by its manifest.
 *
 * @module
 */
import pl, { type DataFrame } from "nodejs-polars";
import type { Manifest } from "../../../src/machines/export/manifest.ts";
import type { ExportTable } from "../../../src/machines/export/export_table.ts";
import { sha256 } from "../../../src/disk/hashes.ts";

/** The manifest of a table. */
export async function readManifest(lake: string, { name }: ExportTable): Promise<Manifest> {
  return JSON.parse(await Deno.readTextFile(`${lake}/${name}.manifest.json`));
}

/** All rows of a table from the files in its manifest; checks the size and the hash of each. */
export async function readLake(lake: string, table: ExportTable): Promise<DataFrame> {
  const { files } = await readManifest(lake, table);
  const frames: DataFrame[] = [];
  for (const { path, year, rows, bytes, sha256: hash } of files) {
    const content = await Deno.readFile(`${lake}/${path}`);
    if (content.length !== bytes || sha256(content) !== hash) throw new Error(`${path} is damaged`);
    const frame = pl.readParquet(`${lake}/${path}`);
    if (frame.height !== rows) throw new Error(`${path} has ${frame.height} rows`);
    frames.push(frame.withColumns(pl.lit(year).cast(pl.Int32).alias("year")));
  }
  return pl.concat(frames);
}

/** Data files below the folder of a table, by path. */
export function listFiles(lake: string, { name }: ExportTable): string[] {
  return [...Deno.readDirSync(`${lake}/${name}`)].flatMap((year) =>
    [...Deno.readDirSync(`${lake}/${name}/${year.name}`)].map((file) =>
      `${name}/${year.name}/${file.name}`
    )
  ).sort();
}

/** Values of a column, null among them. */
export function valuesOf(frame: DataFrame, column: string): unknown[] {
  return frame.getColumn(column).toArray();
}

/** Rows of one turbine. */
export function selectTurbine(frame: DataFrame, id: string): DataFrame {
  return frame.filter(pl.col("turbine_id").eq(pl.lit(id)));
}
