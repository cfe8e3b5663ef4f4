import type { DataFrame } from "nodejs-polars";
import { type Column, ownColumn } from "../../api/columns/column.ts";
import { buildFrame } from "../../frames/frame.ts";
import { describeFrame, type Origin } from "../../frames/provenance.ts";
import type { ChangeResult, CheckResult } from "./check_result.ts";

/** The frame `changes` of `checkPerformance()`: one row a lasting change. */
export const changeColumns: readonly Column[] = [
  ownColumn(
    "change",
    "utf8",
    "Change",
    "`loss` or `gain` of power, or `limit`: a level that the power did not exceed.",
  ),
  ownColumn("from", "datetime", "From", "Start of the change."),
  ownColumn(
    "from_low",
    "datetime",
    "From, earliest",
    "Lower end of the 90 % interval of the start.",
  ),
  ownColumn(
    "from_high",
    "datetime",
    "From, latest",
    "Upper end of the 90 % interval of the start.",
  ),
  ownColumn("to", "datetime", "To", "The next change, or the end of the record; exclusive."),
  ownColumn("size", "f64", "Size", "Change of the power, of that before.", "%"),
  ownColumn("size_low", "f64", "Size, low", "Lower end of the 90 % interval of the size.", "%"),
  ownColumn("size_high", "f64", "Size, high", "Upper end of the 90 % interval of the size.", "%"),
  ownColumn("lost", "f64", "Lost", "Energy lost from start to end; negative for a gain.", "MWh"),
  ownColumn("lost_low", "f64", "Lost, low", "Lower end of the 90 % interval of that.", "MWh"),
  ownColumn("lost_high", "f64", "Lost, high", "Upper end of the 90 % interval of that.", "MWh"),
  ownColumn("level", "f64", "Level", "Level of a limit.", "kW"),
  ownColumn(
    "against",
    "utf8",
    "Against",
    "What it was found against: `prediction` or `neighbours`.",
  ),
];

/** Builds the frame of lasting changes, one a row. */
export function buildChangesFrame(
  { change, timeZone }: CheckResult,
  origin: Origin,
): DataFrame {
  const changes = change?.changes ?? [];
  const numbers = (value: (one: ChangeResult) => number) =>
    changes.map((one) => Number.isFinite(value(one)) ? value(one) : null);
  const instants = (value: (one: ChangeResult) => number) =>
    changes.map((one) => Number.isFinite(value(one)) ? BigInt(value(one)) * 1000n : null);
  const frame = buildFrame(changeColumns, {
    change: changes.map(({ kind }) => kind),
    from: instants(({ from }) => from),
    from_low: instants(({ earliest }) => earliest),
    from_high: instants(({ latest }) => latest),
    to: instants(({ to }) => to),
    size: numbers(({ size }) => 100 * size),
    size_low: numbers(({ low }) => 100 * low),
    size_high: numbers(({ high }) => 100 * high),
    lost: numbers(({ lost }) => lost),
    lost_low: numbers(({ lostLow }) => lostLow),
    lost_high: numbers(({ lostHigh }) => lostHigh),
    level: numbers(({ level }) => level),
    against: changes.map(({ against }) => against),
  }, timeZone);
  return describeFrame(frame, changeColumns, origin);
}
