import { HOUR, type HourAxis } from "../../time/hourly.ts";
import type { Finding } from "../finding.ts";
import { clockAt } from "../../time/zones.ts";
import { isUnitFactor, type UnitStretch } from "./mixed_units.ts";

/** First and last month, day or hour of a stretch, both included, as in `other_units`. */
export interface StretchBounds {
  readonly from: string;
  readonly to: string;
}

/** Names the bounds of hours by months if these are whole, else by days, else by hours. */
export function boundHours(
  { from, to }: Pick<UnitStretch, "from" | "to">,
  axis: HourAxis,
  timeZone: string,
): StretchBounds {
  const clock = (position: number) => clockAt(axis.start + position * HOUR, timeZone);
  const [first, end, last] = [clock(from), clock(to), clock(to - 1)];
  const isDays = (from === 0 || first.hour === 0) && (to === axis.length || end.hour === 0);
  const isMonths = isDays && (from === 0 || first.day === 1) &&
    (to === axis.length || end.day === 1);
  const [a, b] = [first, last].map((one) =>
    isMonths
      ? one.toPlainDate().toPlainYearMonth().toString()
      : isDays
      ? one.toPlainDate().toString()
      : `${one.toPlainDateTime().toString().slice(0, 13)}:00`
  );
  return { from: a, to: b };
}

/** A record with values in several units, for messages. */
export interface MixedRecord {
  readonly stretches: readonly UnitStretch[];
  /** Bounds of positions. */
  readonly bounds: (run: Pick<UnitStretch, "from" | "to">) => StretchBounds;
  /** Number of positions of the record. */
  readonly length: number;
  readonly resolution: "hour" | "month" | "year";
  /** Unit that explains a factor, given the declared unit. @default the declared unit is unknown */
  readonly unitOf?: ((factor: number) => string | undefined) | undefined;
  /** Place to give `other_units`: "in the production entry". */
  readonly where: string;
  /** Advice for times in which the turbine stood still: "exclude these days". */
  readonly still: string;
}

/** Explains a factor if the declared unit is unknown. */
function explainFactor(factor: number, resolution: MixedRecord["resolution"]): string {
  const size = factor > 1 ? factor : 1 / factor;
  const hours = resolution === "hour";
  const near = (ratio: number) => Math.abs(size / ratio - 1) < 0.01;
  if (near(1000) || near(1e6)) {
    const [small, large] = [near(1000) ? "k" : "", "M"].map((one) => one + (hours ? "W" : "Wh"));
    return factor > 1 ? `${small} read as ${large}` : `${large} read as ${small}`;
  }
  const minutes = [4, 6, 12].find(near);
  if (hours && minutes !== undefined) {
    const energies = `energies of ${60 / minutes} minutes`;
    return factor > 1 ? `powers read as ${energies}` : `${energies} read as powers`;
  }
  return hours || factor < 1
    ? "another unit"
    : `the total of about ${Math.round(size)} turbines, or powers added up as energies`;
}

/** Formats a factor: "about 1000 times too large". */
const formatFactor = (factor: number) =>
  `about ${Number((factor > 1 ? factor : 1 / factor).toPrecision(3))} times too ${
    factor > 1 ? "large" : "small"
  }`;

/** Lists findings for stretches in another unit than the rest of a record. */
export function listMixedUnits(
  stretches: readonly UnitStretch[],
  resolution: MixedRecord["resolution"],
): Finding[] {
  return stretches.map(({ from, to, factor, certain }) => ({
    kind: "mixed_units",
    from,
    to,
    message: `values ${formatFactor(factor)} compared with the others: probably ${
      explainFactor(factor, resolution)
    }${!certain && factor < 1 && resolution !== "hour" ? ", or a standstill" : ""}`,
  }));
}

/** Joins texts as a list. */
const join = (texts: readonly string[]) =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;

const name = ({ from, to }: StretchBounds) => from === to ? from : `${from} to ${to}`;

/** Lists the stretches between others. */
function listRest(stretches: readonly UnitStretch[], length: number) {
  const ends = [0, ...stretches.map(({ to }) => to)];
  const starts = [...stretches.map(({ from }) => from), length];
  return ends.map((from, i) => ({ from, to: starts[i] })).filter(({ from, to }) => to > from);
}

/**
 * Describes the times of a record that are in another unit, with factor, likely unit and remedy, in sentences without
 * the last period. If they are most of the record, names the rest, too.
 */
export function describeMixedUnits(
  { stretches, bounds, length, resolution, unitOf, where, still }: MixedRecord,
): string {
  const count = (runs: readonly Pick<UnitStretch, "from" | "to">[]) =>
    runs.reduce((sum, { from, to }) => sum + to - from, 0);
  const restRuns = listRest(stretches, length);
  const others = 2 * count(stretches) > length
    ? `the rest, ${join(restRuns.map((run) => name(bounds(run))))}, is not`
    : "the rest is not";
  const byFactor = Map.groupBy(stretches, ({ factor }) => factor);
  const sentences = [...byFactor].map(([factor, runs]) => {
    const unit = unitOf?.(factor);
    const cause = unit === undefined ? explainFactor(factor, resolution) : `in ${unit}`;
    const number = count(runs);
    const times = join(runs.map((run) => name(bounds(run))));
    return `${times} (${number} of ${length} ${resolution}s) ${number === 1 ? "is" : "are"} ` +
      `${formatFactor(factor)}, and ${others}: probably ${cause}`;
  });
  const areUnitsKnown = [...byFactor].every(([factor]) =>
    unitOf ? unitOf(factor) !== undefined : isUnitFactor(factor) || resolution === "hour"
  );
  const declared = stretches.map((run) => ({
    ...bounds(run),
    unit: unitOf?.(run.factor) ?? "…",
  }));
  const remedy = areUnitsKnown
    ? `Give ${where} the unit of ${declared.length === 1 ? "that time" : "those times"}: ` +
      `"other_units": ${JSON.stringify(declared)}${
        unitOf ? "" : ", or correct these values in the file"
      }`
    : "Ask for the original records, and correct these values in the file";
  const mayHaveStopped = resolution !== "hour" && stretches.some(({ factor }) => factor < 1);
  const other = mayHaveStopped ? `. If the turbine stood still then, ${still}` : "";
  return `${sentences.join("; ")}. ${remedy}${other}`;
}
