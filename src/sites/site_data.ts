import type { World } from "../api/world.ts";
import type { ProductionFormat } from "../frames/production/production_format.ts";
import type { Provenance } from "../frames/origin/provenance.ts";
import type { SingleHeightShear } from "../windindex/turbine/hub_conditions.ts";
import type { ClimatePoint } from "../windindex/climate/climate.ts";
import type { Production } from "../windindex/calibration/production.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";
import type { Dataset } from "./keep/site_record.ts";
import type { Location } from "../windindex/climate/site_weights.ts";
import { ArgumentError, DataFormatError } from "../api/errors.ts";
import { formatCount, listNames } from "../show/text/numbers.ts";

/** Days whose production must not be fitted: a declared outage or curtailment. */
export interface Exclusion {
  /** First day, `2003-01-01`, in the turbine's zone. */
  readonly from: string;
  /** Last day, included. */
  readonly to: string;
  /** Reason, as the site file gives it. */
  readonly reason: string;
}

/** A reanalysis of a site: one dataset and its points. */
export interface Reanalysis {
  readonly dataset: Omit<Dataset, "id">;
  /** Its points. */
  readonly climate: readonly ClimatePoint[];
  /** Whether each turbine has the nearest of them, used unchanged. @default {false} those around it */
  readonly nearest?: boolean;
  /** How to reach hub height where it has one height only. */
  readonly shear?: SingleHeightShear;
}

/** Climate, turbines and production of a site, read and checked, before anything is computed or stored. */
export interface SiteData {
  /** Name of the site. */
  readonly site: string;
  /** Hash of the declaration and of all sources. */
  readonly fingerprint: string;
  /** Path of its site file; `undefined` where a program defines it. */
  readonly siteFile?: string | undefined;
  /** Where its figures come from: the sample if a file says that they are invented. */
  readonly world: World;
  /** What a reader of its figures should know of the sources of its climate, in sentences. @default none */
  readonly sourceNotes?: readonly string[];
  /** Its reanalyses, the usual one first; each is calibrated, and their errors decide which make the index. */
  readonly reanalyses: readonly Reanalysis[];
  /** Turbines with their production, by one unit. */
  readonly turbines: readonly {
    readonly turbine: Turbine;
    readonly production: readonly Production[];
    readonly exclusions: readonly Exclusion[];
    /** Whether it gets the index of its place as long as it has no production. @default {false} */
    readonly locationIndex?: boolean;
    /** Zone in which the stamps of its production are read. @default several, or none */
    readonly stampZone?: string | undefined;
    /** Unit and resolution that its production is declared in. @default several, or none */
    readonly format?: Pick<ProductionFormat, "unit" | "resolution"> | undefined;
    /** How the production was averaged to hours, in sentences. @default none */
    readonly notes?: readonly string[];
  }[];
  /** Turbines that are not among them, as their data cannot be used, with their places. @default none */
  readonly failures?: readonly (TurbineFailure & Location)[];
}

/** Builds the provenance of what is made of a site's data. */
export function describeSource(
  { fingerprint, world, reanalyses, sourceNotes: notes = [] }: SiteData,
  operation: string,
  parameters: Provenance["parameters"],
): Provenance & { readonly notes: readonly string[] } {
  const attribution = [...new Set(reanalyses.flatMap(({ dataset }) => dataset.attribution))];
  return { operation, parameters, sha256: [fingerprint], world, attribution, notes };
}

/** Why a turbine was not imported, while the others of its site were. */
export interface TurbineFailure {
  /** Identifier of the turbine. */
  readonly id: string;
  /** What is wrong with its data, what to do, and what is stored of it. */
  readonly message: string;
}

/**
 * Turns an error in the data of a turbine into its failure.
 *
 * @throws The error itself, if it is not about data
 */
export function toFailure(id: string, error: unknown): TurbineFailure {
  if (!(error instanceof ArgumentError || error instanceof DataFormatError)) throw error;
  return { id, message: error.message };
}

/** Whether a turbine failed. */
export function hasFailed(one: object): one is TurbineFailure {
  return "message" in one;
}

/** Formats failures, a line for all turbines with the same message. */
export function formatFailures(failures: readonly TurbineFailure[]): string[] {
  return [...Map.groupBy(failures, ({ message }) => message)].map(([message, all]) =>
    `  ${listNames(all.map(({ id }) => id))}: ${message}`
  );
}

/** Describes an import without some turbines, as the message of a command has it. */
export function describePartial(
  { site, failures }: { readonly site: string; readonly failures: readonly TurbineFailure[] },
): string {
  return `Cannot import all of ${site}: ${formatCount(failures.length, "turbine")} failed\n` +
    formatFailures(failures).join("\n");
}

/**
 * Refuses a site of which no turbine can be imported.
 *
 * @throws {ArgumentError} Always; the message has all failures
 */
export function refuseAll(site: string, failures: readonly TurbineFailure[]): never {
  const [{ id, message }] = failures;
  throw new ArgumentError(
    failures.length === 1
      ? `Cannot import ${id}: ${message}`
      : `Cannot import ${site}: all of its ${failures.length} turbines failed\n` +
        formatFailures(failures).join("\n"),
  );
}
