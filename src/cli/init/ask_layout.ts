import type { ProductionFormat } from "../../../mod.ts";
import { recognizeFile } from "../../sites/mod.ts";
import { describeColumns } from "./describe_columns.ts";
import type { Dialogue } from "./dialogue.ts";
import {
  describeFormats,
  findNullMark,
  guessColumns,
  guessMeaning,
  guessStamp,
  hasOffset,
} from "./guess_production.ts";
import type { InputFile } from "./input_files.ts";
import {
  buildFormat,
  DECIMALS,
  isShort,
  layoutQuestions as q,
  NO_MARK,
  ONE_TURBINE,
  RESOLUTIONS,
  STAMPS,
  THOUSANDS,
  UNITS,
} from "./layout_questions.ts";
import { placeQuestions } from "./place_questions.ts";
import type { ProductionTrial } from "./production_trial.ts";
import type { Proposal, Question } from "./question.ts";

/**
 * Asks what the columns of a table mean that no preset knows. What its first rows show is proposed; an answer that the
 * files refute is refused at once.
 *
 * @param file The first of the files
 * @param blamed Questions to which the files were seen to need an answer
 * @returns Their format, with what is proposed where answers are missing; `undefined` where nothing is proposed either
 */
export async function askLayout(
  dialogue: Dialogue,
  file: InputFile,
  trial: ProductionTrial,
  blamed: ReadonlySet<string>,
): Promise<ProductionFormat | undefined> {
  const columns = await askHeader(dialogue, file, blamed);
  if (!dialogue.answers.has(q.column.name)) {
    dialogue.say();
    for (const line of describeColumns(columns)) dialogue.say(`  ${line}`);
    dialogue.head("  Give a number or a name; of several numbers with blanks between them.");
  }
  const names = columns.map(({ name }) => name);
  const guess = guessColumns(columns);
  const time = await dialogue.ask(q.time, { ...guess.time, choices: names });
  const column = await dialogue.ask(q.column, { ...guess.column, choices: names });
  const find = (some: readonly string[] = []) =>
    some.flatMap((name) => columns.filter((one) => one.name === name));
  const stamps = find(time ?? guess.time.answers);
  const numbers = find(column ?? guess.column.answers);
  const meaning = guessMeaning(stamps, numbers);
  const ownZone = blamed.has(q.zone.name) || !stamps.some(hasOffset);

  // Until a question is answered, its option or its proposal counts, and UTC, which has all hours.
  const drafts = new Map<string, readonly string[] | undefined>([
    [q.header.name, [String(file.headerRows ?? 1)]],
    [q.time.name, time ?? guess.time.answers],
    [q.column.name, column ?? guess.column.answers],
    [q.turbine.name, guess.turbine.answers],
    [q.resolution.name, meaning.resolution.answers],
    [q.unit.name, meaning.unit.answers ?? [numbers.length > 0 ? "kWh" : ""]],
    [q.timeFormat.name, meaning.timeFormats.slice(0, 1)],
    [q.decimal.name, meaning.decimal.answers],
    [q.thousands.name, meaning.thousands.answers],
    [q.zone.name, ownZone ? ["UTC"] : undefined],
  ]);
  const build = (changes: Readonly<Record<string, string>> = {}) =>
    buildFormat(({ name }) => {
      if (changes[name] !== undefined) return [changes[name]];
      const option = name === q.zone.name ? [] : dialogue.given(name);
      return dialogue.answers.get(name) ?? (option.length > 0 ? option : drafts.get(name));
    }, file);
  /** Asks a question; an answer that the files refute is refused. */
  const ask = async (question: Question, proposal: Proposal) => {
    const check = async (answer: string) => {
      const wrong = question.check?.(answer, dialogue.answers);
      const how = build({ [question.name]: answer });
      return await wrong ?? (how && await trial.findFault(how, question));
    };
    return (await dialogue.ask({ ...question, check }, proposal))?.[0];
  };

  if (numbers.length <= 1) {
    await ask(q.turbine, {
      answers: [ONE_TURBINE],
      ...guess.turbine,
      choices: [...names, ONE_TURBINE],
    });
  }
  const period = await ask(q.resolution, { ...meaning.resolution, choices: RESOLUTIONS }) ??
    meaning.resolution.answers?.[0];
  const short = isShort(period);
  await ask(q.unit, {
    ...meaning.unit,
    choices: short || period === undefined ? UNITS : UNITS.slice(2),
  });
  const footer = isWanted(dialogue, q.footer, blamed);
  await askTimes(dialogue, trial, meaning.timeFormats, stamps[0]?.first ?? [], build, footer);
  // The hours of a clock change are read by their zone, and figures only after the times.
  if (short && ownZone) {
    const [place = "UTC"] = dialogue.answers.get(placeQuestions.zone.name) ?? [];
    const check = async (timeZone: string) => {
      const how = build();
      return q.zone.check(timeZone) ??
        (how && await trial.findOtherZone({ ...how, time_zone: timeZone }, place));
    };
    await ask({ ...q.zone, check }, meaning.zone);
  }
  if (short) {
    const how = build();
    const times = how ? await trial.readClock(how) : [];
    const hint = times.length > 0 ? guessStamp(times, period) : meaning.stamp;
    await dialogue.ask(q.stamp, { ...hint, choices: STAMPS });
  }
  const marked = blamed.has(q.decimal.name) ||
    numbers.some(({ first }) => first.some((cell) => cell.includes(",")));
  if (marked) {
    await ask(q.decimal, { ...meaning.decimal, choices: DECIMALS });
    await ask(q.thousands, { answers: ["none"], ...meaning.thousands, choices: THOUSANDS });
  }
  const how = build();
  const mark = how && findNullMark(await trial.readValues(how));
  if (mark || isWanted(dialogue, q.nullValues, blamed)) {
    await dialogue.ask(
      q.nullValues,
      mark
        ? {
          answers: [String(mark.value)],
          reason: `${mark.count} of the values; the nearest of the others is ${mark.next}`,
          unsure: true,
        }
        : { answers: [NO_MARK] },
    );
  }
  return build();
}

/** Whether a question is asked that most files need no answer to. */
const isWanted = (dialogue: Dialogue, { name }: Question, blamed: ReadonlySet<string>) =>
  blamed.has(name) || dialogue.answers.has(name) || dialogue.given(name).length > 0;

/** Asks for the rows of the header where there are several; the columns by their joined names. */
async function askHeader(
  dialogue: Dialogue,
  { columns, headerRows = 1, path }: InputFile,
  blamed: ReadonlySet<string>,
): Promise<InputFile["columns"]> {
  if (headerRows === 1 && !isWanted(dialogue, q.header, blamed)) return columns;
  const joined = columns.find(({ name }) => name.includes(" / "))?.name;
  const [answer] = await dialogue.ask(q.header, {
    answers: [String(headerRows)],
    ...(joined === undefined ? {} : { reason: `then a column is "${joined}"` }),
  }) ?? [];
  const count = Number(answer ?? headerRows);
  return count === headerRows
    ? columns
    : (await recognizeFile(path, { headerRows: count })).columns;
}

/** Asks for the format of the times, which all rows must have, and for the rows below the table, which have none. */
async function askTimes(
  dialogue: Dialogue,
  trial: ProductionTrial,
  formats: readonly string[],
  cells: readonly string[],
  build: (changes?: Readonly<Record<string, string>>) => ProductionFormat | undefined,
  askFooter: boolean,
): Promise<void> {
  const [given] = dialogue.given(q.footer.name);
  const tryFormat = async (format: string) => {
    const how = build({ [q.timeFormat.name]: format });
    if (!how) return { rows: 0 };
    if (given === undefined) return await trial.findFooter(how);
    return await trial.findFault(how, q.timeFormat) ?? { rows: 0 };
  };
  let possible: string[] = [];
  let reason = `"${cells[0]}"`;
  for (const format of formats) {
    const how = build({ [q.timeFormat.name]: format });
    if (typeof await tryFormat(format) !== "string") possible.push(format);
    else if (how && formats.length > 1) reason = await trial.findCell(how) ?? reason;
  }
  if (possible.length > 1) {
    const ordered: string[] = [];
    for (const format of possible) {
      if (await trial.isOrdered(build({ [q.timeFormat.name]: format }))) ordered.push(format);
    }
    if (ordered.length === 1) [possible, reason] = [ordered, "else they would not be in order"];
  }
  const about = possible.length > 1
    ? `${q.timeFormat.about}; ${describeFormats(cells, possible)}`
    : q.timeFormat.about;
  const check = async (answer: string) => {
    const found = await tryFormat(answer);
    return typeof found === "string" ? found : undefined;
  };
  const [format] = await dialogue.ask(
    { ...q.timeFormat, about, check },
    possible.length === 1 ? { answers: possible, reason } : {},
  ) ?? possible;
  const found = await tryFormat(format ?? "");
  if (!askFooter && (typeof found === "string" || found.rows === 0)) return;
  await dialogue.ask({
    ...q.footer,
    check: async (answer) => {
      const how = build({ [q.footer.name]: answer });
      return q.footer.check(answer) ?? (how && await trial.findFault(how, q.footer));
    },
  }, typeof found === "string" ? {} : { answers: [String(found.rows)], reason: found.first });
}
