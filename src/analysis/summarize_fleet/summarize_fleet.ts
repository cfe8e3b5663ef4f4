import pl, { type DataFrame } from "nodejs-polars";
import { type MonthLike, toMonth } from "../../api/calendar.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError, NoDataError } from "../../api/errors.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { checkOwner, computeOwnerShare, type OwnerShare } from "../../frames/ownership.ts";
import { polarsType } from "../../frames/dtype.ts";
import { joinOrigins } from "../../frames/provenance.ts";
import { selectPeriod } from "../../frames/select_period.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { figures, monthState } from "../../api/columns/columns.ts";
import { turbineDetailsFields } from "../../api/columns/turbine_columns.ts";
import { type Answer, buildAnswer } from "../series/answer.ts";
import { writeFindings } from "../series/findings.ts";
import { units as figureUnits, words } from "./words.ts";

const [id, name] = pickColumns(turbineDetailsFields, ["turbine_id", "name"]);
const [predicted, abnormality, last12] = pickColumns(figures, [
  "predicted_production",
  "month_abnormality_index",
  "last12_month_index",
]);

const [status] = pickColumns(monthState, ["status"]);

/** The turbines of `summarizeFleet()`. */
const fleetColumns: readonly Column[] = [
  id,
  name,
  ownColumn(
    "units",
    "i32",
    "Turbines",
    "Number of turbines of the entry; 1 where the service does not say it.",
  ),
  abnormality,
  last12,
  { ...predicted, description: "Predicted energy of all turbines of the entry in the month." },
  {
    ...predicted,
    name: "normal_production",
    label: "Normal",
    description: "Energy of all turbines of the entry in a normal month of the same name.",
    tag: "ours",
  },
  status,
];

/** More of them for an owner. */
const shareColumns: readonly Column[] = [
  ownColumn("share", "f64", "Share", "Share of the owner in the month.", "%"),
  ownColumn("predicted_share", "f64", "Predicted, share", "Predicted energy of the share.", "MWh"),
  ownColumn(
    "normal_share",
    "f64",
    "Normal, share",
    "Energy of the share in a normal month.",
    "MWh",
  ),
];

/** Options of {@linkcode summarizeFleet}. */
export interface SummarizeFleetOptions {
  /** The month, such as "2025-12". @default the last one that any turbine has figures of */
  readonly month?: MonthLike | undefined;
  /** An owner, such as `{ owner: "A. Hansen", ownership: readOwnership(site) }`: energies of their share beside those of the whole. @default none */
  readonly share?: OwnerShare | undefined;
}

/** What the wind of a month was worth to a fleet; it shows itself in notebooks and on the console. */
export interface FleetMonthSummary extends Answer {
  /** The month, such as "2025-12". */
  readonly month: string;
  /**
   * `turbines`, a row an entry, the weakest month first: `turbine_id`, `name`, `units`, `month_abnormality_index` and
   * `last12_month_index` (%), `predicted_production` and `normal_production` (MWh, of all turbines of the entry), `status`;
   * with an owner also their `share` (%), `predicted_share` and `normal_share` (MWh).
   */
  readonly frames: { readonly turbines: DataFrame };
  /** Number of turbines with figures. */
  readonly units: number;
  /** Predicted energy of them all, MWh. */
  readonly energy: number;
  /** Their energy in a normal month of the same name, MWh. */
  readonly normal: number;
  /** The first over the second, %: the index of the fleet. */
  readonly index: number;
  /** The same of an owner's share: energies, MWh, and its index, %. @default none is asked for */
  readonly share?: Readonly<Record<"energy" | "normal" | "index", number>> & {
    readonly owner: string;
  };
  /** Turbines without figures of the month, or with an index of 0, from which no normal month follows. */
  readonly withoutFigures: readonly string[];
}

const WHAT = "summarize a fleet";

const OPTIONS = declareOptions<SummarizeFleetOptions>()("month share");

/**
 * Summarizes the month of a fleet: what the wind was worth to each turbine, and to all of them together.
 *
 * The index of the fleet is the energy of all turbines over their normal energy, so a small turbine does not count as
 * much as a large one. An entry of several turbines counts with all of them. The normal energy of a month follows from
 * its prediction and its abnormality index.
 *
 * @param indices Monthly indices of the turbines, as `monthlyIndices()` gives them for a list
 * @param details Details of the turbines: their names, and how many turbines an entry has
 * @param options `month`, the last one that any turbine has unless given; `share` of an owner, as of `makeFleetReport()`
 * @returns The frame `turbines`, the sums, the index of the fleet (%), and sentences
 * @throws {ArgumentError} If a column is missing, or a turbine has no details, or has them twice
 * @throws {NoDataError} If no turbine has figures of the month
 *
 * @example Two turbines in a month
 * ```ts
 * import { monthlyIndices, summarizeFleet, turbineDetails } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const indices = await monthlyIndices(["T1", "T2"], { from: "2024-01", to: "2024-12" });
 * const details = [await turbineDetails("T1"), await turbineDetails("T2")];
 * const fleet = summarizeFleet(indices, details, { month: "2024-03" });
 * assertEquals(fleet.units, 2);
 * assertEquals(fleet.frames.turbines.height, 2);
 * ```
 */
export function summarizeFleet(
  indices: DataFrame,
  details: readonly Pick<TurbineDetails, "turbine_id" | "name" | "units">[],
  options: SummarizeFleetOptions = {},
): FleetMonthSummary {
  readOptions("summarizeFleet()", options, OPTIONS);
  checkFrame(indices, WHAT, "monthlyIndices()");
  if (!Array.isArray(details)) {
    throw new ArgumentError(
      `Cannot ${WHAT}: the details are ${describeValue(details)}. ` +
        "Give a list of what turbineDetails() returns for each turbine",
    );
  }
  const ids = distinctIds(indices);
  const missing = ids.filter((id) => !details.some(({ turbine_id }) => turbine_id === id));
  if (missing.length > 0) {
    throw new ArgumentError(
      `Cannot ${WHAT}: details of ${
        missing.join(", ")
      } are missing. Load them with turbineDetails()`,
    );
  }
  const listed = details.map(({ turbine_id }) => turbine_id);
  const repeated = listed.find((id, i) => listed.indexOf(id) < i);
  if (repeated !== undefined) {
    throw new ArgumentError(
      `Cannot ${WHAT}: details of ${repeated} are given twice. Give them once`,
    );
  }
  const known = indices.filter(
    pl.col("month_abnormality_index").gt(0).and(pl.col("predicted_production").isNotNull()),
  );
  const months = listMonths(known);
  const last = months[months.length - 1];
  const month = options.month === undefined ? last : toMonth(options.month).toString();
  if (!months.includes(month)) {
    throw new NoDataError(
      `Cannot ${WHAT}: no turbine has figures of ${month}. The last month that any turbine has is ${last}: ` +
        "give that or an earlier one",
    );
  }
  const ofMonth = selectPeriod(known, { from: month, to: month });
  const { share: asked } = options;
  if (asked) checkOwner(asked, WHAT);
  const whole = buildRows(ofMonth, details);
  const turbines = asked ? addShares(whole, asked, month) : whole;
  const sum = (name: string) => turbines.getColumn(name).sum();
  const [own, ownNormal] = asked ? ["predicted_share", "normal_share"].map(sum) : [0, 0];
  const share = asked && {
    ...{ owner: asked.owner, energy: own, normal: ownNormal, index: 100 * own / ownNormal },
  };
  const [units, energy, normal] = ["units", "predicted_production", "normal_production"].map(sum);
  const index = 100 * energy / normal;
  const present = distinctIds(turbines);
  const withoutFigures = ids.filter((id) => !present.includes(id));
  const sums = { month, units, energy, normal, index, withoutFigures, ...(share && { share }) };
  return buildAnswer(sums, {
    title: `The fleet in ${month}`,
    frames: {
      turbines: {
        title: "Turbines, the weakest month first",
        columns: asked ? [...fleetColumns, ...shareColumns] : fleetColumns,
        rows: turbines,
      },
    },
    found: writeFindings<typeof words>(words, figureUnits, [
      { code: "fleet_month", month, turbines: units, energy, index },
      ...(share ? [{ code: "owner_share", month, ...share } as const] : []),
      ...(withoutFigures.length > 0
        ? [{ code: "without_figures", turbines: withoutFigures } as const]
        : []),
    ]),
    origin: joinOrigins([indices, ...details]),
  });
}

/** The months of a frame with figures, in order. */
function listMonths(known: DataFrame): string[] {
  if (known.height === 0) {
    throw new NoDataError(`Cannot ${WHAT}: no turbine has figures of any month`);
  }
  const days = known.getColumn("month").cast(pl.Utf8).unique().sort().toArray();
  return days.map((day) => String(day).slice(0, 7));
}

function distinctIds(frame: DataFrame): string[] {
  return [...new Set(frame.getColumn("turbine_id").toArray().map(String))];
}

/** The declared columns of each entry, with the energies of all its turbines. */
function buildRows(
  ofMonth: DataFrame,
  details: readonly Pick<TurbineDetails, "turbine_id" | "name" | "units">[],
): DataFrame {
  const facts = pl.DataFrame([
    pl.Series("turbine_id", details.map(({ turbine_id }) => turbine_id), pl.Utf8),
    pl.Series("name", details.map(({ name }) => name), pl.Utf8),
    pl.Series("units", details.map(({ units }) => units ?? 1), pl.Int32),
  ]);
  const energy = pl.col("predicted_production").mul(pl.col("units"));
  return ofMonth
    .join(facts, { on: "turbine_id" })
    .withColumns(
      ...(ofMonth.columns.includes("status") ? [] : [pl.lit(null).alias("status")]),
      energy.alias("predicted_production"),
      energy.mul(100).div(pl.col("month_abnormality_index")).alias("normal_production"),
    )
    .select(...fleetColumns.map((column) => pl.col(column.name).cast(polarsType(column))))
    .sort(["month_abnormality_index", "turbine_id"]);
}

/** Adds an owner's share of each entry. */
function addShares(whole: DataFrame, owner: OwnerShare, month: string): DataFrame {
  const ids = whole.getColumn("turbine_id").toArray().map(String);
  const shares = ids.map((id) => 100 * computeOwnerShare(owner, id, month));
  const part = (name: string) => pl.col(`${name}_production`).mul(pl.col("share")).div(100);
  return whole.withColumn(pl.Series("share", shares, pl.Float64)).withColumns(
    part("predicted").alias("predicted_share"),
    part("normal").alias("normal_share"),
  );
}
