import { type PresetFormat, type ProductionDefinition, recognizeFile } from "../../sites/mod.ts";
import {
  type DataFrame,
  type ErrorFacts,
  pl,
  type ProductionFormat,
  provenance,
  readProduction,
} from "../../../mod.ts";
import { visibleText } from "../../api/error_text.ts";
import type { Check, Dialogue, Proposal } from "./dialogue.ts";
import { type Field, NONE, productionFields as f } from "./fields.ts";
import {
  describeFormats,
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
import { type InputFile, type InputFiles, nameFormat, shortPath, toPath } from "./input_files.ts";
import { describeProduction } from "./previews.ts";
import type { Choice } from "./terminal.ts";

/** Production as read. */
export interface ProductionInput {
  /** Its entry in the site file; turbines side by side have their columns. */
  readonly entry: ProductionDefinition;
  /** Turbines to import; none where it is one without a name. */
  readonly turbines: readonly string[];
  /** Files that were named and are not read, each with the reason. */
  readonly leftOut: readonly string[];
}

/** How production is read, as far as it is known. */
type HowRead = ProductionFormat | PresetFormat;

/** Why files are not read, with its facts. */
type Refused = Error & ErrorFacts;

/** Turbines of files up to which all are taken. */
const MAX_TAKEN = 30;

/** Rows below a table up to which they are looked for. */
const MAX_FOOTER = 5;

/** Fields of which one is wrong where times do not follow each other. */
const disorder = [f.turbine, f.time_format, f.time_zone, f.resolution];

/** Fields that an error refutes, by its code, or by the field that it names. */
const causes: Readonly<Record<string, readonly Field[]>> = {
  footer: [f.footer_rows],
  number: [f.decimal, f.thousands, f.null_values],
  resolution: [f.resolution],
  time_format: [f.time_format, f.footer_rows],
  time_order: disorder,
  time_repeated: disorder,
  time_zone: [f.time_zone],
  values_differ: disorder,
};

/** Fields that an error of a reader is about; none where it is about the file. */
export function findCauses({ code = "argument", field = "" }: ErrorFacts): readonly Field[] {
  const named = Object.hasOwn(f, field) ? [f[field as keyof typeof f]] : [];
  return causes[code] ?? named;
}

/** Reads files as they are declared so far, with the call of the import, to try answers out. */
export class ProductionTrial {
  readonly #file: string | readonly string[];
  #last: readonly [how: string, result: DataFrame] | undefined;
  readonly #refused = new Map<string, Refused>();

  /** @param file The files as an entry of a site file names them, all of one layout */
  constructor(file: string | readonly string[]) {
    this.#file = file;
  }

  /** Reads the files; an error is returned, with paths as short as they can be. */
  async read(how: HowRead): Promise<DataFrame | Refused> {
    const key = JSON.stringify(how);
    const known = this.#refused.get(key) ?? (this.#last?.[0] === key ? this.#last[1] : undefined);
    if (known) return known;
    try {
      this.#last = [key, await readProduction(this.#file, how)];
      return this.#last[1];
    } catch (caught) {
      const error = caught as Refused;
      const paths = [this.#file].flat();
      if (paths.length === 1) { // it is the file that is asked about
        const start = `^Cannot (?:read|use) ${RegExp.escape(paths[0])}(?: as it is declared)?: `;
        error.message = error.message.replace(new RegExp(start), "");
      }
      for (const path of paths) error.message = error.message.replaceAll(path, shortPath(path));
      this.#refused.set(key, error);
      return error;
    }
  }

  /** Whether times, as far as they can be read, follow each other. */
  async isOrdered(how: ProductionFormat): Promise<boolean> {
    const result = await this.read(how);
    return !(result instanceof Error && findCauses(result) === disorder);
  }

  /**
   * Finds how many rows below the table have no time.
   *
   * @returns Their number, with the first of them; or the message that refuses the format of the times
   */
  async findFooter(how: ProductionFormat): Promise<{ rows: number; first?: string } | string> {
    let first: string | undefined;
    for (let rows = 0; rows <= MAX_FOOTER; rows++) {
      const result = await this.read(rows > 0 ? { ...how, footer_rows: rows } : how);
      if (!(result instanceof Error) || !findCauses(result).includes(f.footer_rows)) {
        return { rows, ...(rows > 0 && first ? { first } : {}) };
      }
      const { code, value = "", row } = result;
      first ??= `${value === "" ? "no time" : `"${value}"`} in line ${row}`;
      // What looks like a time is a row of the table, in another format.
      if (code === "footer" || /^\d+[-./]\d/.test(`${value}`)) break;
    }
    return (await this.read(how) as Refused).message;
  }
}

/** Files with the layout of the first that has production, which comes first; says which these are. */
function chooseFiles(dialogue: Dialogue, files: readonly InputFile[], isUsable: typeof hasColumns) {
  const first = files.find(({ kind }) => kind === "production") ?? files.find(isUsable)!;
  const layoutOf = ({ preset, kind, columns }: InputFile) =>
    preset ? `${preset} ${kind}` : columns.map(({ name }) => name).join("\t");
  // A file may begin with rows without a value, and not look like production: its columns do.
  const chosen = files.filter((file) => layoutOf(file) === layoutOf(first));
  const { preset, reasons } = first;
  const what = chosen.length === 1 ? "It is" : `${chosen.length} files are`;
  const leftOut = files.filter((file) => !chosen.includes(file)).map((one) => {
    const why = one.kind === "production"
      ? "another layout"
      : [one.preset, one.kind].filter(Boolean).join(" ");
    return `${shortPath(one.path)} (${why})`;
  });
  dialogue.say(
    [
      `${what} ${nameFormat(first)}${preset ? ` of the preset ${preset}` : ""}. ${reasons[0]}`,
      ...leftOut.map((one) => `Left out: ${one}`),
    ].join("\n"),
  );
  return { first, chosen, leftOut };
}

/** Whether a file can be production, which whoever answers may say of any table. */
const hasColumns = ({ kind, columns }: InputFile) =>
  kind === "production" || kind === "unknown" && columns.length > 1;

const choose = (columns: InputFile["columns"]): Choice[] =>
  columns.map(({ name, first }) => ({
    value: name,
    ...(first.length > 0 ? { hint: visibleText(first.join(", ").slice(0, 60)) } : {}),
  }));

/** The files of one question, and how they are read. */
class FormatQuestions {
  readonly #dialogue: Dialogue;
  readonly #file: InputFile;
  readonly #trial: ProductionTrial;
  readonly #how: Record<string, unknown> = {};

  constructor(dialogue: Dialogue, file: InputFile, trial: ProductionTrial) {
    this.#dialogue = dialogue;
    this.#file = file;
    this.#trial = trial;
  }

  /** Asks for a field of the format; what is proposed counts where there is no answer. */
  async #ask(name: keyof typeof f, proposal: Proposal = {}, check?: Check): Promise<unknown> {
    const value = await this.#dialogue.ask(f[name], proposal, check);
    const known = value === undefined ? proposal.value : value;
    if (known !== null && known !== undefined) this.#how[name] = known;
    return known ?? undefined;
  }

  /** Asks for fields that files need no answer to, where one is wanted. */
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

  /** Asks how files of a preset are read: what neither it nor they say, and what whoever answers wants. */
  async askPreset(zone: string | undefined): Promise<HowRead> {
    await this.#ask("preset", {
      value: this.#file.preset,
      reason: "its columns are there",
      trust: "proven",
    });
    if (this.#dialogue.wants(f.stamp)) {
      await this.#ask("stamp", { value: "start", reason: "assumed", trust: "unsure" });
    }
    await this.#askWanted(others("preset", "stamp"), zone);
    // Until it is answered, so that all else that is missing is found.
    if (this.#dialogue.wants(f.time_zone)) this.#how.time_zone ??= "UTC";
    return this.#draft();
  }

  /** Asks how a table is read that no preset knows: what its first rows do not show, and all of them do not prove. */
  async askTable(zone: string | undefined): Promise<HowRead | undefined> {
    const file = this.#file;
    if (file.encoding !== undefined) {
      const reason = "some bytes are not UTF-8";
      await this.#ask("encoding", { value: file.encoding, reason, trust: "proven" });
    }
    if (file.sheets !== undefined) {
      const [value, ...others] = file.sheets;
      await this.#ask("sheet", {
        value,
        reason: others.length === 0 ? "the only one with production" : `not ${others.join(", ")}`,
        trust: others.length === 0 ? "proven" : "unsure",
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
    const one = numbers.length < 2;
    if (one && (guess.turbine.value !== undefined || this.#dialogue.wants(f.turbine))) {
      await this.#ask("turbine", { ...guess.turbine, choices: [{ value: NONE }, ...choices] });
    }
    const stamps = joinTimes(times);
    const formats = listTimeFormats(stamps);
    const period = await this.#ask("resolution", guessResolution(stamps, formats));
    const short = period === "10min" || period === "hour";
    const units = short || period === undefined ? f.unit.choices : f.unit.choices.slice(2);
    await this.#ask("unit", {
      ...guessUnit(numbers.map(({ name }) => name)),
      choices: units.map((value) => ({ value })),
    });
    this.#how.unit ??= "kWh"; // until it is answered
    const marks = guessMarks(numbers.flatMap(({ first }) => first));
    for (const name of ["decimal", "thousands"] as const) {
      if (marks[name].value !== undefined || this.#dialogue.wants(f[name])) {
        await this.#ask(name, marks[name]);
      }
    }
    const ownZone = short && (this.#dialogue.wants(f.time_zone) || !hasOffset(stamps[0] ?? ""));
    if (ownZone) this.#how.time_zone = "UTC";
    if (times.length === 0 || numbers.length === 0) return undefined;
    await this.#askTimes(formats, stamps);
    const frame = short ? await this.#trial.read(this.#draft()) : undefined;
    if (ownZone) await this.#ask("time_zone", proposeZone(zone, String(this.#how.time)));
    if (short) {
      const guess = frame && !(frame instanceof Error) ? guessStamp(readClock(frame), period) : {};
      await this.#ask("stamp", guess);
    }
    await this.#askValues(numbers);
    const done = [
      "turbine",
      "decimal",
      "thousands",
      "time_format",
      "time_zone",
      "stamp",
      "turbines",
    ];
    await this.#askWanted(others("preset", ...done, ...Object.keys(this.#how)));
    return this.#draft();
  }

  /** Asks for the rows of the header where there are several; the columns by their joined names. */
  async #askHeader(): Promise<InputFile["columns"]> {
    const { columns, headerRows = 1, path } = this.#file;
    const { header_rows: field } = f;
    if (headerRows === 1 && !this.#dialogue.wants(field)) return columns;
    const joined = columns.find(({ name }) => name.includes(" / "))?.name;
    const count = Number(
      await this.#ask("header_rows", {
        value: headerRows,
        reason: `then a column is "${joined}"`,
        trust: "proven",
      }),
    );
    return count === headerRows
      ? columns
      : (await recognizeFile(path, { headerRows: count })).columns;
  }

  /** Asks for the format of the times, which all rows must have, and for the rows below the table, which have none. */
  async #askTimes(formats: readonly (string | null)[], stamps: readonly string[]): Promise<void> {
    const trial = this.#trial;
    const withFormat = (format: string | null) =>
      this.#draft(format === null ? {} : { time_format: format });
    const check = async (format: unknown) => {
      const found = await trial.findFooter(withFormat(format as string | null));
      return typeof found === "string" ? found : undefined;
    };
    let possible: (string | null)[] = [];
    let [refuted, message]: (string | undefined)[] = [];
    for (const format of formats) {
      const found = await check(format);
      if (found === undefined) possible.push(format);
      else {
        message = found;
        const { value, row } = await trial.read(withFormat(format)) as Refused;
        if (row !== undefined) refuted ??= `"${value}" in line ${row}`;
      }
    }
    let reason = possible.length === 1 && refuted ? refuted : `"${stamps[0]}"`;
    if (possible.length > 1) {
      const ordered: (string | null)[] = [];
      for (const format of possible) {
        const found = await trial.findFooter(withFormat(format));
        const rows = typeof found === "string" ? 0 : found.rows;
        const how = rows > 0 ? { ...withFormat(format), footer_rows: rows } : withFormat(format);
        if (await trial.isOrdered(how)) ordered.push(format);
      }
      if (ordered.length === 1) [possible, reason] = [ordered, "else they would not be in order"];
    }
    if (possible.includes(null)) possible = [null]; // ISO 8601 has one meaning
    if (possible.length === 0 && message) this.#dialogue.say(message);
    const [one] = possible;
    const wanted = this.#dialogue.wants(f.time_format);
    // ISO 8601 needs no format.
    if (possible.length !== 1 || one !== null || wanted) {
      const readings = describeFormats(stamps, possible);
      const choices = possible.map((format, i) => ({ value: `${format}`, hint: readings[i] }));
      const proposal: Proposal = possible.length === 1
        ? { value: one, reason, trust: "proven" }
        : wanted
        ? {}
        : { choices };
      await this.#ask("time_format", proposal, check);
      // Until it is answered.
      if (this.#how.time_format === undefined && one) this.#how.time_format = one;
    }
    const found = await trial.findFooter(this.#draft());
    const rows = typeof found === "string" ? 0 : found.rows;
    if (rows === 0 && !this.#dialogue.wants(f.footer_rows)) return;
    const first = typeof found === "string" ? undefined : found.first;
    await this.#ask("footer_rows", { value: rows, reason: first, trust: "proven" });
  }

  /** Asks for what values show that cannot be production: marks of missing ones, and the readings of a meter. */
  async #askValues(numbers: InputFile["columns"]): Promise<void> {
    const texts = [...new Set(numbers.flatMap(({ marks = [] }) => marks))];
    const unmarked = await this.#trial.read(this.#draft({ null_values: texts }));
    const seen = unmarked instanceof Error ? [] : listValues(unmarked, this.#draft());
    const marks: Proposal = texts.length > 0
      ? { value: texts, reason: "texts among the numbers", trust: "unsure" }
      : guessNullValues(seen.flat());
    if (marks.value !== undefined || this.#dialogue.wants(f.null_values)) {
      await this.#ask("null_values", marks.value === undefined ? { value: null } : marks);
    }
    const frame = await this.#trial.read(this.#draft());
    const read = frame instanceof Error ? [] : listValues(frame, this.#draft());
    const ignored = [marks.value].flat();
    const meter = read.map((values) => guessCounter(values.filter((one) => !ignored.includes(one))))
      .find(({ value }) => value !== undefined);
    if (!meter && !this.#dialogue.wants(f.counter)) return;
    const counter = await this.#ask("counter", meter ?? {});
    const isPower = ["kW", "MW"].includes(String(this.#how.unit));
    if (!counter || !isPower) return;
    this.#dialogue.say(`A meter counts kWh or MWh, not ${this.#how.unit}`);
    this.#dialogue.askAgain([f.unit]);
    await this.#ask("unit", { choices: ["kWh", "MWh"].map((value) => ({ value })) });
  }
}

/** All fields of a format but some. */
const others = (...known: readonly string[]) =>
  (Object.keys(f) as (keyof typeof f)[]).filter((name) => name !== "file" && !known.includes(name));

/** Proposes the zone of stamps: UTC where their column says so, else that of the place. */
function proposeZone(zone: string | undefined, column: string): Proposal {
  if (/utc|gmt/i.test(column)) return { value: "UTC", reason: "in the name of the column" };
  return zone === undefined ? {} : { value: zone, reason: "that of the place", trust: "unsure" };
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
    (unit.endsWith("h") && resolution === "10min" ? 6 : 1);
  return splitTurbines(frame).map((own) =>
    (own.getColumn(power ? "power" : "energy").toArray() as (number | null)[])
      .filter((value) => value !== null)
      .map((value) => Math.round(1e6 * value / perUnit) / 1e6)
  );
}

/** Turbines of a frame of production; none where it is one without a name. */
function listTurbines(frame: DataFrame): string[] {
  return frame.columns[0] === "turbine_id"
    ? frame.getColumn("turbine_id").unique(true).toArray() as string[]
    : [];
}

const splitTurbines = (frame: DataFrame) =>
  frame.columns[0] === "turbine_id" ? frame.partitionBy(["turbine_id"], true) : [frame];

/** Which end of a period a stamp names is assumed where the files and the preset do not say it. */
function assumesStamp(frame: DataFrame): boolean {
  return provenance(frame).some(({ notes = [] }) =>
    notes.some((note) => note.includes('give stamp: "end"'))
  );
}

/** Asks which of several turbines are imported: all of a few; `undefined` where the answer is missing. */
async function askTurbines(
  dialogue: Dialogue,
  frame: DataFrame,
  sideBySide: boolean,
): Promise<readonly string[] | undefined> {
  const known = listTurbines(frame);
  if (known.length === 0 || sideBySide && !dialogue.wants(f.turbines)) return known;
  const choices = known.map((value) => ({ value }));
  const few = known.length <= MAX_TAKEN;
  const all: Proposal = few ? { value: known, reason: "all", trust: "proven" } : {};
  if (!few) dialogue.say(`${known.length} turbines: ${known.slice(0, 9).join(", ")}, …`);
  const chosen = await dialogue.ask(f.turbines, { ...all, choices });
  return chosen === undefined ? undefined : [chosen].flat() as string[];
}

/**
 * Asks for production until it is read as whoever answers wants it.
 *
 * @param zone Zone of the place, if it is known
 * @returns The production; `undefined` where answers are missing
 */
export async function askProduction(
  dialogue: Dialogue,
  inputs: InputFiles,
  zone?: string,
): Promise<ProductionInput | undefined> {
  const fields = [f.file, ...others().map((name) => f[name])];
  let named: unknown;
  let file: string | readonly string[] = [];
  let [trial, turbines] = [new ProductionTrial([]), [] as readonly string[]];
  let [first, chosen, leftOut]: [InputFile | undefined, InputFile[], string[]] = [
    undefined,
    [],
    [],
  ];
  const how = await dialogue.untilRight<HowRead>(fields, {
    async ask() {
      const answer = await dialogue.ask(f.file, {}, inputs.check(hasColumns, "production"));
      if (answer === undefined) return undefined;
      if (answer !== named) {
        const found = await inputs.find([answer].flat() as string[]);
        if (named !== undefined) dialogue.forget(fields.slice(1));
        named = answer;
        ({ first, chosen, leftOut } = chooseFiles(dialogue, found, hasColumns));
        // A folder or a pattern that is read as a whole also has the files of later months.
        const whole = leftOut.length === 0 && [answer].flat().length === 1;
        file = whole ? toPath([answer].flat()[0] as string) : chosen.map(({ path }) => path);
        trial = new ProductionTrial(file);
      }
      const missing = dialogue.missing;
      const questions = new FormatQuestions(dialogue, first!, trial);
      const known = await (first!.preset ? questions.askPreset(zone) : questions.askTable(zone));
      return dialogue.missing > missing && first!.preset === undefined ? undefined : known;
    },
    async read(how) {
      let frame = await trial.read(how);
      if (frame instanceof Error && frame.code === "file_names" && typeof file === "string") {
        file = chosen.map(({ path }) => path); // recognized by their columns: the names are not those of the preset
        trial = new ProductionTrial(file);
        frame = await trial.read(how);
      }
      if (frame instanceof Error) throw await explainZone(frame, how, trial, zone);
      if ("preset" in how && assumesStamp(frame) && !dialogue.wants(f.stamp)) {
        throw Object.assign(new Error("Which end of its period a time names is assumed"), {
          field: "stamp",
        });
      }
      const all = await askTurbines(dialogue, frame, typeof how.column === "object");
      if (!all || dialogue.missing > 0 && !dialogue.interactive) return undefined;
      turbines = all;
      return describeProduction(
        all.length > 0 ? frame.filter(pl.col("turbine_id").isIn([...all])) : frame,
      );
    },
    findCauses(error) {
      const found = findCauses(error as Refused);
      if (found !== disorder || dialogue.wants(f.turbine)) return found;
      dialogue.say(error.message); // most often other turbines follow
      return [f.turbine];
    },
  });
  return how && { entry: { ...how, file }, turbines, leftOut };
}

/** An error of times that are repeated, said of the zone where that of the place has such an hour. */
async function explainZone(
  error: Refused,
  how: HowRead,
  trial: ProductionTrial,
  zone: string | undefined,
): Promise<Error> {
  if (error.code !== "time_repeated" || zone === undefined) return error;
  const other = await trial.read({ ...how, time_zone: zone });
  if (other instanceof Error) return error;
  const found = `line ${error.row}: ${error.value} is duplicated: the clock goes back there`;
  return Object.assign(new Error(`${found}. ${zone} has such an hour`), { code: "time_zone" });
}
