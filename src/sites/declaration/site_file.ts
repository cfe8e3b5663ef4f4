import { z } from "zod";
import { visibleText } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { columnsByTurbine, namesByTurbine } from "../../frames/production/production_format.ts";
import { buildEra5Attribution, DEFAULT_DATASET, SOURCE_DATASETS } from "./climate_rules.ts";
import { siteSchema } from "./site_schema.ts";

/** Most problems in a message: more than a real file has, fewer than a hostile file may have. */
const MAX_PROBLEMS = 200;

type Issue = z.core.$ZodIssue;

/** Returns the issues of the alternative that the user probably meant: the one with the fewest issues. If none fits, the union's own issue. */
function openUnions(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const [closest] = issue.errors.map((issues) => issues.flatMap(openUnions))
    .filter((issues) =>
      issues.every(({ path, code, input }) =>
        path.length === 0
          ? code !== "invalid_type"
          // Without its discriminating field, the value was not meant as this alternative.
          : code !== "invalid_value" || path.length > 1 || input !== undefined
      )
    )
    .toSorted((a, b) => a.length - b.length);
  if (!closest) return [issue];
  return closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
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

/** Lists the problems of a declaration, each with its place. */
export function listProblems(issues: readonly Issue[]): string[] {
  return issues.flatMap(openUnions).flatMap(({ path, message }) =>
    // An object has one issue for all of its unknown fields.
    message.split(/; (?=the field ")/).map((one) => `${formatPlace(path) || "the site"}: ${one}`)
  );
}

/** Formats problems for the end of a message: one after a colon, several on a line each. */
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

/** A climate source of a site file: the files of one point, or NetCDF4 files with several points. */
export type ClimateSource = Extract<DeclaredClimate, readonly unknown[]>[number];

/** A dataset of a site file and where its climate comes from. */
export interface SiteReanalysis {
  /** The dataset; an empty attribution is filled in from the fetched source. */
  dataset: DeclaredDataset & { attribution: string[] };
  /** Its climate sources; empty if the import fetches the climate. */
  climate: ClimateSource[];
  source?: Exclude<DeclaredClimate, readonly unknown[]>;
  /** Wind shear up to hub height, for wind at one height only. */
  shear?: Declared["shear"];
}

/** Fills in the defaults of a reanalysis, and splits its climate into a list of files or a service. */
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

/** A site file: climate sources, turbines and their production; its `production` entries cover several turbines. */
export interface SiteFile
  extends Omit<Declared, keyof SiteReanalysis | "other_reanalyses">, SiteReanalysis {
  /** Additional reanalyses. */
  other_reanalyses?: SiteReanalysis[] | undefined;
}

/** A turbine of a site file. */
export type SiteTurbine = SiteFile["turbines"][number];

/**
 * Checks the declaration of a site, from a file or a program, and fills in defaults.
 *
 * @param value The declaration
 * @param act The operation, for the message, such as `import site.json`
 * @param earlierProblems Problems found before, each with its place
 * @returns The site; production of several turbines becomes an entry of each turbine
 * @throws {ArgumentError} If the declaration is not valid; the message lists each place, the value found there, and the
 * remedy
 */
export function parseSite(
  value: unknown,
  act: string,
  earlierProblems: readonly string[] = [],
): SiteFile {
  const { error, data } = siteSchema.safeParse(dropSchema(value), { reportInput: true });
  const problems = [...earlierProblems, ...listProblems(error?.issues ?? [])];
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

/** Returns the JSON Schema of site files; editors use it for checks and completion. */
export function siteFileSchema(): string {
  const { $schema, properties, ...rest } = z.toJSONSchema(siteSchema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => void delete jsonSchema.readOnly, // from TypeScript's readonly: users may write these fields
  });
  const all = { $schema, title: "Site file of Vindkit", ...rest };
  return formatSiteFile({ ...all, properties: { $schema: { type: "string" }, ...properties } });
}
