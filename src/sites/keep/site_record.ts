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
  /** Address of the dataset's own description. */
  readonly url: string;
  /** Attributions that the data require, as the site has them that was imported last. */
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
  /** First stamp, milliseconds since 1970 UTC. */
  readonly start: number;
  readonly hours: number;
  /** Meaning of a stamp: an instant, or the start of an hour. */
  readonly stamp: Stamp;
  readonly file: string;
  /** Attributions that its data require. */
  readonly attribution: readonly string[];
}

/** What a calibration was fitted to: as long as that is unchanged, the calibration is kept. */
export interface TrainingBasis {
  /** Hash of its inputs besides production: turbine and reanalyses. */
  readonly declaration: string;
  readonly engine: string;
  /** Stretches of hourly production, with the hash of their values; masked hours have none. */
  readonly hours: readonly {
    readonly start: number;
    readonly length: number;
    readonly hash: string;
  }[];
  /** Energies of months and years, kWh, `null` where it is missing or masked, and their share of the hours, 1 unless given. */
  readonly periods: readonly {
    readonly label: string;
    readonly energy: number | null;
    readonly share?: number;
  }[];
}

/** A reanalysis that was calibrated on the production, and its part in the index. */
export interface StoredReanalysis {
  readonly serviceId: string;
  /** Weight of its power in the index, 0 to 1. */
  readonly weight: number;
  readonly calibration: Calibration;
  /** Root mean square error of unseen periods, as a share of the mean power; `null` where it was not compared. */
  readonly error: number | null;
  /** Median lag of production behind its model, h; `null` without hourly production. */
  readonly lag: number | null;
  /** Trend of its annual energies, % a decade; `null` with fewer than three years. */
  readonly trend: number | null;
}

/** A calibration as stored: with the window, the reference period and the choices made. */
export interface StoredCalibration {
  /** Revision, counted from 1. */
  readonly revision: number;
  /** Factor, periods, residual; of several reanalyses that with the largest weight. */
  readonly calibration: Calibration;
  /** The reanalyses that were calibrated, in the order declared. */
  readonly reanalyses: readonly StoredReanalysis[];
  /** How they became one model, and its error of unseen periods. */
  readonly choice: Pick<ReanalysisChoice, "kind" | "error">;
  /** First day of the training window, `2018-01-01`; `null` of a location index, which is not calibrated. */
  readonly trainingStart: string | null;
  readonly trainingEnd: string | null;
  readonly referenceYears: readonly number[];
  /** Choices and missing inputs, in words. */
  readonly notes: readonly string[];
  readonly findings: readonly string[];
  readonly basis: TrainingBasis;
  /** Mean annual energy of the reference period by the climate it was calibrated with, kWh. */
  readonly meanAnnualEnergy: number;
  /**
   * Mean energy of each calendar month of the reference period, January first, kWh; they add up to the mean annual energy.
   * What indices are relative to stays with the calibration.
   */
  readonly normalMonths: readonly number[];
  readonly uncertainty: Omit<Uncertainty, "months">;
  /** Distance of its only climate point from the turbine, km; `null` where wind is interpolated between points. */
  readonly pointDistance: number | null;
  /** Correlation of hourly production with the model; `null` without hours. */
  readonly hourCorrelation: number | null;
}

/** What the production of a turbine amounts to, of one unit. */
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

/** What a person must act on. */
export interface StoredDoubt {
  readonly text: string;
  /** What it is about, which stays the same while the figures change, as from month to month. */
  readonly cause: string;
}

/** An edition of a turbine's figures with something new in it. */
export interface Publication {
  readonly edition: number;
  /** When it was stored, milliseconds since 1970 UTC. */
  readonly at: number;
  /** Its production, where that was new. */
  readonly production: ProductionSummary | null;
}

export interface StoredTurbine {
  readonly turbine: Turbine;
  /** Site file it came with. */
  readonly site: string;
  /** Attributions that the data behind its figures require. */
  readonly attribution: readonly string[];
  /** How often its figures have been computed: what was published together has one edition. */
  readonly edition: number;
  /** The last editions with something new, in order. */
  readonly published: readonly Publication[];
  /** Its calibration, or what stands for it in a location index; `null` until it has production. */
  readonly calibration: StoredCalibration | null;
  /** What its production amounts to, also what is not fitted; `null` without any. */
  readonly production: ProductionSummary | null;
  /** Findings and notes on which a person must act. */
  readonly doubts: readonly StoredDoubt[];
  /** Hash of all that decided its figures: while it is the same they need not be computed. */
  readonly inputs: string;
  /** Its hourly model, an immutable Parquet file; `null` until it is calibrated. */
  readonly modelFile: string | null;
}

/** The figures of a month, one revision of them: all that the API reports of it. */
export interface StoredMonth extends Required<WindIndicesRow> {
  /** Revision of the calibration behind the figures. */
  readonly calibration: number;
  /** Edition of the turbine's figures that they belong to. */
  readonly edition: number;
}

/** The last month of a turbine whose latest figures are there. */
export interface LastMonth extends TurbineItem, CalendarMonth {}

/** The figures of a month before the store counts its revision. */
export type FreshMonth = Omit<StoredMonth, "revision" | "calibration" | "edition">;

/** Months of a turbine whose published figures changed. */
export interface RevisedMonths {
  /** Those with another index or energy, `2023-05`, in order of time. */
  readonly own: readonly string[];
  /** Number of those where only the status changed, or a figure of twelve months, a quarter or a year. */
  readonly trailing: number;
}

/** The content of one site file; it is stored completely or not at all. */
export interface SiteRecord {
  readonly site: string;
  /** Hash of the declaration and of all sources. */
  readonly fingerprint: string;
  /** Path of the site file, which is imported again for new months; `undefined` where there is none. */
  readonly siteFile?: string | undefined;
  /** Where its figures come from; a store has invented figures or real ones, never both. */
  readonly world: World;
  readonly datasets: readonly Omit<Dataset, "id">[];
  readonly points: readonly Omit<StoredPoint, "attribution">[];
  /** The turbines that were computed, each with its months; editions and revisions of months are counted by the store. */
  readonly turbines: readonly {
    readonly stored: Omit<StoredTurbine, "site" | "attribution" | "edition" | "published">;
    readonly months: readonly FreshMonth[];
  }[];
  /** Identifiers of its turbines that stay as they are stored, with their months and their edition. @default none */
  readonly keptTurbines?: readonly string[];
}
