import type { ProductionFormat, RecognizedColumn } from "../../../mod.ts";
import { visibleText } from "../../api/visible_text.ts";
import { alignRows } from "./describe_production.ts";
import type { Dialogue } from "./dialogue.ts";
import { guessColumns, guessMeaning, hasOffset } from "./guess_production.ts";
import type { InputFile } from "./input_files.ts";
import { checkZone } from "./place_questions.ts";
import type { Proposal, Question } from "./question.ts";

/** Widest cell of a preview, in characters. */
const MAX_CELL = 28;

/** Answer that no column names the turbine. */
const ONE_TURBINE = "none";

/** Answer that stamps are ISO 8601. */
const ISO = "ISO";

const RESOLUTIONS = ["10min", "hour", "month", "year"] as const;
const UNITS = ["kW", "MW", "kWh", "MWh"] as const;
const STAMPS = ["start", "end"] as const;
const DECIMALS = [".", ","] as const;
const THOUSANDS = [".", ",", "'", "space", "none"] as const;

/** Questions about a table that no preset knows. */
export const layoutQuestions = {
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
  timeFormat: {
    name: "time-format",
    value: "FORMAT",
    about: `Format of the times, as DD.MM.YYYY HH:mm, or ${ISO} for 2023-05-01 13:00`,
  },
  resolution: {
    name: "resolution",
    value: "PERIOD",
    about: "Period of a row: 10min, hour, month or year",
  },
  unit: { name: "unit", value: "UNIT", about: "Unit of the production: kW, MW, kWh or MWh" },
  zone: {
    name: "production-zone",
    value: "ZONE",
    about: "Time zone of the times in the file, such as UTC or Europe/Copenhagen",
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
} as const satisfies Record<string, Question>;

/** Columns with their first cells, numbered as they can be chosen. */
export function describeColumns(columns: readonly RecognizedColumn[]): string[] {
  const cut = (text: string) => {
    const shown = Array.from(visibleText(text));
    return shown.length > MAX_CELL ? `${shown.slice(0, MAX_CELL - 1).join("")}…` : shown.join("");
  };
  const rows = columns.map(({ name, first }, i) => [
    `${i + 1}`.padStart(3),
    visibleText(name),
    ...[0, 1, 2].map((row) => cut(first[row] ?? "")),
  ]);
  return alignRows([["  #", "column", "first cells", "", ""], ...rows]);
}

/** Asks a question whose answers are one of a few; `undefined` where the answer is missing. */
async function askChoice<T extends string>(
  dialogue: Dialogue,
  question: Question,
  choices: readonly T[],
  proposal: Proposal,
): Promise<T | undefined> {
  const [answer] = await dialogue.ask(question, { ...proposal, choices }) ?? [];
  return choices.find((choice) => choice === answer);
}

/**
 * Asks what the columns of a table mean that no preset knows. What its first rows show is proposed.
 *
 * @param dialogue Asks
 * @param file The file
 * @returns Its format; `undefined` where answers are missing
 */
export async function askLayout(
  dialogue: Dialogue,
  { columns, encoding }: InputFile,
): Promise<ProductionFormat | undefined> {
  dialogue.say();
  for (const line of describeColumns(columns)) dialogue.say(`  ${line}`);
  dialogue.say("  Give a number or a name; of several numbers with blanks between them.");
  const names = columns.map(({ name }) => name);
  const guess = guessColumns(columns);
  const { time: timeQuestion, column: columnQuestion, turbine: turbineQuestion } = layoutQuestions;
  const time = await dialogue.ask(timeQuestion, { ...guess.time, choices: names });
  const column = await dialogue.ask(columnQuestion, { ...guess.column, choices: names });
  if (!time || !column) return undefined;
  const [turbine] = column.length > 1 ? [ONE_TURBINE] : await dialogue.ask(turbineQuestion, {
    answers: [ONE_TURBINE],
    ...guess.turbine,
    choices: [...names, ONE_TURBINE],
  }) ?? [];
  const find = (some: readonly string[]) => columns.filter(({ name }) => some.includes(name));
  const { timeFormat, resolution, unit, zone, stamp, decimal, thousands } = guessMeaning(
    time.flatMap((name) => find([name])),
    find(column),
  );
  const period = await askChoice(dialogue, layoutQuestions.resolution, RESOLUTIONS, resolution);
  const [format] = await dialogue.ask(layoutQuestions.timeFormat, timeFormat) ?? [];
  const energy = await askChoice(
    dialogue,
    layoutQuestions.unit,
    period === "month" || period === "year" ? UNITS.slice(2) : UNITS,
    unit,
  );
  const short = period === "10min" || period === "hour";
  const own = short && !hasOffset(find(time)[0])
    ? await dialogue.ask(layoutQuestions.zone, zone)
    : [];
  const end = short ? await askChoice(dialogue, layoutQuestions.stamp, STAMPS, stamp) : undefined;
  const marked = find(column).some(({ first }) => first.some((cell) => cell.includes(",")));
  const mark = marked
    ? await askChoice(dialogue, layoutQuestions.decimal, DECIMALS, decimal)
    : undefined;
  const group = marked
    ? await askChoice(dialogue, layoutQuestions.thousands, THOUSANDS, {
      answers: ["none"],
      ...thousands,
    })
    : undefined;
  if (
    !turbine || !period || !format || !energy || !own || short && !end || marked && !(mark && group)
  ) {
    return undefined;
  }
  const thousandsMark = group === "space" ? " " : group === "none" ? undefined : group;
  const [first, second] = time;
  return {
    column: column.length === 1
      ? column[0]
      : Object.fromEntries(column.map((name) => [name, name])),
    time: second === undefined ? first : [first, second],
    resolution: period,
    unit: energy,
    ...(turbine === ONE_TURBINE ? {} : { turbine }),
    ...(format === ISO ? {} : { timeFormat: format }),
    ...(own.length > 0 ? { timeZone: own[0] } : {}),
    ...(end ? { stamp: end } : {}),
    ...(mark ? { decimal: mark } : {}),
    ...(thousandsMark ? { thousands: thousandsMark } : {}),
    ...(encoding ? { encoding } : {}),
  };
}
