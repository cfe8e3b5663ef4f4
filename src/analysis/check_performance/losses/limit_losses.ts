import type { Neighbour } from "../../../screening/values/neighbours.ts";
import { HOUR } from "../../../time/hourly.ts";
import { scaleNeighbours } from "../changes/weekly_ratios.ts";
import type { LimitRun } from "./limited_hours.ts";
import { type ComparedPeriod, computeLosses, cutLosses, type Loss } from "./lost_energy.ts";
import type { HourlyPair } from "./outage_hours.ts";
import type { Run } from "../../../screening/finding.ts";
import { combineIntervals } from "./lost_energy.ts";
import { sumOf } from "../../../stats/spread.ts";

/** A power limit and its loss: the row of its frame. Energies in MWh, missing is NaN. */
export interface LimitResult
  extends Loss, Pick<LimitRun, "source" | "level" | "hoursOfDay" | "shared"> {
  /** Start, and end, exclusive, milliseconds since 1970 UTC. */
  readonly from: number;
  readonly to: number;
  /** Hours in which it held the turbine back. */
  readonly hours: number;
  /** Energy that the turbine would have produced in them. */
  readonly expected: number;
  /** Energy that it produced in them. */
  readonly produced: number;
}

/** Marks the hours held back by any of the limits. */
export function markHeld(runs: readonly LimitRun[], length: number): Float64Array {
  const marked = new Float64Array(length);
  for (const { from, to, held } of runs) {
    for (let i = from; i < to; i++) if (held[i] === 1) marked[i] = 1;
  }
  return marked;
}

/**
 * Computes the losses of limits, of each and in each period: the expectation less the produced energy. Running
 * neighbours give the expectation, at the turbine's own level; if none runs, the model does.
 *
 * @param stopped Share of each hour that outages take
 * @param known 1 for hours with production and prediction
 * @param neighbours Turbines nearby, without the hours in which they were limited
 * @param price Price of a MWh in each hour: the losses are then values
 */
export function computeLimitLosses(
  { axis, produced, expected }: HourlyPair,
  runs: readonly LimitRun[],
  stopped: Float64Array,
  known: Uint8Array,
  neighbours: readonly Neighbour[],
  periods: readonly (ComparedPeriod & Run)[],
  price?: Float64Array,
): { readonly limits: readonly LimitResult[]; readonly losses: readonly Loss[] } {
  const held = markHeld(runs, axis.length);
  const isNormal = (i: number) => known[i] === 1 && stopped[i] === 0 && held[i] === 0;
  const normal = produced.map((_, i) => isNormal(i) ? 1 : 0);
  const { common } = scaleNeighbours(produced, Uint8Array.from(normal), neighbours);
  const hours = [...normal.keys()].filter((i) => normal[i] === 1);
  /** Scales an expectation to the turbine's production in its normal hours. */
  const scale = (power: Float64Array) => {
    const known = hours.filter((i) => power[i] >= 0);
    const level = sumOf(known, (i) => produced[i]) / sumOf(known, (i) => power[i]);
    return Number.isFinite(level) ? power.map((one) => level * one) : power;
  };
  const [byModel, byNeighbours] = [expected, common].map(scale);
  const isShared = markHeld(runs.filter(({ shared }) => shared), axis.length);
  const due = byModel.map((power, i) =>
    byNeighbours[i] >= 0 && isShared[i] === 0 ? byNeighbours[i] : power
  );
  const { computeLoss } = computeLosses({
    hourly: true,
    produced,
    expected: due,
    known,
    runs: [],
    stopped: held,
    periods: [],
    apart: stopped,
    price,
  });
  const lost = runs.map(({ from, to, held, ...run }) => {
    const measure = (from: number, to: number) => computeLoss(from, to, held);
    return { run: { ...run, from, to }, measure, loss: measure(from, to) };
  });
  return {
    limits: lost.map(({ run: { from, to, ...run }, loss: { cells, ...loss } }) => ({
      ...run,
      ...loss,
      hours: cells,
      from: axis.start + from * HOUR,
      to: axis.start + to * HOUR,
    })),
    losses: periods.map(({ from, to }) => {
      const parts = lost.flatMap(({ run, loss, measure }) =>
        cutLosses([{ from: run.from, to: run.to, loss }], from, to, measure)
      );
      return {
        lost: sumOf(parts, ({ lost }) => lost || 0),
        ...combineIntervals(parts),
      };
    }),
  };
}
