/**
 * Site definitions made from a site file, with the same files or with frames of their values.
 *
 * @module
 */
import { readFrame } from "../../../src/frames/storage/read_frame.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import type { SiteDefinition } from "../../../src/sites/declaration/site_definition.ts";

function toProgram(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((one) => toProgram(one, folder));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, one]) => [
      field,
      field === "file"
        ? `${folder}/${one}`
        : field === "files"
        ? one.map((path: string) => `${folder}/${path}`)
        : toProgram(one, folder),
    ]),
  );
}

/**
 * Converts a site file to a definition.
 *
 * @param declared Content of the site file
 * @param folder The folder of the site file
 */
export function toDefinition(declared: unknown, folder: string): SiteDefinition {
  return toProgram(declared, folder) as SiteDefinition;
}

/** Replaces climate and production of a definition by frames. */
export async function withFrames(definition: SiteDefinition): Promise<SiteDefinition> {
  if ("source" in definition.climate) throw new Error("climate from its source is no frame");
  const climate = await Promise.all(definition.climate.map(async ({ files, ...source }) => ({
    ...source,
    frame: await readFrame(files![0]),
  })));
  const turbines = await Promise.all(
    definition.turbines.map(async ({ production, ...turbine }) => {
      if (!Array.isArray(production) || production.length === 0) return turbine;
      const [{ file, ...how }] = production;
      return { ...turbine, production: await readProduction(file, how) };
    }),
  );
  return { ...definition, climate, turbines };
}
