import { recognizeFile } from "../../sites/mod.ts";
import { type DataFrame, pl, type ProductionFormat } from "../../../mod.ts";
import { TimeFormat } from "../../time/time_format.ts";
import { visibleText } from "../../api/error_text.ts";
import { type Check, type Dialogue, type Proposal, proven, unsure, usual } from "./dialogue.ts";
import { NONE, productionFields as f } from "./fields.ts";
import {
  describeFormats,
  findMinutes,
  guessColumns,
  guessCounter,
  guessMarks,
  guessNullValues,
  guessResolution,
  guessStamp,
  guessUnit,
  hasOffset,
  joinTimes,
  listTimeFormats,
  nameTurbines,
} from "./guess_production.ts";
import type { InputFile } from "./input_files.ts";
import type { HowRead, ProductionTrial, Refused } from "./production_trial.ts";
import type { Choice } from "./terminal.ts";

/** All fields of a format but some. */
export const others = (...known: readonly string[]) =>
  (Object.keys(f) as (keyof typeof f)[]).filter((name) => name !== "file" && !known.includes(name));

const choose = (columns: InputFile["columns"]): Choice[] =>
  columns.map(({ name, first }) => ({
    value: name,
    ...(first.length > 0 ? { hint: visibleText(first.join(", ").slice(0, 60)) } : {}),
  }));

/** Asks how files of one layout are read. */
export class FormatQuestions {
  readonly #dialogue: Dialogue;
  readonly #file: InputFile;
  readonly #trial: ProductionTrial;
  readonly #how: Record<string, unknown> = {};

  constructor(dialogue: Dialogue, file: InputFile, trial: ProductionTrial) {
    this.#dialogue = dialogue;
    this.#file = file;
    this.#trial = trial;
  }

  /** Asks for a field of the format; without an answer the proposal counts. */
  async #ask(name: keyof typeof f, proposal: Proposal = {}, check?: Check): Promise<unknown> {
    const value = await this.#dialogue.ask(f[name], proposal, check);
    const known = value === undefined ? proposal.value : value;
    if (known !== null && known !== undefined) this.#how[name] = known;
    return known ?? undefined;
  }

  /** Asks for a field where the files show its value, or an answer is wanted. */
  async #offer(name: keyof typeof f, proposal: Proposal): Promise<unknown> {
    const asks = proposal.value !== undefined || this.#dialogue.wants(f[name]);
    return asks ? await this.#ask(name, proposal) : undefined;
  }

  /** Asks for fields that the files do not require, if an answer is wanted. */
  async #askWanted(names: readonly (keyof typeof f)[], zone?: string): Promise<void> {
    for (const name of names) {
      if (!this.#dialogue.wants(f[name])) continue;
      await this.#ask(name, name === "time_zone" ? proposeZone(zone, "") : {});
    }
  }

  /** The format as far as it is known; UTC, which has all hours, until the zone is. */
  #draft(changes: Partial<ProductionFormat> = {}): ProductionFormat {
    const { column, ...how } = { ...this.#how, ...changes } as ProductionFormat;
    if (column === undefined) return how as ProductionFormat; // that of a preset
    const names = Array.isArray(column) && how.resolution !== "year" ? column as string[] : [];
    const twelve = names.length === 12 && how.resolution === "month";
    const ids = names.length > 1 && !twelve ? nameTurbines(names) : undefined;
    return {
      column: ids ? Object.fromEntries(names.map((one, i) => [ids[i], one])) : column,
      ...how,
      time: Array.isArray(how.time) && how.time.length === 1 ? how.time[0] : how.time,
    };
  }

  /** Reads the production as far as its format is known, whatever its values show: that is asked. */
  async #read(changes: Partial<ProductionFormat> = {}): Promise<DataFrame | Refused> {
    const how = this.#draft(changes);
    const frame = await this.#trial.read(how);
    const isJudged = frame instanceof Error &&
      ["counter", "null_values"].includes(frame.field ?? "");
    return isJudged
      ? await this.#trial.read({ ...how, null_values: how.null_values ?? [], counter: false })
      : frame;
  }

  /**
   * Asks how files of a preset are read: for facts that neither preset nor files state, and for fields that the user
   * wants.
   */
  async askPreset(zone: string | undefined): Promise<HowRead> {
    await this.#ask("preset", proven(this.#file.preset, "its columns are there"));
    if (this.#dialogue.wants(f.stamp)) await this.#ask("stamp", unsure("start", "assumed"));
    await this.#askWanted(others("preset", "stamp"), zone);
    // A stand-in until it is answered, so that everything else that is missing is found.
    if (this.#dialogue.wants(f.time_zone)) this.#how.time_zone ??= "UTC";
    return this.#draft();
  }

  /**
   * Asks how a table that no preset knows is read: for facts that neither its first rows show nor all of its rows
   * prove.
   */
  async askTable(zone: string | undefined): Promise<HowRead | undefined> {
    const file = this.#file;
    if (file.encoding !== undefined) {
      await this.#ask("encoding", proven(file.encoding, "some bytes are not UTF-8"));
    }
    if (file.sheets !== undefined) {
      const [value, ...others] = file.sheets;
      await this.#ask("sheet", {
        ...others.length === 0
          ? proven(value, "the only one with production")
          : unsure(value, `not ${others.join(", ")}`),
        choices: file.sheets.map((value) => ({ value })),
      });
    }
    const columns = await this.#askHeader();
    const choices = choose(columns);
    const guess = guessColumns(columns);
    const find = (names: unknown) =>
      [names].flat().flatMap((name) => columns.filter((one) => one.name === name));
    const times = find(await this.#ask("time", { ...guess.time, choices }));
    const numbers = find(await this.#ask("column", { ...guess.column, choices }));
    if (numbers.length < 2) {
      await this.#offer("turbine", { ...guess.turbine, choices: [{ value: NONE }, ...choices] });
    }
    const stamps = joinTimes(times);
    const formats = listTimeFormats(stamps);
    const period = await this.#ask("resolution", guessResolution(stamps, formats));
    const short = findMinutes(period) !== undefined;
    const units = short || period === undefined ? f.unit.choices : f.unit.choices.slice(2);
    await this.#ask("unit", {
      ...guessUnit(numbers.map(({ name }) => name)),
      choices: units.map((value) => ({ value })),
    });
    this.#how.unit ??= "kWh"; // until it is answered
    const marks = guessMarks(numbers.flatMap(({ first }) => first));
    await this.#offer("decimal", marks.decimal);
    await this.#offer("thousands", marks.thousands);
    const ownZone = short && (this.#dialogue.wants(f.time_zone) || !hasOffset(stamps[0] ?? ""));
    if (ownZone) this.#how.time_zone = "UTC";
    if (times.length === 0 || numbers.length === 0) return undefined;
    await this.#askTimes(formats, stamps);
    const inUtc = short ? await this.#read() : undefined;
    // Local times need not be times of UTC.
    const frame = inUtc instanceof Error && zone ? await this.#read({ time_zone: zone }) : inUtc;
    if (ownZone) await this.#ask("time_zone", proposeZone(zone, String(this.#how.time)));
    if (short && !isRange(this.#how.time_format)) {
      const guess = period === "day" && stamps.every((stamp) => !stamp.includes(":"))
        ? proven("start", "a date is of that day")
        : frame && !(frame instanceof Error)
        ? guessStamp(readClock(frame), String(period))
        : {};
      await this.#ask("stamp", guess);
    }
    await this.#askValues(numbers);
    const done = ["preset", "turbine", "time_zone", "stamp", "turbines", ...Object.keys(this.#how)];
    await this.#askWanted(others(...done));
    return this.#draft();
  }

  /** Asks for the rows of the header where there are several; the columns by their joined names. */
  async #askHeader(): Promise<InputFile["columns"]> {
    const { columns, headerRows = 1, path } = this.#file;
    const { header_rows: field } = f;
    if (headerRows === 1 && !this.#dialogue.wants(field)) return columns;
    const joined = columns.find(({ name }) => name.includes(" / "))?.name;
    const proposal = proven(headerRows, `then a column is "${joined}"`);
    const count = Number(await this.#ask("header_rows", proposal));
    return count === headerRows
      ? columns
      : (await recognizeFile(path, { headerRows: count })).columns;
  }

  /** Asks for the format of the times, which all rows must have, and for the rows below the table, which have none. */
  async #askTimes(formats: readonly (string | null)[], stamps: readonly string[]): Promise<void> {
    const trial = this.#trial;
    const withFormat = (format: string | null) =>
      this.#draft(format === null ? {} : { time_format: format });
    const find = (format: string | null) => trial.findLeftOut(withFormat(format));
    const check = async (format: unknown) => {
      const found = await find(format as string | null);
      return typeof found === "string" ? found : undefined;
    };
    let possible: (string | null)[] = [];
    const ordered: (string | null)[] = [];
    let [refuted, message]: (string | undefined)[] = [];
    for (const format of formats) {
      const found = await find(format);
      if (typeof found !== "string") {
        possible.push(format);
        const how = { ...withFormat(format), leave_out: found.texts };
        if (formats.length > 1 && await trial.isOrdered(how)) ordered.push(format);
      } else {
        message = found;
        const { value, row } = await trial.read(withFormat(format)) as Refused;
        if (row !== undefined) refuted ??= `"${value}" in line ${row}`;
      }
    }
    let reason = possible.length === 1 && refuted ? refuted : `"${stamps[0]}"`;
    if (possible.length > 1 && ordered.length === 1) {
      [possible, reason] = [ordered, "else they would not be in order"];
    }
    // Counted hours are meant only where others do not fit.
    possible = possible.filter((format) =>
      !possible.includes(format?.replace(/N$/, "H") ?? "") || !format?.endsWith("N")
    );
    if (possible.includes(null)) possible = [null]; // ISO 8601 has one meaning
    if (possible.length === 0 && message) this.#dialogue.say(message);
    const [one] = possible;
    const wanted = this.#dialogue.wants(f.time_format);
    // ISO 8601 needs no format.
    if (possible.length !== 1 || one !== null || wanted) {
      const readings = describeFormats(stamps, possible);
      const choices = possible.map((format, i) => ({ value: `${format}`, hint: readings[i] }));
      const proposal = possible.length === 1 ? proven(one, reason) : wanted ? {} : { choices };
      await this.#ask("time_format", proposal, check);
      // Until it is answered.
      if (this.#how.time_format === undefined && one) this.#how.time_format = one;
    }
    const found = await trial.findLeftOut(this.#draft());
    const { texts = [], first } = typeof found === "string" ? {} : found;
    await this.#offer("leave_out", texts.length > 0 ? proven(texts, `${first} is no time`) : {});
  }

  /** Asks for what values show that cannot be production: marks of missing ones, and the readings of a meter. */
  async #askValues(numbers: InputFile["columns"]): Promise<void> {
    const texts = [...new Set(numbers.flatMap(({ marks = [] }) => marks))];
    const unmarked = await this.#read({ null_values: texts });
    const seen = unmarked instanceof Error ? [] : listValues(unmarked, this.#draft());
    const marks = texts.length > 0
      ? unsure(texts, "texts among the numbers")
      : guessNullValues(seen.flat());
    if (marks.value !== undefined || this.#dialogue.wants(f.null_values)) {
      await this.#ask("null_values", marks.value === undefined ? { value: null } : marks);
    }
    const frame = await this.#read();
    const read = frame instanceof Error ? [] : listValues(frame, this.#draft());
    const ignored = [marks.value].flat();
    const perDay = 1440 / (findMinutes(this.#how.resolution) ?? NaN);
    const meter = read.map((values) =>
      guessCounter(values.filter((one) => !ignored.includes(one)), perDay)
    )
      .find(({ value }) => value !== undefined);
    const counter = await this.#offer("counter", meter ?? {});
    const isPower = /^[kMG]?W$/.test(String(this.#how.unit));
    if (!counter || !isPower) return;
    this.#dialogue.say(`A meter counts kWh or MWh, not ${this.#how.unit}`);
    this.#dialogue.askAgain([f.unit]);
    await this.#ask("unit", { choices: ["kWh", "MWh"].map((value) => ({ value })) });
  }
}

/** Whether times have a start and an end. */
function isRange(format: unknown): boolean {
  return typeof format === "string" && new TimeFormat(format).isRange;
}

/** Proposes the zone of stamps: UTC where their column says so, else that of the place. */
function proposeZone(zone: string | undefined, column: string): Proposal {
  return /utc|gmt/i.test(column)
    ? usual("UTC", "in the name of the column")
    : unsure(zone, "that of the place");
}

/** The first time and the last as the file has them, in minutes of the day. */
function readClock(frame: DataFrame): number[] {
  const clock = frame.select(pl.col("time").dt.strftime("%H:%M")).getColumn("time");
  return [clock.get(0), clock.get(frame.height - 1)].map(String).map((time) =>
    60 * Number(time.slice(0, 2)) + Number(time.slice(3))
  );
}

/** The production of each turbine as the file has it, in its own unit. */
function listValues(frame: DataFrame, { unit, resolution }: ProductionFormat): number[][] {
  const power = frame.columns.includes("power");
  const perUnit = (unit.startsWith("M") ? 1 : 0.001) * (power ? 1000 : 1) *
    (unit.endsWith("h") ? 60 / (findMinutes(resolution) ?? 60) : 1);
  const turbines = frame.columns[0] === "turbine_id"
    ? frame.partitionBy(["turbine_id"], true)
    : [frame];
  return turbines.map((own) =>
    (own.getColumn(power ? "power" : "energy").toArray() as (number | null)[])
      .filter((value) => value !== null)
      .map((value) => Math.round(1e6 * value / perUnit) / 1e6)
  );
}
