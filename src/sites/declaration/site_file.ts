import { z } from "zod";
import { ArgumentError } from "../../api/errors.ts";
import { parseJson } from "../../frames/json.ts";
import { columnsByTurbine, namesByTurbine } from "../../frames/production/production_series.ts";
import { formatProblems, listProblems } from "./format_problems.ts";
import { completeReanalysis, type SiteReanalysis } from "./site_reanalysis.ts";
import { siteSchema } from "./site_schema.ts";

type Declared = z.infer<typeof siteSchema>;

/** A site file: climate sources, turbines and their production; its own production entries are of several turbines. */
export interface SiteFile
  extends Omit<Declared, keyof SiteReanalysis | "other_reanalyses">, SiteReanalysis {
  /** Further reanalyses. */
  other_reanalyses?: SiteReanalysis[] | undefined;
}

/** A turbine of a site file. */
export type SiteTurbine = SiteFile["turbines"][number];

/**
 * Checks what is declared of a site, in a file or in a program, and fills in what may be left out.
 *
 * @param value What is declared
 * @param act What is being done, for the message, such as `import site.json`
 * @param found What is wrong besides, each with its place
 * @returns The site; production of several turbines is an entry of each
 * @throws {ArgumentError} If something is wrong; the message names each place, what was found there, and what to give
 */
export function parseSite(
  value: unknown,
  act: string,
  found: readonly string[] = [],
): SiteFile {
  const { error, data } = siteSchema.safeParse(dropSchema(value), { reportInput: true });
  const problems = [...found, ...listProblems(error?.issues ?? [])];
  if (!data || problems.length > 0) {
    throw new ArgumentError(`Cannot ${act}${formatProblems(problems)}`);
  }
  const { production = [], other_reanalyses, ...site } = data;
  const all = Object.fromEntries(site.turbines.map(({ id }) => [id, id]));
  const shared = production.map((entry) =>
    columnsByTurbine(entry) ? entry : { ...entry, turbines: namesByTurbine(entry) ?? all }
  );
  return {
    ...site,
    ...completeReanalysis(site),
    ...(other_reanalyses ? { other_reanalyses: other_reanalyses.map(completeReanalysis) } : {}),
    turbines: site.turbines.map((turbine) => ({
      ...turbine,
      production: [
        ...turbine.production,
        ...shared.filter((entry) =>
          Object.hasOwn(columnsByTurbine(entry) ?? entry.turbines!, turbine.id)
        ),
      ],
    })),
  };
}

/** Drops the address of the schema, which is for editors. */
function dropSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$schema" in value)) return value;
  const { $schema: _, ...site } = value;
  return site;
}

/**
 * Reads the text of a site file as JSON.
 *
 * @param file Its name, for messages
 * @throws {ArgumentError} If it is no JSON
 */
export function parseSiteText(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const found = (cause as Error).message.replace("Cannot parse JSON: ", "");
    throw new ArgumentError(`Cannot read ${file}: it is not JSON that can be read: ${found}`, {
      cause,
    });
  }
}

/** Formats a site as the text of a site file. */
export function formatSiteFile(site: unknown): string {
  return `${JSON.stringify(site, null, 2)}\n`;
}

/** The JSON Schema of site files, with which editors check and complete them. */
export function siteFileSchema(): string {
  const { $schema, properties, ...rest } = z.toJSONSchema(siteSchema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => void delete jsonSchema.readOnly, // of TypeScript's readonly: users may write them
  });
  const all = { $schema, title: "Site file of Vindkit", ...rest };
  return formatSiteFile({ ...all, properties: { $schema: { type: "string" }, ...properties } });
}
