import { z } from "zod";
import { visibleText } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { columnsByTurbine, namesByTurbine } from "../../frames/production/production_format.ts";
import { buildEra5Attribution, DEFAULT_DATASET, SOURCE_DATASETS } from "./climate_rules.ts";
import { siteSchema } from "./site_schema.ts";

/** Problems that a message lists: more than a person declares, fewer than a hostile file may have. */
const MAX_PROBLEMS = 200;

type Issue = z.core.$ZodIssue;

/** Faults of the alternative that was meant, which is the one with the fewest faults inside; else that none matches. */
function openUnions(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const [meant] = issue.errors.map((issues) => issues.flatMap(openUnions))
    .filter((issues) =>
      issues.every(({ path, code, input }) =>
        path.length === 0
          ? code !== "invalid_type"
          // Without the word that says of which kind it is, it was not meant as this one.
          : code !== "invalid_value" || path.length > 1 || input !== undefined
      )
    )
    .toSorted((a, b) => a.length - b.length);
  if (!meant) return [issue];
  return meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function formatPlace(parts: readonly PropertyKey[]): string {
  return parts.map((part) =>
    typeof part === "number"
      ? `[${part}]`
      : /^[\w-]+$/.test(String(part))
      ? `.${String(part)}`
      : `[${JSON.stringify(visibleText(String(part)))}]`
  ).join("").replace(/^\./, "");
}

/** Lists what is wrong with a declaration, each fault with its place. */
export function listProblems(issues: readonly Issue[]): string[] {
  return issues.flatMap(openUnions).flatMap(({ path, message }) =>
    // An object has one issue for all of its unknown fields.
    message.split(/; (?=the field ")/).map((one) => `${formatPlace(path) || "the site"}: ${one}`)
  );
}

/** Formats faults behind what was tried: one after a colon, several each on a line of its own. */
function formatProblems(problems: readonly string[]): string {
  if (problems.length === 1) return `: ${problems[0]}`;
  const more = problems.length - MAX_PROBLEMS;
  return [
    `, ${problems.length} faults:`,
    ...problems.slice(0, MAX_PROBLEMS),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n  ");
}

type Declared = z.infer<typeof siteSchema>;
type DeclaredDataset = NonNullable<Declared["dataset"]>;
type DeclaredClimate = Declared["climate"];

/** A climate source of a site file: files of a point or of the points of NetCDF4. */
export type ClimateSource = Extract<DeclaredClimate, readonly unknown[]>[number];

/** A dataset of a site file and where its climate comes from. */
export interface SiteReanalysis {
  /** The dataset; without attribution where that of its source is taken. */
  dataset: DeclaredDataset & { attribution: string[] };
  /** Its climate sources; empty where it is fetched when the site is imported. */
  climate: ClimateSource[];
  source?: Exclude<DeclaredClimate, readonly unknown[]>;
  /** How to reach hub height, for wind at one height only. */
  shear?: Declared["shear"];
}

/** Fills in what a reanalysis may leave out, and takes its climate apart: sources in a list, or the service that has it. */
export function completeReanalysis(
  { dataset, climate, shear }: Partial<Declared> & Pick<Declared, "climate">,
): SiteReanalysis {
  const inFiles = Array.isArray(climate);
  const named = dataset ?? {
    ...{ long_description: "", url: "" },
    ...inFiles ? DEFAULT_DATASET : SOURCE_DATASETS[climate.source],
  };
  const attribution = named.attribution ??
    (inFiles && named.service_id === "era5" ? [buildEra5Attribution()] : []);
  return {
    dataset: { ...named, attribution: [...attribution] },
    ...(inFiles ? { climate } : { climate: [], source: climate }),
    ...(shear ? { shear } : {}),
  };
}

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
