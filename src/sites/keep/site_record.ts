import type { CalendarMonth, WindIndicesRow } from "../../api/columns/month_columns.ts";
import type { TurbineItem } from "../../api/columns/turbine_columns.ts";
import type { World } from "../../api/world.ts";
import type { Calibration } from "../../windindex/calibration/calibration.ts";
import type { ReanalysisChoice } from "../../windindex/reanalyses/choose_reanalyses.ts";
import type { Uncertainty } from "../../windindex/uncertainty/uncertainty.ts";
import type { Stamp } from "../../windindex/climate/climate.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";

/** A climate dataset. */
export interface Dataset {
  readonly id: number;
  readonly serviceId: string;
  readonly group: string;
  readonly type: string;
  readonly shortDescription: string;
  readonly longDescription: string;
  /** URL of the dataset's documentation. */
  readonly url: string;
  /** Attributions that the data require, as declared by the last imported site. */
  readonly attribution: readonly string[];
}

/** A series of a climate point, stored as an immutable Parquet file. */
export interface StoredPoint {
  readonly serviceId: string;
  /** Latitude, deg. */
  readonly latitude: number;
  /** Longitude, deg. */
  readonly longitude: number;
  /** Elevation of the model's ground, m. */
  readonly elevation: number | null;
  /** First timestamp, milliseconds since 1970 UTC. */
  readonly start: number;
  readonly hours: number;
  /** Meaning of a timestamp: an instant, or the start of an hour. */
  readonly stamp: Stamp;
  readonly file: string;
  /** Attributions that its data require. */
  readonly attribution: readonly string[];
}

/** The data that a calibration was fitted to: as long as they are unchanged, the calibration is kept. */
export interface TrainingBasis {
  /** Hash of its inputs other than production: turbine and reanalyses. */
  readonly declaration: string;
  readonly engine: string;
  /** Stretches of hourly production, with the hash of their values; masked hours count as missing. */
  readonly hours: readonly {
    readonly start: number;
    readonly length: number;
    readonly hash: string;
  }[];
  /** Energies of months and years, kWh, `null` if missing or masked, and their share of the hours, 1 by default. */
  readonly periods: readonly {
    readonly label: string;
    readonly energy: number | null;
    readonly share?: number;
  }[];
}

/** A reanalysis calibrated to the production, and its weight in the index. */
export interface StoredReanalysis {
  readonly serviceId: string;
  /** Weight of its power in the index, 0 to 1. */
  readonly weight: number;
  readonly calibration: Calibration;
  /** Root mean square error of unseen periods, as a share of the mean power; `null` if it was not compared. */
  readonly error: number | null;
  /** Median lag of production behind its model, h; `null` without hourly production. */
  readonly lag: number | null;
  /** Trend of its annual energies, % per decade; `null` with fewer than three years. */
  readonly trend: number | null;
}

/** A stored calibration, with its training window, reference period and choices. */
export interface StoredCalibration {
  /** Revision, counted from 1. */
  readonly revision: number;
  /** Factor, periods, residual; for several reanalyses, of the one with the largest weight. */
  readonly calibration: Calibration;
  /** The reanalyses that were calibrated, in the order declared. */
  readonly reanalyses: readonly StoredReanalysis[];
  /** How the reanalyses were combined, and the error of unseen periods. */
  readonly choice: Pick<ReanalysisChoice, "kind" | "error">;
  /** First day of the training window, `2018-01-01`; `null` for a location index. */
  readonly trainingStart: string | null;
  readonly trainingEnd: string | null;
  readonly referenceYears: readonly number[];
  /** Sentences on choices and missing inputs. */
  readonly notes: readonly string[];
  readonly findings: readonly string[];
  readonly basis: TrainingBasis;
  /** Mean annual energy of the reference period, from the climate of the calibration, kWh. */
  readonly meanAnnualEnergy: number;
  /**
   * Mean energy of each calendar month of the reference period, January first, kWh; they add up to the mean annual
   * energy. Stored with the calibration, so indices stay relative to the same normal.
   */
  readonly normalMonths: readonly number[];
  readonly uncertainty: Omit<Uncertainty, "months">;
  /** Distance of its only climate point from the turbine, km; `null` if wind is interpolated between points. */
  readonly pointDistance: number | null;
  /** Correlation of hourly production with the model; `null` without hours. */
  readonly hourCorrelation: number | null;
}

/** Summary of the production of a turbine, per unit. */
export interface ProductionSummary {
  /** First day with a value, in the turbine's zone, as "2023-01-01". */
  readonly from: string;
  /** Last day with a value. */
  readonly to: string;
  /** Hours whose production is known and possible. */
  readonly validHours: number;
  /** Mean power of these hours over rated power. */
  readonly capacityFactor: number;
}

/** A problem that a person must act on. */
export interface StoredDoubt {
  readonly text: string;
  /** The problem without its changing figures, so it is the same from month to month. */
  readonly cause: string;
}

/** An edition of a turbine's figures with something new in it. */
export interface Publication {
  readonly edition: number;
  /** When it was stored, milliseconds since 1970 UTC. */
  readonly at: number;
  /** Its production, if it was new. */
  readonly production: ProductionSummary | null;
}

export interface StoredTurbine {
  readonly turbine: Turbine;
  /** Site it belongs to. */
  readonly site: string;
  /** Attributions that the data behind its figures require. */
  readonly attribution: readonly string[];
  /** How often its figures have been computed; figures published together share an edition. */
  readonly edition: number;
  /** The last editions with something new, in order. */
  readonly published: readonly Publication[];
  /** Its calibration, or the uncalibrated record of a location index; `null` without either. */
  readonly calibration: StoredCalibration | null;
  /** Summary of its production, including values that are not fitted; `null` without production. */
  readonly production: ProductionSummary | null;
  /** Findings and notes that a person must act on. */
  readonly doubts: readonly StoredDoubt[];
  /** Hash of all its inputs: if unchanged, its figures need not be computed. */
  readonly inputs: string;
  /** Its hourly model, an immutable Parquet file; `null` without calibration. */
  readonly modelFile: string | null;
}

/** One revision of the figures of a month: everything that the API reports of it. */
export interface StoredMonth extends Required<WindIndicesRow> {
  /** Revision of the calibration behind the figures. */
  readonly calibration: number;
  /** Edition of the turbine that the figures belong to. */
  readonly edition: number;
}

/** The last month of a turbine with figures. */
export interface LastMonth extends TurbineItem, CalendarMonth {}

/** The figures of a month before the store assigns a revision. */
export type FreshMonth = Omit<StoredMonth, "revision" | "calibration" | "edition">;

/** Months of a turbine whose published figures changed. */
export interface RevisedMonths {
  /** Months with another index or energy, `2023-05`, in order of time. */
  readonly newEnergy: readonly string[];
  /** Number of months where only the status, or a figure of twelve months, a quarter or a year, changed. */
  readonly trailing: number;
}

/** The content of one site file; it is stored completely or not at all. */
export interface SiteRecord {
  readonly site: string;
  /** Hash of the declaration and of all sources. */
  readonly fingerprint: string;
  /** Path of the site file, which is imported again for new months; `undefined` without one. */
  readonly siteFile?: string | undefined;
  /** Where its figures come from; a store has invented figures or real ones, never both. */
  readonly world: World;
  readonly datasets: readonly Omit<Dataset, "id">[];
  readonly points: readonly Omit<StoredPoint, "attribution">[];
  /** The computed turbines, each with its months; the store assigns editions and revisions. */
  readonly turbines: readonly {
    readonly stored: Omit<StoredTurbine, "site" | "attribution" | "edition" | "published">;
    readonly months: readonly FreshMonth[];
  }[];
  /** Identifiers of the turbines that stay as stored, with their months and edition. @default none */
  readonly keptTurbines?: readonly string[];
}
