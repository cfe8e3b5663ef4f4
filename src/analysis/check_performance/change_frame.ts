import type { DataFrame } from "nodejs-polars";
import { type Column, ownColumn } from "../../api/columns/column.ts";
import { buildFrame } from "../../frames/frame.ts";
import { describeFrame, type Origin } from "../../frames/provenance.ts";
import type { ChangeResult, CheckResult } from "./check_result.ts";

function declareText(name: string, label: string, description: string): Column {
  return ownColumn(name, "utf8", label, description);
}

function declareInstant(name: string, label: string, description: string): Column {
  return ownColumn(name, "datetime", label, description);
}

function declareNumber(name: string, unit: string, label: string, description: string): Column {
  return { ...ownColumn(name, "f64", label, description), unit };
}

/** The frame `changes` of `checkPerformance()`: one row a lasting change. */
export const changeColumns: readonly Column[] = [
  declareText(
    "change",
    "Change",
    "`loss` or `gain` of power, or `limit`: a level that the power did not exceed.",
  ),
  declareInstant("from", "From", "Start of the change."),
  declareInstant("from_low", "From, earliest", "Lower end of the 90 % interval of the start."),
  declareInstant("from_high", "From, latest", "Upper end of the 90 % interval of the start."),
  declareInstant("to", "To", "The next change, or the end of the record; exclusive."),
  declareNumber("size", "%", "Size", "Change of the power, of that before."),
  declareNumber("size_low", "%", "Size, low", "Lower end of the 90 % interval of the size."),
  declareNumber("size_high", "%", "Size, high", "Upper end of the 90 % interval of the size."),
  declareNumber("lost", "MWh", "Lost", "Energy lost from start to end; negative for a gain."),
  declareNumber("lost_low", "MWh", "Lost, low", "Lower end of the 90 % interval of that."),
  declareNumber("lost_high", "MWh", "Lost, high", "Upper end of the 90 % interval of that."),
  declareNumber("level", "kW", "Level", "Level of a limit."),
  declareText("against", "Against", "What it was found against: `prediction` or `neighbours`."),
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
