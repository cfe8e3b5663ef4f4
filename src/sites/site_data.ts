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
  readonly climate: readonly ClimatePoint[];
  /** Whether each turbine uses the nearest point, unchanged. @default {false} the points around it are interpolated */
  readonly nearest?: boolean;
  /** How to extrapolate to hub height if it has only one height. */
  readonly shear?: SingleHeightShear;
}

/** Climate, turbines and production of a site, read and checked, before anything is computed or stored. */
export interface SiteData {
  /** Name of the site. */
  readonly site: string;
  /** Hash of the declaration and of all sources. */
  readonly fingerprint: string;
  /** Path of its site file; `undefined` if a program defines the site. */
  readonly siteFile?: string | undefined;
  /** Where its figures come from: the sample if a file declares them invented. */
  readonly world: World;
  /** Sentences about its climate sources for readers of the figures. @default none */
  readonly sourceNotes?: readonly string[];
  /** Its reanalyses, the main one first; each is calibrated, and their errors decide which are used for the index. */
  readonly reanalyses: readonly Reanalysis[];
  /** Turbines, each with the production of one unit. */
  readonly turbines: readonly {
    readonly turbine: Turbine;
    readonly production: readonly Production[];
    readonly exclusions: readonly Exclusion[];
    /** Whether it gets a location index as long as it has no production. @default {false} */
    readonly locationIndex?: boolean;
    /** Time zone of its production's timestamps. @default several, or none */
    readonly stampZone?: string | undefined;
    /** Declared unit and resolution of its production. @default several, or none */
    readonly format?: Pick<ProductionFormat, "unit" | "resolution"> | undefined;
    /** How the production was averaged to hours, in sentences. @default none */
    readonly notes?: readonly string[];
  }[];
  /** Turbines left out because their data cannot be used, with their places. @default none */
  readonly failures?: readonly (TurbineFailure & Location)[];
}

/** Builds the provenance of results from a site's data. */
export function describeSource(
  { fingerprint, world, reanalyses, sourceNotes: notes = [] }: SiteData,
  operation: string,
  parameters: Provenance["parameters"],
): Provenance & { readonly notes: readonly string[] } {
  const attribution = [...new Set(reanalyses.flatMap(({ dataset }) => dataset.attribution))];
  return { operation, parameters, sha256: [fingerprint], world, attribution, notes };
}

/** A turbine that was not imported while others of its site were, and why. */
export interface TurbineFailure {
  /** Identifier of the turbine. */
  readonly id: string;
  /** The problem with its data, the remedy, and what is still stored of the turbine. */
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

/** Formats failures; turbines with the same message share a line. */
export function formatFailures(failures: readonly TurbineFailure[]): string[] {
  return [...Map.groupBy(failures, ({ message }) => message)].map(([message, all]) =>
    `  ${listNames(all.map(({ id }) => id))}: ${message}`
  );
}

/** Describes a partial import, for the message of a command. */
export function describePartial(
  { site, failures }: { readonly site: string; readonly failures: readonly TurbineFailure[] },
): string {
  return `Cannot import all of ${site}: ${formatCount(failures.length, "turbine")} failed\n` +
    formatFailures(failures).join("\n");
}

/**
 * Rejects a site without an importable turbine.
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
