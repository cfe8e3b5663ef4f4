import type { FilledOptions } from "../../show/options/read_options.ts";
import type { DataFrame } from "nodejs-polars";
import type { MonthLike } from "../../api/calendar.ts";
import { ArgumentError } from "../../api/errors.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { buildRefuse, type Refuse } from "../../frames/read_columns.ts";
import { type RangeBound, readSpan, type TimeRange } from "../../show/options/range.ts";
import type { PriceOptions } from "../series/prices.ts";
import type { TurbineStates } from "../series/turbine_states.ts";

/** Action of a performance check, for messages. */
export const ACTION = "check the performance";

/** Ends a performance check with an error. */
export const refuse: Refuse = buildRefuse(ACTION);

/** An outage that the caller names. */
export interface NamedOutage {
  /** Its name, as in the claim. @default its first day */
  readonly name?: string;
  /** First day or hour, in the turbine's zone unless it has a zone. */
  readonly from: RangeBound;
  /** Last day or hour, included. */
  readonly to: RangeBound;
}

/** A named outage by its instants. */
export interface OutageSpan {
  /** Its name. */
  readonly name: string;
  /** Start, milliseconds since 1970 UTC. */
  readonly from: number;
  /** End, exclusive, milliseconds since 1970 UTC. */
  readonly to: number;
  /**
   * Whether both bounds are days without a time: then the turbine may have run in a part of the first and the last one.
   */
  readonly byDays: boolean;
}

/**
 * Reads the outages named by the caller, in order of time.
 *
 * @throws {ArgumentError} If a bound is not a time, `from` is after `to`, or two of them overlap
 */
export function readNamedOutages(
  outages: readonly NamedOutage[],
  timeZone: string,
): OutageSpan[] {
  const spans = outages.map(({ name, from, to }, i): OutageSpan => {
    const called = name?.trim() || `Outage of ${String(from).slice(0, 10)}`;
    try {
      const [first, end] = readSpan({ from, to }, timeZone);
      const byDays = [from, to].every((bound) => !String(bound).includes("T"));
      return { name: called, from: first, to: end, byDays };
    } catch (cause) {
      throw new ArgumentError(
        `Cannot use outage ${i + 1} ("${called}"): ${
          (cause as Error).message.replace(/^Cannot use (?:the range: )?("\w+": )?/, "")
        }`,
        { cause },
      );
    }
  }).sort((a, b) => a.from - b.from);
  for (const [i, span] of spans.entries()) {
    if (i === 0 || span.from >= spans[i - 1].to) continue;
    throw new ArgumentError(
      `Cannot use the outages: "${
        spans[i - 1].name
      }" and "${span.name}" overlap. End one outage before the other begins`,
    );
  }
  return spans;
}

/** Problem and remedy of a check without predictions. */
export const MISSING_PREDICTIONS =
  "predictions are missing. Give { predicted: await modelData(id) }, or the monthly indices of the " +
  "turbine. Your own turbine has both after you import its site: deno task import SITE.json";

/** The details of a turbine that a performance check uses. */
export type TurbineFacts =
  & Pick<TurbineDetails, "power_curve" | "rated_power">
  & Partial<
    Pick<
      TurbineDetails,
      | "name"
      | "time_zone"
      | "units"
      | "calibrated"
      | "calibration_verdict"
      | "calibration_reason"
      | "reference_from"
      | "reference_to"
    >
  >;

/** Options of {@linkcode checkPerformance}. */
export interface CheckPerformanceOptions extends TimeRange, PriceOptions {
  /**
   * Model data (`time`, `power` and other columns of `modelData()`) or monthly indices (`month`,
   * `predicted_production`) of one turbine, for the period of the production.
   */
  readonly predicted: DataFrame;
  /**
   * Monthly indices of the turbine, for the normal year. The wind step needs them.
   * @default the prediction's, or five whole years and more of its model data
   */
  readonly indices?: DataFrame;
  /**
   * Details of the turbine: the power curve separates wind and air density, and the zone sets months and outages.
   * @default none: the zone of the model data, or of the production
   */
  readonly details?: TurbineFacts;
  /** Outages by name, for the energy lost in each. @default none: outages are found from status or production */
  readonly outages?: readonly NamedOutage[];
  /**
   * Status log or counters of the turbine as `readEvents()` returns them: stops of the log are outages, named by their
   * category of IEC 61400-26; other outages are still detected. @default none
   */
  readonly events?: DataFrame;
  /** Hourly production of turbines nearby, of the same rated power: with them the check finds stops from one hour on, and lasting changes relative to their production. @default none */
  readonly neighbours?: readonly DataFrame[];
  /** Day or hour of a known change, such as a repair. The check measures the change on that date, relative to neighbours if given, and looks for no other changes. It needs hourly production. @default none */
  readonly changed?: RangeBound;
  /** The month to judge, `"2024-03"`; all others define the normal. For several give `from` and `to`, months or years. @default all */
  readonly month?: MonthLike | undefined;
  /** Number of turbines in the production: it multiplies prediction and rated power, which are for one turbine. @default {1} */
  readonly units?: number;
  /** Frame whose provenance is used if the prediction was derived from it. @default the prediction */
  readonly source?: DataFrame;
}

/** The options of a check, with their defaults, and turbine states if the caller has read them already. */
export type ChosenOptions =
  & FilledOptions<CheckPerformanceOptions, "units">
  & { readonly states?: TurbineStates };
