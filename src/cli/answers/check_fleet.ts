import type { DataFrame } from "nodejs-polars";
import {
  type CallOptions,
  failures,
  monthlyIndices,
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

/** Turbines that are loaded at once. */
const AT_ONCE = 8;

type PerformanceCheck = Awaited<ReturnType<typeof checkTurbine>>;

/** The answer on a fleet, the checks behind it, and what it leaves out. */
export interface FleetAnswer {
  readonly fleet: ReturnType<typeof summarizeFleet>;
  readonly checks: ReadonlyMap<string, PerformanceCheck | string>;
  readonly leftOut: ReadonlyMap<string, string>;
}

/** A time that is asked for. */
export interface AskedTime {
  readonly month?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Whether a range of months or a year is asked for. */
export const isRange = ({ from, to }: AskedTime): boolean => from !== undefined || to !== undefined;

/** Runs what may fail for one turbine; its message is why it has no answer. */
async function attempt<T>(act: () => Promise<T>): Promise<T | string> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof VindkitError)) throw error;
    return error.message;
  }
}

/**
 * Judges turbines, each by its own production.
 *
 * @param productions Production by turbine, or why there is none
 */
export async function checkFleet(
  ids: readonly string[],
  productions: Productions,
  time: AskedTime,
  share: OwnerShare | undefined,
  call: CallOptions,
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
    const own = details[position] = await turbineDetails(id, call);
    const production = productions.get(id);
    if (production !== undefined) {
      const more = {
        details: own,
        indices: frames.get(id),
        ...(isRange(time) && time),
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
  for (let at = 0; at < known.length; at += AT_ONCE) {
    await Promise.all(known.slice(at, at + AT_ONCE).map((id, i) => judge(id, at + i)));
  }
  const fleet = summarizeFleet(indices, details, {
    ...time,
    checks: Object.fromEntries(checks),
    share,
  });
  return { fleet, checks, leftOut };
}

/** Columns of the printed table, beside the name. */
const COLUMNS = ["produced", "normal", "wind", "stops", "limited", "rest"] as const;
const TITLES = ["produced", "normal", "wind", "stops", "limits", "rest"];

/** Characters of a name, and of a figure. */
const [NAME, FIGURE] = [26, 9];

type Row = Readonly<Record<typeof COLUMNS[number], number | null>>;

/** A figure: a change has its sign, what is part of another step a dash. */
function formatCell(value: number | null, i: number): string {
  if (value === null) return "-";
  if (value === 0) return "0";
  const decimals = chooseDecimals("MWh", Math.abs(value)) ?? 0;
  return i < 2
    ? formatNumber(value, Math.min(1, decimals))
    : formatSigned(value, Math.min(1, decimals));
}

const formatLine = (name: string, cells: readonly string[], end: string) =>
  `${name.slice(0, NAME - 1).padEnd(NAME)}${
    cells.map((cell) => ` ${cell}`.padStart(FIGURE)).join("")
  }  ${end}`
    .trimEnd();

/** Formats the turbines of a fleet, the one that lost the most first, and their sum. */
export function formatFleet(
  { frames: { turbines }, verdict, share }: FleetAnswer["fleet"],
): string[] {
  const cells = (row: Row) => COLUMNS.map((column, i) => formatCell(row[column], i));
  const rows = turbines.toRecords() as unknown as (Row & {
    turbine_id: string;
    name: string;
    verdict: string;
    units: number;
  })[];
  const measured = rows.filter(({ produced }) => produced !== null);
  const count = (all: typeof rows) => all.reduce((sum, { units }) => sum + units, 0);
  const ends = (end: "low" | "high") =>
    COLUMNS.map((column) => {
      const value = (verdict as unknown as Record<string, number | null>)[`${column}_${end}`] ??
        null;
      // Ends at the energy itself are those of an error that is not known.
      return value === null || value === verdict[column] ? "" : formatCell(value, 2);
    });
  const total = `Sum of ${formatCount(count(measured), "turbine")}`;
  const sum = verdict.produced === null ? [] : listGiven(
    rows.length !== 1 && formatLine(total, cells(verdict), verdict.verdict),
    ...(ends("low").every((end) => end === "") ? [] : [
      formatLine("  90 % interval, from", ends("low"), ""),
      formatLine("  to", ends("high"), ""),
    ]),
  );
  return listGiven(
    formatLine("MWh", TITLES, "verdict"),
    ...rows.map(({ turbine_id: id, name, ...row }) =>
      formatLine(name === id ? id : `${id} ${name}`, cells(row), row.verdict)
    ),
    ...sum,
    share && formatLine(`Share of ${share.owner}`, cells(share.verdict), share.verdict.verdict),
  );
}
