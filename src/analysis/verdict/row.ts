import { addedColumn, type Column, withEnds } from "../../api/columns/column.ts";
import { sumOf } from "../../stats/spread.ts";

/** A cause of a deviation from normal. */
export type Cause = "wind" | "stops" | "curtailment" | "unexplained";

/** The verdict in a word or two. */
export type VerdictName = "as usual" | Cause | "cannot be told";

/** The steps of a deviation that have an interval. */
export type StepName = "wind" | "stops" | "limited" | "rest";

/** A step (MWh) with the ends of its 90 % interval: `null` if it is exact, or if its interval is unknown. */
export type StepFields<Name extends string> = Readonly<
  Record<Name | `${Name}_low` | `${Name}_high`, number | null>
>;

/** Produced and normal energy, and the steps between, in MWh or in a currency; losses are negative. */
export interface Figures extends StepFields<StepName> {
  /** Energy produced; `null` without production. */
  readonly produced: number | null;
  /** Normal energy of the hours compared; `null` if unknown. */
  readonly normal: number | null;
  /** Part of the wind step that comes from air density; `null` if unknown. */
  readonly density: number | null;
}

/** A period in which a turbine or a fleet is compared with normal. Energies in MWh. */
export interface Deviation extends Figures {
  /** `"2024-03"`, `"2024"`, or `"2024-01 to 2024-06"`. */
  readonly period: string;
  /** Value of these energies, in a currency. @default none, without prices */
  readonly value?: Value;
  /** Share of the hours compared. */
  readonly completeness: number | null;
  /** First year of the reference period, whose mean is normal; `null` if unknown. */
  readonly reference_from: number | null;
  /** Its last year. */
  readonly reference_to: number | null;
}

/** Value of energies at given prices, in hours that have one. */
export interface Value extends Figures {
  /** Currency, such as "EUR". */
  readonly currency: string;
  /** Share of the hours compared that have a price. */
  readonly priced: number;
}

/** The verdict on a period: was it the wind or the turbine? The row of a frame. */
export interface Verdict extends Deviation {
  /** As usual, the first cause, or that no verdict is possible. */
  readonly verdict: VerdictName;
  /** All causes joined by commas, the verdict's first; empty if there is none. */
  readonly causes: string;
  /** Produced less normal energy. */
  readonly deviation: number | null;
  /** Deviation over normal, %. */
  readonly deviation_share: number | null;
  /** Why no verdict is possible; `null` if one is. */
  readonly reason: string | null;
  /** Whether that is a useless calibration. @default {false} */
  readonly useless?: boolean;
  /** Stops found, and a lasting change in the rest. */
  readonly note: string;
  /** The verdict in a sentence or more. */
  readonly text: string;
}

const energy = (name: string, label: string, description: string): Column =>
  addedColumn(name, "f64", label, description, "MWh");

/** Columns of verdicts, those of the short table first. */
export const verdictColumns: readonly Column[] = [
  addedColumn("period", "utf8", "Period", "Month, year, or first and last month."),
  energy("produced", "Produced", "Energy that was produced in the hours compared."),
  energy("normal", "Normal", "Energy of a normal period of the same name, for the same hours."),
  ...withEnds(energy("wind", "Wind", "Change by the wind, air density included.")),
  energy("density", "Air density", "Part of the wind step that comes from air density."),
  ...withEnds(energy("stops", "Stops", "Change by stops; part of the rest if null.")),
  ...withEnds(
    energy("limited", "Curtailment", "Change by curtailment; part of the rest if null."),
  ),
  ...withEnds(energy("rest", "Rest", "Change that the other steps do not explain.")),
  addedColumn(
    "verdict",
    "utf8",
    "Verdict",
    "`as usual`, `wind`, `stops`, `curtailment`, `unexplained`, or `cannot be told`.",
  ),
  addedColumn("causes", "utf8", "Causes", "All causes, the cause of the verdict first."),
  addedColumn("reason", "utf8", "Reason", "Why the verdict cannot be told."),
  energy("deviation", "Deviation", "Produced less normal energy."),
  addedColumn(
    "deviation_share",
    "f64",
    "Deviation",
    "Produced less normal, over normal energy.",
    "%",
  ),
  {
    ...addedColumn(
      "completeness",
      "f64",
      "Hours compared",
      "Share of the hours that are compared.",
    ),
    range: [0, 1],
  },
  addedColumn("reference_from", "i32", "Normal from", "First year of the reference period."),
  addedColumn("reference_to", "i32", "Normal to", "Last year of the reference period."),
  addedColumn("note", "utf8", "Note", "The stops, and a lasting change in the rest."),
  addedColumn("text", "utf8", "In words", "The verdict in words."),
];

/** Columns with figures. */
const FIGURES = verdictColumns.filter(({ name, unit }) =>
  unit === "MWh" && !name.startsWith("deviation")
);

/** Columns of the values of verdicts: the name of each begins with `value_`; none without prices. */
export const valueColumns = (verdicts: readonly Deviation[]): Column[] => {
  const currency = verdicts.find(({ value }) => value)?.value?.currency;
  return currency === undefined ? [] : FIGURES.map((column) => ({
    ...column,
    name: `value_${column.name}`,
    label: `${column.label}, ${currency}`,
    unit: currency,
  }));
};

/** Builds the row of a verdict in a frame. */
export const rowOf = <Row extends Deviation>({ value, ...row }: Row) => ({
  ...row,
  ...Object.fromEntries(
    value ? FIGURES.map(({ name }) => [`value_${name}`, value[name as keyof Figures]]) : [],
  ),
});

/** An energy (MWh) with the ends of its 90 % interval. */
export interface Part {
  readonly energy: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Reads a step; `null` if it is part of another. */
export function partOf(row: Figures, name: StepName): Part | null {
  const energy = row[name];
  return energy === null ? null : { energy, low: row[`${name}_low`], high: row[`${name}_high`] };
}

const known = (value: number | null | undefined): number | null =>
  value !== null && Number.isFinite(value) ? value ?? null : null;

/** Builds the fields of a step in a row. */
export function fieldsOf<Name extends StepName>(name: Name, part: Part | null): StepFields<Name> {
  return {
    [name]: known(part?.energy),
    [`${name}_low`]: known(part?.low),
    [`${name}_high`]: known(part?.high),
  } as StepFields<Name>;
}

/** Distances from an energy to the ends of its 90 % interval; 0 for an exact one. */
export const reachOf = ({ energy, low, high }: Part): readonly [below: number, above: number] =>
  low === null || high === null ? [0, 0] : [energy - low, high - energy];

/** Sums parts; errors of parts in one wind add up in full, others as roots of sums of squares. */
export function addParts(parts: readonly Part[], inOneWind: boolean): Part {
  const energy = sumOf(parts, (part) => part.energy);
  const known = parts.filter(({ low, high }) => low !== null && high !== null).map(reachOf);
  if (known.length === 0) return { energy, low: null, high: null };
  const add = (side: 0 | 1) => {
    const sides = known.map((reach) => reach[side]);
    return inOneWind ? sumOf(sides) : Math.hypot(...sides);
  };
  return { energy, low: energy - add(0), high: energy + add(1) };
}

/** A step that may be a cause. */
export interface Suspect extends Part {
  readonly cause: Cause;
}

/** A verdict with its causes: first those with the sign of the deviation, then those against it. */
export interface Judgement {
  /** As usual, the first cause, or that no verdict is possible. */
  readonly verdict: VerdictName;
  readonly causes: readonly Suspect[];
  /** Deviations up to here are as usual, MWh; NaN if unknown. */
  readonly band: number;
  /** Why no verdict is possible; `null` if one is. */
  readonly reason: string | null;
}
