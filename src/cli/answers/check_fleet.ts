import type { DataFrame } from "nodejs-polars";
import {
  type CallOptions,
  failures,
  monthlyIndices,
  type PriceOptions,
  summarizeFleet,
  type TurbineDetails,
  turbineDetails,
  VindkitError,
} from "../../../mod.ts";
import { checkTurbine } from "../../report/mod.ts";
import type { OwnerShare } from "../../frames/ownership.ts";
import { startProgress } from "../../show/progress.ts";
import {
  chooseDecimals,
  formatCount,
  formatNumber,
  formatSigned,
} from "../../show/text/numbers.ts";
import type { Productions } from "./stored_production.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Number of turbines to load at the same time. */
const PARALLEL = 8;

type PerformanceCheck = Awaited<ReturnType<typeof checkTurbine>>;

/** The answer on a fleet, the checks behind it, and the turbines left out. */
export interface FleetAnswer {
  readonly fleet: ReturnType<typeof summarizeFleet>;
  readonly checks: ReadonlyMap<string, PerformanceCheck | string>;
  readonly leftOut: ReadonlyMap<string, string>;
}

/** Period of the question. */
export interface RequestedTime {
  readonly month?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Whether the period is a range of months or a year. */
export const isRange = ({ from, to }: RequestedTime): boolean =>
  from !== undefined || to !== undefined;

/** Runs an action for one turbine; on failure returns the message as the reason why it has no answer. */
async function attempt<T>(act: () => Promise<T>): Promise<T | string> {
  try {
    return await act();
  } catch (error) {
    // A price is the same for all turbines.
    if (!(error instanceof VindkitError) || error.field === "price") throw error;
    return error.message;
  }
}

/**
 * Judges each turbine by its own production.
 *
 * @param productions Production by turbine, or why it is missing
 */
export async function checkFleet(
  ids: readonly string[],
  productions: Productions,
  time: RequestedTime,
  share: OwnerShare | undefined,
  call: CallOptions,
  price: PriceOptions = {},
): Promise<FleetAnswer> {
  const indices = await monthlyIndices([...ids], { onFailure: "collect", ...call });
  const leftOut = new Map(
    failures(indices).map(({ turbineId, error }) => [turbineId, error.message] as const),
  );
  if (indices.height === 0) throw failures(indices)[0].error;
  const known = ids.filter((id) => !leftOut.has(id));
  const frames = new Map(
    indices.partitionBy("turbine_id").map((frame: DataFrame) => [
      String(frame.getColumn("turbine_id").get(0)),
      frame,
    ]),
  );
  using progress = startProgress("Turbines", { total: known.length, unit: "turbines" });
  const checks = new Map<string, PerformanceCheck | string>();
  const details: TurbineDetails[] = [];
  const judge = async (id: string, position: number) => {
    const turbine = details[position] = await turbineDetails(id, call);
    const production = productions.get(id);
    if (production !== undefined) {
      const more = {
        details: turbine,
        indices: frames.get(id),
        ...(isRange(time) && time),
        ...price,
        ...call,
      };
      checks.set(
        id,
        typeof production === "string"
          ? production
          : await attempt(() => checkTurbine(id, production, more)),
      );
    }
    progress.advance();
  };
  for (let at = 0; at < known.length; at += PARALLEL) {
    await Promise.all(known.slice(at, at + PARALLEL).map((id, i) => judge(id, at + i)));
  }
  const fleet = summarizeFleet(indices, details, {
    ...time,
    checks: Object.fromEntries(checks),
    share,
  });
  return { fleet, checks, leftOut };
}

/** Columns of the printed table after the name. */
const COLUMNS = ["produced", "normal", "wind", "stops", "limited", "rest"] as const;
const TITLES = ["produced", "normal", "wind", "stops", "curtailed", "rest"];

/** Width of a name, and of a figure, characters. */
const [NAME, FIGURE] = [26, 10];

/** Figures of a turbine, or of a sum: in MWh, or in a currency. */
type Figures = Readonly<Record<string, unknown>>;

/** Formats a figure: changes get a sign, and parts of another step a dash. */
function formatCell(value: number | null, i: number, unit: string): string {
  if (value === null) return "-";
  if (value === 0) return "0";
  const decimals = chooseDecimals(unit, Math.abs(value)) ?? 0;
  return i < 2
    ? formatNumber(value, Math.min(1, decimals))
    : formatSigned(value, Math.min(1, decimals));
}

const formatLine = (name: string, cells: readonly string[], end: string) =>
  `${name.slice(0, NAME - 1).padEnd(NAME)}${
    cells.map((cell) => ` ${cell}`.padStart(FIGURE)).join("")
  }  ${end}`
    .trimEnd();

/** Formats a table with all columns that have values: turbines, their sum with its interval, an owner's share. */
function formatTable(
  unit: string,
  rows: readonly (readonly [title: string, figures: Figures, end: string])[],
  sum: readonly [title: string | undefined, figures: Figures, end: string] | undefined,
  share: readonly [title: string, figures: Figures, end: string] | undefined,
): string[] {
  const numberOf = (figures: Figures, name: string) => (figures[name] ?? null) as number | null;
  const columns = COLUMNS.filter((name) => rows.some(([, of]) => numberOf(of, name) !== null));
  const cells = (figures: Figures) =>
    columns.map((name) => formatCell(numberOf(figures, name), COLUMNS.indexOf(name), unit));
  const ends = (end: "low" | "high") =>
    columns.map((name) => {
      const value = sum ? numberOf(sum[1], `${name}_${end}`) : null;
      // An interval end equal to the energy means that its error is unknown.
      return value === null || value === sum![1][name] ? "" : formatCell(value, 2, unit);
    });
  return listGiven(
    formatLine(unit, columns.map((name) => TITLES[COLUMNS.indexOf(name)]), rows[0][2] && "verdict"),
    ...rows.map(([title, figures, end]) => formatLine(title, cells(figures), end)),
    sum?.[0] !== undefined && formatLine(sum[0], cells(sum[1]), sum[2]),
    ...(ends("low").every((end) => end === "") ? [] : [
      formatLine("  90 % interval, from", ends("low"), ""),
      formatLine("  to", ends("high"), ""),
    ]),
    share && formatLine(share[0], cells(share[1]), share[2]),
  );
}

/** Formats the turbines of a fleet, the largest loss first, and their sum; with prices also the value. */
export function formatFleet({ fleet, checks }: FleetAnswer): string {
  const { frames: { turbines }, verdict, share } = fleet;
  const rows = turbines.toRecords() as Readonly<Record<string, string & number>>[];
  const measured = rows.filter(({ produced }) => produced !== null);
  const count = measured.reduce((sum, { units }) => sum + units, 0);
  const total = rows.length === 1 ? undefined : `Sum of ${formatCount(count, "turbine")}`;
  const titleOf = ({ turbine_id: id, name }: typeof rows[number]) =>
    name === id ? id : `${id} ${name}`;
  const ofShare = share && `Share of ${share.owner}`;
  const energies = formatTable(
    "MWh",
    rows.map((row) => [titleOf(row), row, row.verdict]),
    verdict.produced === null ? undefined : [total, verdict as unknown as Figures, verdict.verdict],
    share && [ofShare!, share.verdict as unknown as Figures, share.verdict.verdict],
  );
  const [value] = [...checks.values()]
    .flatMap((check) => typeof check === "string" ? [] : check.verdict.value ?? []);
  if (!value) return energies.join("\n");
  const valueOf = (row: Figures) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, one]) =>
        name.startsWith("value_") ? [[name.slice("value_".length), one]] : []
      ),
    );
  const values = formatTable(
    value.currency,
    rows.filter(({ value_produced: value }) => value !== null)
      .map((row) => [titleOf(row), valueOf(row), ""]),
    verdict.value && [total, verdict.value as unknown as Figures, ""],
    share?.verdict.value && [ofShare!, share.verdict.value as unknown as Figures, ""],
  );
  return [...energies, "", ...values].join("\n");
}
