import { predictedInterval } from "../../api/columns/columns.ts";
import { completeAt, monthsTo } from "./months.ts";
import { isPreliminary, type MonthContent } from "./turbine_content.ts";

/** As much of a turbine as sums need. */
export interface Summand {
  /** Turbines that the entry stands for. */
  readonly units: number;
  /** Months that end with the report's own; none where nothing is known. */
  readonly months: readonly MonthContent[];
}

/** Turbines that entries stand for. */
export function unitsIn(entries: readonly { readonly units: number }[]): number {
  return entries.reduce((sum, { units }) => sum + units, 0);
}

/** Figures of a fleet or a park in a month: indices of the energy of all its turbines with figures. */
export interface FleetFigures {
  /** Entries with figures in the month, and the turbines that they stand for. */
  readonly turbines: number;
  readonly units: number;
  /** Predicted energy, MWh. */
  readonly energy: number | null;
  /** Sums of the ends of the turbines' intervals, MWh; `null` where one has none. */
  readonly low: number | null;
  readonly high: number | null;
  /** Against one twelfth of a normal year, %. */
  readonly index: number | null;
  /** Against a normal month of that name, %. */
  readonly abnormality: number | null;
  /** Twelve months against a normal year, %. */
  readonly last12: number | null;
  readonly quarter: number | null;
  readonly year: number | null;
  /** Turbines that the indices of longer times are of: a young one has a month before it has a year. */
  readonly unitsWith: {
    readonly last12: number;
    readonly quarter: number;
    readonly year: number;
  };
  /** Entries whose production was compared, and the turbines that they stand for. */
  readonly compared: number;
  readonly comparedUnits: number;
  /** Energy produced and predicted where production was compared, MWh. */
  readonly produced: number | null;
  readonly predicted: number | null;
  /** Produced over predicted, %. */
  readonly ratio: number | null;
}

/** A fleet in a month of the history. */
export interface FleetMonth {
  readonly month: string;
  /** Turbines with figures. */
  readonly turbines: number;
  readonly energy: number | null;
  readonly abnormality: number | null;
  readonly last12: number | null;
  readonly preliminary: boolean;
}

/** Sum of what is known; `null` where nothing is. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Sum where all are known. */
function wholeSum(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : sumOf(values);
}

/** An energy and what it would normally be, MWh. */
interface Share {
  readonly energy: number;
  readonly normal: number;
}

/** The index of several energies together: that of their sum. */
function together(shares: readonly (Share | null)[]): number | null {
  const known = shares.filter((share) => share !== null);
  const normal = sumOf(known.map((share) => share.normal));
  return normal ? 100 * sumOf(known.map((share) => share.energy))! / normal : null;
}

function monthOf({ months }: Summand, month: string): MonthContent | undefined {
  return months.find((one) => one.month === month);
}

/** The normal energy of one turbine that an index of a month says; `null` where it is missing or 0. */
function normalIn(one: MonthContent | undefined, column: string): number | null {
  const [energy, index] = [one?.figures.predicted_production ?? null, one?.figures[column] ?? null];
  return energy === null || !index ? null : 100 * energy / index;
}

/**
 * Energy of a month and the normal energy that an index of it says. An index of 0 does not say it; a month with the same
 * normal energy does: any one for the average month, one of the same name for that of its name.
 */
function shareOf(
  summand: Summand,
  month: string,
  column: "month_index" | "month_abnormality_index",
): Share | null {
  const own = monthOf(summand, month);
  const energy = own?.figures.predicted_production ?? null;
  if (energy === null || own!.figures[column] === null) return null;
  const alike = summand.months.findLast((one) =>
    normalIn(one, column) !== null &&
    (column === "month_index" || one.month.slice(4) === month.slice(4))
  );
  const normal = normalIn(own, column) ?? normalIn(alike, column);
  if (normal === null) return null;
  return { energy: summand.units * energy, normal: summand.units * normal };
}

/** Energy of a year, by an index of it, against a normal year of twelve average months. */
function yearShare(summand: Summand, month: string, column: string): Share | null {
  const index = monthOf(summand, month)?.figures[column] ?? null;
  const average = shareOf(summand, month, "month_index")?.normal;
  if (index === null || average === undefined) return null;
  return { energy: index / 100 * 12 * average, normal: 12 * average };
}

/** Energy of a quarter against that of its normal months. */
function quarterShare(summand: Summand, month: string): Share | null {
  const index = monthOf(summand, month)?.figures.last_full_quarter_index ?? null;
  const last = completeAt(month).quarter[1];
  const normal = wholeSum(
    monthsTo(last, 3).map((one) =>
      shareOf(summand, one, "month_abnormality_index")?.normal ?? null
    ),
  );
  return index === null || normal === null ? null : { energy: index / 100 * normal, normal };
}

/** Figures of several turbines together. */
export function figuresOf(all: readonly Summand[], month: string): FleetFigures {
  const own = all.flatMap((summand) => {
    const values = monthOf(summand, month);
    return values && values.figures.predicted_production !== null ? [{ ...summand, values }] : [];
  });
  const energies = (name: string) =>
    own.map(({ units, values }) => {
      const value = values.figures[name];
      return value === null ? null : units * value;
    });
  const [low, high] = predictedInterval.map(({ name }) => wholeSum(energies(name)));
  const compared = all.flatMap((summand) => {
    const made = monthOf(summand, month)?.compared;
    if (!made || made.produced === null || made.predicted === null) return [];
    const { units } = summand;
    return [{ units, produced: units * made.produced, predicted: units * made.predicted }];
  });
  const longer = {
    last12: own.map((one) => yearShare(one, month, "last12_month_index")),
    quarter: own.map((one) => quarterShare(one, month)),
    year: own.map((one) => yearShare(one, month, "last_full_year_index")),
  };
  const unitsWith = (shares: readonly (Share | null)[]) => unitsIn(own.filter((_, i) => shares[i]));
  const [produced, predicted] = [
    sumOf(compared.map((one) => one.produced)),
    sumOf(compared.map((one) => one.predicted)),
  ];
  return {
    turbines: own.length,
    units: unitsIn(own),
    energy: sumOf(energies("predicted_production")),
    low,
    high,
    index: together(own.map((one) => shareOf(one, month, "month_index"))),
    abnormality: together(own.map((one) => shareOf(one, month, "month_abnormality_index"))),
    last12: together(longer.last12),
    quarter: together(longer.quarter),
    year: together(longer.year),
    unitsWith: {
      last12: unitsWith(longer.last12),
      quarter: unitsWith(longer.quarter),
      year: unitsWith(longer.year),
    },
    compared: compared.length,
    comparedUnits: unitsIn(compared),
    produced,
    predicted,
    ratio: produced === null || !predicted ? null : 100 * produced / predicted,
  };
}

/** The fleet in each month that its turbines have. */
export function fleetMonths(all: readonly Summand[]): FleetMonth[] {
  const months = all.find((summand) => summand.months.length > 0)?.months ?? [];
  return months.map(({ month }, at) => {
    const own = all.filter((summand) => summand.months[at]?.figures.predicted_production != null);
    return {
      month,
      turbines: own.length,
      energy: sumOf(
        own.map(({ units, months }) => units * months[at].figures.predicted_production!),
      ),
      abnormality: together(own.map((one) => shareOf(one, month, "month_abnormality_index"))),
      last12: together(own.map((one) => yearShare(one, month, "last12_month_index"))),
      preliminary: own.some(({ months }) => isPreliminary(months[at])),
    };
  });
}
