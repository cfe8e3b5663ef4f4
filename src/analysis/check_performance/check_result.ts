import type { HourAxis } from "../../time/hourly.ts";
import type { ComputeLoss, Loss } from "./lost_energy.ts";
import type { Period, PeriodKind } from "./production.ts";
import type { PerformanceFound } from "./words.ts";

/** A month or a year of a comparison; energies in MWh, missing is NaN. */
export interface ComparedPeriod extends Period {
  /** Hours compared, where both sides are hourly; valid hours of a month or year. */
  readonly compared: number;
  /** Share of the hours that are compared. */
  readonly completeness: number;
  /** Produced energy, in the hours compared or in the whole period. */
  readonly produced: number;
  /** Energy that the model expects for the same. */
  readonly predicted: number;
  /** Energy of a normal period of the same name, scaled to the hours compared. */
  readonly normal: number;
  /** Effect of air density on the prediction. */
  readonly density: number;
}

/** A month or a year of a performance check. */
export interface PeriodResult extends ComparedPeriod {
  /** Produced over predicted energy outside of outages, as a share. */
  readonly running: number;
  /** Energy lost in outages. */
  readonly outages: Loss;
  /** Whether it was detected as an outage, far below the others. */
  readonly short: boolean;
}

/** How an outage is known. */
export type OutageSource = "named" | "status" | "detected" | "neighbours";

/** An outage and what was lost in it; energies in MWh, missing is NaN. */
export interface OutageResult extends Loss {
  readonly name: string;
  /** Start, and end, exclusive, milliseconds since 1970 UTC. */
  readonly from: number;
  readonly to: number;
  readonly source: OutageSource;
  /** Share of its hours with production and prediction. */
  readonly completeness: number;
  /** Energy that the turbine would have produced while it was not available. */
  readonly expected: number;
  /** Energy that it produced in that time. */
  readonly produced: number;
}

/** What a change is compared with. */
export type ChangeReference = "prediction" | "neighbours";

/** A lasting change of a turbine; energies in MWh, missing is NaN. */
export interface ChangeResult {
  /** Less or more power than before, or a level that the power did not exceed. */
  readonly kind: "loss" | "gain" | "limit";
  /** What it was found against. */
  readonly against: ChangeReference;
  /** Start, milliseconds since 1970 UTC. */
  readonly from: number;
  /** Ends of the 90 % interval of the start. */
  readonly earliest: number;
  readonly latest: number;
  /** End: the next change, or the end of the record. */
  readonly to: number;
  /** Change of the power, as a share of that before, with the ends of its 90 % interval. */
  readonly size: number;
  readonly low: number;
  readonly high: number;
  /** Energy lost from its start to its end, negative for a gain, with the ends of its 90 % interval. */
  readonly lost: number;
  readonly lostLow: number;
  readonly lostHigh: number;
  /** Level of a limit, kW. */
  readonly level: number;
  /** Hours of the day in which a limit applies. */
  readonly hoursOfDay: readonly number[];
}

/** Lasting changes of a record, and the smallest that it could show. */
export interface ChangeCheck {
  /** The changes in order of time. */
  readonly changes: readonly ChangeResult[];
  /** Smallest lasting change that the record could show, as a share; NaN where it is too short. */
  readonly smallest: number;
  /** What was left out. */
  readonly notes: readonly PerformanceFound[];
}

/** The hours of a check, on the axis of the model. */
export interface CheckedHours {
  readonly axis: HourAxis;
  /** Produced and expected power, kW; missing is NaN. */
  readonly produced: Float64Array;
  readonly expected: Float64Array;
  /** Share of each hour that outages take. */
  readonly stopped: Float64Array;
  readonly computeLoss: ComputeLoss;
}

/** Result of a check of hours or of periods. */
export interface CheckResult {
  readonly by: PeriodKind;
  /** The hours, where hours were compared with hours. */
  readonly hours?: CheckedHours;
  /** Zone whose calendar counts. */
  readonly timeZone: string;
  /** The periods in order of time. */
  readonly periods: readonly PeriodResult[];
  /** The outages in order of time. */
  readonly outages: readonly OutageResult[];
  /** Lasting changes. */
  readonly change: ChangeCheck;
  /** Whether availability or detected outages show the loss in stops; else only outages of whole periods show. */
  readonly stopsSeen: boolean;
  /** Whether hours or a given availability say what stops cost, not only energies of periods far below the others. */
  readonly stopsKnown: boolean;
  /** First and last year of the reference period, whose mean is normal; `null` if they are not known. */
  readonly reference: readonly [first: number, last: number] | null;
  /** Produced over predicted energy while the turbine ran: losses are scaled by it. */
  readonly normalRatio: number;
  /** Months or years by which the intervals of losses are computed, where cells are these. */
  readonly counted: number;
  /** What was left out or could not be computed. */
  readonly notes: readonly PerformanceFound[];
}

/** The same, before the reference period is known. */
export type CheckedPeriods = Omit<CheckResult, "reference">;
