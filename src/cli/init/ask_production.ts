import type { ProductionDefinition, RecognizedColumn } from "../../sites/mod.ts";
import {
  type DataFrame,
  type ErrorFacts,
  pl,
  type ProductionFormat,
  provenance,
} from "../../../mod.ts";
import { TimeFormat } from "../../time/time_format.ts";
import { visibleText } from "../../api/error_text.ts";
import { type Dialogue, type Proposal, proven, unsure, usual } from "./dialogue.ts";
import { NONE, productionFields as f, turbineFields } from "./fields.ts";
import {
  describeFormat,
  findMinutes,
  guessColumns,
  guessMarks,
  guessResolution,
  guessStamp,
  guessUnit,
  hasOffset,
  joinTimes,
  listTimeFormats,
  nameTurbines,
} from "./guess_production.ts";
import {
  type HowRead,
  type InputFile,
  type InputFiles,
  nameFormat,
  type Refused,
  shortPath,
  toPath,
} from "./input_files.ts";
import { describeProduction, listTurbines, suspectProduction } from "./previews.ts";
import type { Choice } from "./terminal.ts";

/** Production as read. */
export interface ProductionInput {
  /** Its entry in the site file; turbines with columns in the same table keep their columns in it. */
  readonly entry: ProductionDefinition;
  /** Turbines to import; empty for a single one without a name. */
  readonly turbines: readonly string[];
  /** Named files that are not read, each with the reason. */
  readonly leftOut: readonly string[];
}

type Name = keyof typeof f;

/** Fields of which one is wrong if times are out of order. */
const disorder: readonly Name[] = ["turbine", "time_format", "time_zone", "resolution"];

/** Fields that an error proves wrong, by error code. */
const causes: Readonly<Record<string, readonly Name[]>> = {
  number: ["decimal", "thousands"],
  resolution: ["resolution"],
  time_format: ["time_format", "leave_out"],
  time_order: disorder,
  time_repeated: disorder,
  time_zone: ["time_zone"],
  values_differ: disorder,
};

/** Fields that an error of a reader is about; empty if it is about the file. */
export function findCauses({ code = "argument", field = "" }: ErrorFacts): readonly Name[] {
  return Object.hasOwn(f, field) ? [field as Name] : causes[code] ?? [];
}

/** Most words in rows that are detected automatically, and the pattern of a time or a number. */
const [MAX_WORDS, FIGURES] = [8, /^[\d\s.,:/-]*\d[\d\s.,:/-]*$|\d{1,4}[-./:]\d/] as const;

/** Fallback of a field that the import misses: plain values if a person answers "none", and UTC until a time zone is given. */
const FALLBACKS: Partial<Record<Name, unknown>> = {
  null_values: [],
  counter: false,
  time_zone: "UTC",
};

const choose = (columns: readonly RecognizedColumn[]): Choice[] =>
  columns.map(({ name, first }) => ({
    value: name,
    ...(first.length > 0 && { hint: visibleText(first.join(", ").slice(0, 60)) }),
  }));

/** Reads production with the declaration so far. */
type Read = (how: HowRead) => Promise<DataFrame | Refused>;

/** Asks how to read files of one layout. */
class FormatQuestions {
  readonly #dialogue: Dialogue;
  readonly #file: InputFile;
  readonly #zone: string | undefined;
  readonly #how: Record<string, unknown> = {};
  readonly #readFile: Read;

  /** @param zone Time zone of the place, if known */
  constructor(dialogue: Dialogue, file: InputFile, zone: string | undefined, read: Read) {
    this.#dialogue = dialogue;
    this.#file = file;
    this.#zone = zone;
    this.#readFile = read;
  }

  /** Asks for a field of the format; without an answer it uses the proposal. */
  async #ask(name: Name, proposal: Proposal = {}): Promise<unknown> {
    const value = await this.#dialogue.ask(f[name], proposal);
    const known = value === undefined ? proposal.value : value;
    if (known !== null && known !== undefined) this.#how[name] = known;
    return known ?? undefined;
  }

  /** Uses values that the files show, and answers that the dialogue wants. */
  async #offer(proposals: Partial<Record<Name, Proposal>>): Promise<void> {
    for (const [name, proposal] of Object.entries(proposals) as [Name, Proposal][]) {
      const isWanted = this.#dialogue.wants(f[name]);
      if (proposal.value !== undefined || isWanted) await this.#ask(name, proposal);
    }
  }

  /** The format as known so far. */
  draft(changes: Partial<ProductionFormat> = {}): HowRead {
    const { column, ...how } = { ...this.#how, ...changes } as ProductionFormat;
    if (column === undefined) return how as ProductionFormat; // format of a preset
    const names = Array.isArray(column) && how.resolution !== "year" ? column as string[] : [];
    const isYear = names.length === 12 && how.resolution === "month";
    const ids = names.length > 1 && !isYear ? nameTurbines(names) : undefined;
    return {
      column: ids ? Object.fromEntries(names.map((one, i) => [ids[i], one])) : column,
      ...how,
    };
  }

  /** Reads production without rows that have a word instead of a time, and returns these words, too. */
  async #read(changes: Partial<ProductionFormat> = {}) {
    const words = [...this.#how.leave_out as string[] ?? []];
    for (;;) {
      const leave_out = words.length > 0 ? { leave_out: words } : {};
      const result = await this.#readFile(this.draft({ ...changes, ...leave_out }));
      const { code, value } = result as Refused;
      const word = `${value ?? ""}`.trim();
      const isWord = code === "time_format" && word !== "" && !FIGURES.test(word);
      if (!isWord || words.includes(word) || words.length === MAX_WORDS) return { result, words };
      words.push(word);
    }
  }

  /** Columns that are neither times nor production. */
  #listOthers(): Choice[] {
    const declared = [this.#how.time, this.#how.column].flat();
    return choose(this.#file.columns.filter(({ name }) => !declared.includes(name)));
  }

  /** Proposes a value that the import misses. */
  #propose(name: Name, { message, value }: Refused): Proposal {
    if (name === "time_zone") return this.#proposeZone();
    if (name === "null_values") return unsure([Number(value)], message);
    if (name === "counter") return unsure(value === "true" || value, message);
    return name === "turbine" ? { choices: this.#listOthers() } : {};
  }

  /** The time zone of timestamps: UTC if their column says so, otherwise the zone of the place. */
  #proposeZone(): Proposal {
    return /utc|gmt/i.test(String(this.#how.time))
      ? usual("UTC", "from the column name")
      : unsure(this.#zone, "time zone of the place");
  }

  /**
   * Reads production as the import does. It proposes or asks for a declaration that the import misses, and asks again for
   * answers that the import refutes.
   */
  async readAll(): Promise<DataFrame | undefined> {
    const dialogue = this.#dialogue;
    for (;;) {
      const { result, words } = await this.#read();
      if (!(result instanceof Error)) {
        if (words.length > 0) {
          await this.#ask("leave_out", proven(words, "these cells are not timestamps"));
        }
        return result;
      }
      const causes = findCauses(result);
      const open = causes.find((name) => this.#how[name] === undefined);
      const isOfTurbine = open === "turbine" && this.#listOthers().length > 0;
      if (open === undefined || causes === disorder && !isOfTurbine) {
        const known = causes.map((name) => f[name]).filter((field) => dialogue.wants(field));
        return dialogue.refute(known.length > 0 ? known : [f.file], result.message);
      }
      const proposal = this.#propose(open, result);
      if (proposal.value === undefined && !dialogue.wants(f[open])) {
        if (dialogue.interactive) dialogue.say(result.message);
        else dialogue.miss(f[open], result.message);
      }
      await this.#ask(open, proposal);
      this.#how[open] ??= FALLBACKS[open];
      if (this.#how[open] === undefined) return undefined;
    }
  }

  /** Reads files of a preset, and proposes facts that neither preset nor files state. */
  async askPreset(): Promise<DataFrame | undefined> {
    await this.#ask("preset", proven(this.#file.preset, "the file has its columns"));
    await this.#offer({ time_zone: {}, stamp: {} });
    const frame = await this.readAll();
    if (!frame || this.#how.stamp !== undefined || !assumesStamp(frame)) return frame;
    await this.#ask("stamp", unsure("start", "not stated by the preset or the file"));
    return await this.readAll();
  }

  /** Reads a table without a preset, based on its first rows and then on all rows. */
  async askTable(): Promise<DataFrame | undefined> {
    const { columns, encoding, headerRows = 1, sheets: [sheet, ...others] = [] } = this.#file;
    await this.#offer({
      encoding: proven(encoding, "some bytes are not UTF-8"),
      sheet: others.length > 0
        ? unsure(sheet, `not ${others.join(", ")}`)
        : proven(sheet, "the only sheet with production"),
      header_rows: headerRows > 1
        ? proven(headerRows, "timestamps and numbers begin below these rows")
        : {},
    });
    const choices = choose(columns);
    const guess = guessColumns(columns);
    const find = (names: unknown) =>
      [names].flat().flatMap((name) => columns.filter((one) => one.name === name));
    const times = find(await this.#ask("time", { ...guess.time, choices }));
    const numbers = find(await this.#ask("column", { ...guess.column, choices }));
    if (numbers.length < 2) {
      await this.#offer({ turbine: { ...guess.turbine, choices: [{ value: NONE }, ...choices] } });
    }
    const stamps = joinTimes(times);
    const formats = listTimeFormats(stamps);
    const period = await this.#ask("resolution", guessResolution(stamps, formats));
    const isShort = findMinutes(period) !== undefined;
    await this.#ask("unit", guessUnit(numbers.map(({ name }) => name)));
    this.#how.unit ??= "kWh"; // until the user answers
    await this.#offer(guessMarks(numbers.flatMap(({ first }) => first)));
    if (times.length === 0 || numbers.length === 0) return undefined;
    const hasZone = isShort && !hasOffset(stamps[0] ?? "");
    if (hasZone) this.#how.time_zone = "UTC"; // because UTC has all hours
    await this.#askTimes(formats, stamps);
    if (hasZone) await this.#ask("time_zone", this.#proposeZone());
    const marks = [...new Set(numbers.flatMap(({ marks = [] }) => marks))];
    await this.#offer({
      null_values: marks.length > 0 ? unsure(marks, "text values among the numbers") : {},
      counter: {},
    });
    const frame = await this.readAll();
    if (frame) {
      await this.#ask("null_values", proven(null, "all values are plausible"));
      await this.#ask("counter", proven(null, "the values rise and fall"));
    }
    if (!isShort || isRange(this.#how.time_format)) return frame;
    const isDate = period === "day" && stamps.every((stamp) => !stamp.includes(":"));
    const clock = frame?.head(1).select(pl.col("time").dt.strftime("%H:%M")).getColumn("time");
    await this.#ask(
      "stamp",
      isDate
        ? proven("start", "a date without a time of day is the whole day")
        : guessStamp(`${clock?.get(0)}`, period),
    );
    return frame && await this.readAll();
  }

  /** Determines the format of the times, which must fit all rows. */
  async #askTimes(formats: readonly (string | null)[], stamps: readonly string[]): Promise<void> {
    const tryOut = async (format: unknown): Promise<Partial<Refused>> => {
      const { result } = await this.#read(format === null ? {} : { time_format: `${format}` });
      return result instanceof Error ? result : {};
    };
    let [possible, ordered]: (string | null)[][] = [[], []];
    let reason = `"${stamps[0]}"`;
    for (const format of formats) {
      const error = await tryOut(format);
      if (error.code !== "time_format") possible.push(format);
      else if (error.row !== undefined) reason = `"${error.value}" in line ${error.row}`;
      if (error.code !== "time_format" && findCauses(error) !== disorder) ordered.push(format);
    }
    if (possible.length > 1 && ordered.length === 1) {
      [possible, reason] = [ordered, "with other formats the rows would not be in order"];
    }
    if (possible.includes(null)) possible = [null]; // ISO 8601 has one meaning
    // Counted hours are tried only if no other format fits.
    possible = possible.filter((format) =>
      !format?.endsWith("N") || !possible.includes(format.replace(/N$/, "H"))
    );
    const [one] = possible;
    if (possible.length === 1 && one === null) return await this.#offer({ time_format: {} });
    const choices = possible.map((format) => ({
      value: `${format}`,
      hint: describeFormat(stamps.at(-1) ?? "", format),
    }));
    const proposal = possible.length === 1 ? proven(one, reason) : { choices };
    await this.#ask("time_format", this.#dialogue.wants(f.time_format) ? {} : proposal);
    if (one) this.#how.time_format ??= one; // until the user answers
  }
}

/** Whether times have a start and an end. */
function isRange(format: unknown): boolean {
  return typeof format === "string" && new TimeFormat(format).isRange;
}

/** Whether it is an assumption that timestamps mark the start or the end of a period. */
function assumesStamp(frame: DataFrame): boolean {
  return provenance(frame).some(({ notes = [] }) =>
    notes.some((note) => note.includes('give stamp: "end"'))
  );
}

/** Chooses files with the layout of the first one with production, and moves that to the front; the screen lists the others. */
function chooseFiles(dialogue: Dialogue, files: readonly InputFile[]) {
  const first = files.find(({ kind }) => kind === "production") ?? files.find(hasColumns)!;
  const layoutOf = ({ preset, kind, columns }: InputFile) =>
    preset ? `${preset} ${kind}` : columns.map(({ name }) => name).join("\t");
  // A file may begin with rows without values and so not look like production; its columns still match.
  const chosen = files.filter((file) => layoutOf(file) === layoutOf(first));
  const { preset, reasons } = first;
  const leftOut = files.filter((file) => !chosen.includes(file)).map((one) => {
    const why = one.kind === "production"
      ? "another layout"
      : [one.preset, one.kind].filter(Boolean).join(" ");
    return `${shortPath(one.path)} (${why})`;
  });
  dialogue.note(
    `Production: ${chosen.length === 1 ? "It is" : `${chosen.length} files are`} ${
      nameFormat(first)
    }${preset ? ` of the preset ${preset}` : ""}. ${reasons[0]}`,
    ...leftOut.map((one) => `  Left out: ${one}`),
  );
  return { first, paths: chosen.map(({ path }) => path), leftOut };
}

/** Whether a file can be production, as the user may declare any table. */
const hasColumns = ({ kind, columns }: InputFile) =>
  kind === "production" || kind === "unknown" && columns.length > 1;

/**
 * Asks how to read production, and reads it.
 *
 * @param zone Time zone of the place, if known
 * @returns The production; `undefined` if answers are missing
 */
export async function askProduction(
  dialogue: Dialogue,
  inputs: InputFiles,
  zone?: string,
): Promise<ProductionInput | undefined> {
  const answer = await dialogue.ask(f.file, {}, inputs.check(hasColumns, "production"));
  if (answer === undefined) return undefined;
  const named = [answer].flat() as string[];
  const { first, paths, leftOut } = chooseFiles(dialogue, await inputs.find(named));
  // A folder or pattern also includes the files of later months.
  let file = leftOut.length === 0 && named.length === 1 ? toPath(named[0]) : paths;
  const missing = dialogue.missing;
  const questions = new FormatQuestions(dialogue, first, zone, async (how) => {
    const result = await inputs.read(file, how);
    if (!(result instanceof Error && result.code === "file_names")) return result;
    file = paths; // recognized by columns, because the names do not match the preset
    return await inputs.read(file, how);
  });
  const frame = await (first.preset ? questions.askPreset() : questions.askTable());
  if (!frame || dialogue.missing > missing) return undefined;
  const how = questions.draft();
  const known = listTurbines(frame);
  const turbines = known.length > 0 && typeof how.column !== "object" || dialogue.wants(f.turbines)
    ? await dialogue.ask(f.turbines, {
      ...proven(known, "all"),
      choices: known.map((value) => ({ value })),
    })
    : known;
  if (turbines === undefined) return undefined;
  const chosen = [turbines].flat() as string[];
  const rows = known.length > 0 ? frame.filter(pl.col("turbine_id").isIn(chosen)) : frame;
  const { rated_power, units } = turbineFields;
  const count = chosen.length > 1 ? 1 : await dialogue.ask(units, usual(1, "one turbine"));
  const ratedPower = Number(count ?? 1) * Number(dialogue.value(rated_power) ?? NaN);
  dialogue.note(...describeProduction(rows, ratedPower));
  const problem = suspectProduction(rows, ratedPower);
  if (problem) dialogue.doubt(f.unit, problem);
  return { entry: { ...how, file }, turbines: chosen, leftOut };
}
