import type { ProductionFormat } from "../../../mod.ts";
import { nameTurbines } from "./guess_production.ts";
import type { InputFile } from "./input_files.ts";
import { checkZone, findZone } from "./place_questions.ts";
import type { Question } from "./question.ts";

/** Answer that no column names the turbine. */
export const ONE_TURBINE = "none";

/** Answer that stamps are ISO 8601. */
const ISO = "ISO";

export const RESOLUTIONS = ["10min", "hour", "month", "year"] as const;
export const UNITS = ["kW", "MW", "kWh", "MWh"] as const;
export const STAMPS = ["start", "end"] as const;
export const DECIMALS = [".", ","] as const;
export const THOUSANDS = [".", ",", "'", "space", "none"] as const;

/** Answer that no value means missing. */
export const NO_MARK = "none";

/** Questions about a table that no preset knows; zone and end of a stamp also where a preset leaves them open. */
export const layoutQuestions = {
  header: {
    name: "header-rows",
    value: "NUMBER",
    about: "Rows of the header, 1 to 3, with units or formats below the names",
    check: (answer) => /^[123]$/.test(answer) ? undefined : `"${answer}" is not 1, 2 or 3`,
  },
  time: {
    name: "time-column",
    value: "NAME",
    about: "Column of the time; two where day and time of day have one each",
    most: 2,
  },
  column: {
    name: "production-column",
    value: "NAME",
    about: "Column of the production; several for turbines side by side",
    most: 1000,
  },
  turbine: {
    name: "turbine-column",
    value: "NAME",
    about: "Column that names the turbine of a row, or none for one turbine",
  },
  resolution: {
    name: "resolution",
    value: "PERIOD",
    about: "Period of a row: 10min, hour, month or year",
  },
  unit: { name: "unit", value: "UNIT", about: "Unit of the production: kW, MW, kWh or MWh" },
  timeFormat: {
    name: "time-format",
    value: "FORMAT",
    about: `Format of the times, as DD.MM.YYYY HH:mm, or ${ISO} for 2023-05-01 13:00`,
  },
  footer: {
    name: "footer-rows",
    value: "NUMBER",
    about: "Rows below the table that are no periods, such as totals",
    check: (answer) =>
      /^\d{1,3}$/.test(answer) ? undefined : `"${answer}" is not a number of rows from 0 to 999`,
  },
  zone: {
    name: "production-zone",
    value: "ZONE",
    about: "Time zone of the times in the file, such as UTC or Europe/Copenhagen",
    normalize: findZone,
    check: checkZone,
  },
  stamp: {
    name: "stamp",
    value: "END",
    about: "What a time names of its period: start or end",
  },
  decimal: { name: "decimal", value: "MARK", about: "Decimal mark: point or comma, as . or ," },
  thousands: {
    name: "thousands",
    value: "MARK",
    about: "Mark between thousands: . , ' space or none",
  },
  nullValues: {
    name: "null-values",
    value: "VALUE",
    about: `Values that mean missing, as -999, or ${NO_MARK}`,
    most: 20,
  },
} as const satisfies Record<string, Question>;

/** Whether rows are periods of a clock, and not months or years. */
export const isShort = (period: string | undefined): boolean =>
  period === "10min" || period === "hour";

/**
 * Builds the format of a table from answers.
 *
 * @param find Finds the answers to a question
 * @returns The format; `undefined` where what it needs is not known
 */
export function buildFormat(
  find: (question: Question) => readonly string[] | undefined,
  { encoding }: Pick<InputFile, "encoding">,
): ProductionFormat | undefined {
  const q = layoutQuestions;
  const first = (question: Question) => find(question)?.[0];
  const oneOf = <T extends string>(question: Question, choices: readonly T[]) =>
    choices.find((choice) => choice === first(question));
  const [time, clock] = find(q.time) ?? [];
  const columns = find(q.column) ?? [];
  const resolution = oneOf(q.resolution, RESOLUTIONS);
  const unit = oneOf(q.unit, UNITS);
  if (!time || columns.length === 0 || !resolution || !unit) return undefined;
  const ids = nameTurbines(columns);
  const [turbine, format, rows, header] = [q.turbine, q.timeFormat, q.footer, q.header].map(first);
  const headerRows = ([1, 2, 3] as const).find((count) => String(count) === header) ?? 1;
  const marks = (find(q.nullValues) ?? []).filter((mark) => mark !== NO_MARK)
    .map((mark) => /^[+-]?\d+(\.\d+)?$/.test(mark) ? Number(mark) : mark);
  const thousands = oneOf(q.thousands, THOUSANDS);
  const [decimal, stamp, zone] = [
    oneOf(q.decimal, DECIMALS),
    oneOf(q.stamp, STAMPS),
    first(q.zone),
  ];
  const short = isShort(resolution);
  return {
    column: columns.length === 1
      ? columns[0]
      : Object.fromEntries(columns.map((name, i) => [ids[i], name])),
    time: clock === undefined ? time : [time, clock],
    resolution,
    unit,
    ...(turbine && turbine !== ONE_TURBINE && columns.length === 1 ? { turbine } : {}),
    ...(format && format !== ISO ? { time_format: format } : {}),
    ...(short && zone ? { time_zone: zone } : {}),
    ...(short && stamp ? { stamp } : {}),
    ...(decimal ? { decimal } : {}),
    ...(decimal && thousands && thousands !== "none"
      ? { thousands: thousands === "space" ? " " : thousands }
      : {}),
    ...(headerRows > 1 ? { header_rows: headerRows } : {}),
    ...(Number(rows) > 0 ? { footer_rows: Number(rows) } : {}),
    ...(marks.length > 0 ? { null_values: marks } : {}),
    ...(encoding ? { encoding } : {}),
  };
}
