import type { HourAxis } from "../../time/hourly.ts";
import type { ChangeCheck } from "./changes/changes.ts";
import type { LimitResult } from "./losses/limit_losses.ts";
import type { ComputeLoss, OutageResult, PeriodResult } from "./losses/lost_energy.ts";
import type { PeriodKind } from "./production.ts";
import type { PerformanceFinding } from "./words.ts";

/** The hours of a check, on the axis of the model. */
export interface CheckedHours {
  readonly axis: HourAxis;
  /** Produced and expected power, kW; missing is NaN. */
  readonly produced: Float64Array;
  readonly expected: Float64Array;
  /** Share of each hour that outages take. */
  readonly stopped: Float64Array;
  /** 1 for hours in which the power was limited. */
  readonly limited: Float64Array;
  readonly computeLoss: ComputeLoss;
  /** Price of a MWh in each hour; missing is NaN. @default no prices are given */
  readonly price?: Float64Array | undefined;
}

/** Values of the energies of a check: hour by hour times their price. */
export interface CheckedValue extends Pick<CheckResult, "periods" | "outages" | "limits"> {
  readonly currency: string;
}

/** Result of a check of hours or of periods. */
export interface CheckResult {
  readonly by: PeriodKind;
  /** The hours, if both sides are hourly. */
  readonly hours?: CheckedHours;
  /** Zone whose calendar counts. */
  readonly timeZone: string;
  /** The periods in order of time. */
  readonly periods: readonly PeriodResult[];
  /** The outages in order of time. */
  readonly outages: readonly OutageResult[];
  /** Power limits in order of time. */
  readonly limits: readonly LimitResult[];
  /** Lasting changes. */
  readonly change: ChangeCheck;
  /** Whether availability or detected outages show the loss in stops; otherwise only outages of whole periods show. */
  readonly stopsSeen: boolean;
  /** Whether hours or a given availability show the loss in stops, not only energies of periods far below the others. */
  readonly stopsKnown: boolean;
  /** First and last year of the reference period, whose mean is normal; `null` if unknown. */
  readonly reference: readonly [first: number, last: number] | null;
  /** Produced over predicted energy while the turbine ran: losses are scaled by it. */
  readonly normalRatio: number;
  /** Months or years behind the intervals of losses, if cells are months or years. */
  readonly counted: number;
  /** The same in the currency of the prices. @default no prices are given */
  readonly value?: CheckedValue;
  /** Omissions and results that could not be computed. */
  readonly notes: readonly PerformanceFinding[];
}

/** The same, before the reference period is known. */
export type CheckedPeriods = Omit<CheckResult, "reference">;
