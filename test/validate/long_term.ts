import type { DataFrame } from "nodejs-polars";
import {
  estimateLongTerm,
  type LongTermEstimate,
} from "../../src/analysis/estimate_long_term/estimate_long_term.ts";
import { buildFrame } from "../../src/frames/frame.ts";
import { HOUR } from "../../src/time/hourly.ts";
import { productionColumns } from "../../src/frames/production/production.ts";
import { Neighbourhood } from "../../src/sites/production/neighbour_production.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { listMonthSpans } from "../../src/windindex/index/monthly_energy.ts";
import type {
  HourlyProduction,
  PeriodProduction,
} from "../../src/windindex/calibration/production.ts";
import { hoursFrame, servedTurbine } from "./_served_site.ts";
import { computeHub } from "./_site_data.ts";

/** Production the index was calibrated on: the part of the record alone, or all of it. */
export type CalibratedOn = "the part" | "the whole";

/** A normal year estimated from a part of a record, compared with the same method on all of it. */
export interface ShortRecord {
  /** The turbine. */
  readonly turbine: string;
  /** The part: "2018 Q1", or "2005". */
  readonly part: string;
  /** Production the index was calibrated on. */
  readonly index: CalibratedOn;
  /** The method. */
  readonly method: string;
  /** Months that count. */
  readonly months: number;
  /** Error of the estimate against the full record, %. */
  readonly error: number;
  /** Half width of the 90 % interval, %. */
  readonly width: number;
  /** Whether the interval contains the estimate from the full record. */
  readonly hit: boolean;
}

interface Row {
  readonly method: string;
  readonly p50: number;
  readonly high: number;
  readonly months: number;
}

function compared(
  { turbine, part, index }: Pick<ShortRecord, "turbine" | "part" | "index">,
  short: LongTermEstimate,
  full: LongTermEstimate,
): ShortRecord[] {
  const rowsOf = ({ frames: { estimates } }: LongTermEstimate) =>
    estimates.toRecords() as unknown as Row[];
  const truths = new Map(rowsOf(full).map(({ method, p50 }) => [method, p50]));
  return rowsOf(short).map(({ method, p50, high, months }) => {
    const error = p50 / truths.get(method)! - 1;
    const width = Math.log(high / p50);
    return {
      turbine,
      part,
      index,
      method,
      months,
      error: 100 * error,
      width: 100 * (Math.exp(width) - 1),
      hit: Math.abs(Math.log(1 + error)) <= width,
    };
  });
}

/**
 * Estimates the normal year of each turbine from each quarter of its hourly record. With an index calibrated on the
 * quarter, the estimate knows no other quarter.
 *
 * @param data The site
 * @param index Production to calibrate the index on
 */
export function fromQuarters(data: SiteData, index: CalibratedOn): ShortRecord[] {
  return data.turbines.flatMap(({ turbine, production, exclusions }, position) => {
    const hub = computeHub(data, turbine);
    const neighbours = new Neighbourhood(data).findNearest(position);
    const [{ production: hourly, masked }] =
      checkProduction(production, turbine, exclusions, neighbours).inputs;
    const { axis, power } = hourly as HourlyProduction;
    const calibrated = (mask: Uint8Array) =>
      servedTurbine(turbine, hub, [{ production: hourly, masked: mask }]);
    const whole = calibrated(masked!);
    const estimate = (from: number, to: number) => {
      const served = index === "the whole"
        ? whole
        : calibrated(masked!.slice().fill(1, 0, from).fill(1, to));
      const start = axis.start + from * HOUR;
      const record = hoursFrame(start, { power: power.subarray(from, to) }, turbine.timeZone);
      return estimateLongTerm(record, served.indices, {
        model: served.model,
        details: served.details,
      });
    };
    const full = estimate(0, power.length);
    const spans = listMonthSpans(axis, turbine.timeZone);
    return [0, 3, 6, 9].flatMap((first) => {
      const from = Math.max(0, spans[first].from);
      const to = Math.min(power.length, spans[first + 2].to);
      const part = `${spans[first].year} Q${first / 3 + 1}`;
      return compared({ turbine: turbine.id, part, index }, estimate(from, to), full);
    });
  });
}

/**
 * Estimates the normal year from each single year without an outage, and from all annual values.
 *
 * @param data The site, with annual production
 * @param index Production to calibrate the index on
 */
export function fromYears(data: SiteData, index: CalibratedOn): ShortRecord[] {
  const [{ turbine, production }] = data.turbines;
  const hub = computeHub(data, turbine);
  const [{ periods }] = production as PeriodProduction[];
  const calibrated = (values: PeriodProduction["periods"]) =>
    servedTurbine(
      turbine,
      hub,
      checkProduction([{ kind: "periods", periods: values }], turbine).inputs,
    );
  const whole = calibrated(periods);
  const estimate = (values: PeriodProduction["periods"]) => {
    const served = index === "the whole" ? whole : calibrated(values);
    const record: DataFrame = buildFrame(productionColumns.year, {
      year: values.map(({ label }) => Number(label)),
      energy: values.map(({ energy }) => energy / 1000),
    });
    return estimateLongTerm(record, served.indices, {
      model: served.model,
      details: served.details,
    });
  };
  const full = estimate(periods);
  const kept = full.frames.periods.getColumn("kept").toArray();
  return periods.filter((_, i) => kept[i] === true).flatMap((period) =>
    compared({ turbine: turbine.id, part: period.label, index }, estimate([period]), full)
  );
}
