import type { ProductionDefinition } from "../../sites/mod.ts";
import { type DataFrame, pl, provenance } from "../../../mod.ts";
import { FormatQuestions, others } from "./ask_format.ts";
import { type Dialogue, proven } from "./dialogue.ts";
import { productionFields as f, turbineFields } from "./fields.ts";
import { type InputFile, type InputFiles, nameFormat, shortPath, toPath } from "./input_files.ts";
import { judgeProduction } from "./judge_production.ts";
import { describeProduction, listTurbines } from "./previews.ts";
import {
  disorder,
  findCauses,
  type HowRead,
  ProductionTrial,
  type Refused,
} from "./production_trial.ts";

/** Production as read. */
export interface ProductionInput {
  /** Its entry in the site file; turbines side by side have their columns. */
  readonly entry: ProductionDefinition;
  /** Turbines to import; none where it is one without a name. */
  readonly turbines: readonly string[];
  /** Files that were named and are not read, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Turbines of files up to which all are taken. */
const MAX_TAKEN = 30;

/** Files with the layout of the first that has production, which comes first; says which these are. */
function chooseFiles(dialogue: Dialogue, files: readonly InputFile[]) {
  const first = files.find(({ kind }) => kind === "production") ?? files.find(hasColumns)!;
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

/** Whether a file can be production, which the user may say of any table. */
const hasColumns = ({ kind, columns }: InputFile) =>
  kind === "production" || kind === "unknown" && columns.length > 1;

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
  if (!few) dialogue.say(`${known.length} turbines: ${known.slice(0, 9).join(", ")}, …`);
  const chosen = await dialogue.ask(f.turbines, { ...few ? proven(known, "all") : {}, choices });
  return chosen === undefined ? undefined : [chosen].flat() as string[];
}

/**
 * Asks for production until it is read as the user wants it.
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
  let files: ReturnType<typeof chooseFiles>;
  const how = await dialogue.untilRight<HowRead>(fields, {
    async ask() {
      if (dialogue.wants(turbineFields.rated_power)) await dialogue.ask(turbineFields.rated_power);
      const answer = await dialogue.ask(f.file, {}, inputs.check(hasColumns, "production"));
      if (answer === undefined) return undefined;
      if (answer !== named) {
        const found = await inputs.find([answer].flat() as string[]);
        if (named !== undefined) dialogue.forget(fields.slice(1));
        named = answer;
        files = chooseFiles(dialogue, found);
        // A folder or a pattern that is read as a whole also has the files of later months.
        const whole = files.leftOut.length === 0 && [answer].flat().length === 1;
        file = whole ? toPath([answer].flat()[0] as string) : files.chosen.map(({ path }) => path);
        trial = new ProductionTrial(file);
      }
      const missing = dialogue.missing;
      const { first } = files;
      const questions = new FormatQuestions(dialogue, first, trial);
      const known = await (first.preset ? questions.askPreset(zone) : questions.askTable(zone));
      return dialogue.missing > missing && first.preset === undefined ? undefined : known;
    },
    async read(how) {
      let frame = await trial.read(how);
      if (frame instanceof Error && frame.code === "file_names" && typeof file === "string") {
        file = files.chosen.map(({ path }) => path); // recognized by their columns: the names are not those of the preset
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
      const chosen = all.length > 0 ? frame.filter(pl.col("turbine_id").isIn([...all])) : frame;
      const { units } = turbineFields;
      const count = all.length > 1 || !dialogue.wants(units) ? 1 : await dialogue.ask(units);
      const ratedPower = Number(count) * Number(dialogue.value(turbineFields.rated_power) ?? NaN);
      return {
        text: describeProduction(chosen, ratedPower),
        doubt: ratedPower > 0 ? judgeProduction(chosen, how, ratedPower) : undefined,
      };
    },
    findCauses(error) {
      const found = findCauses(error as Refused);
      if (found !== disorder || dialogue.wants(f.turbine)) return found;
      dialogue.say(error.message); // most often other turbines follow
      return [f.turbine];
    },
  });
  return how && { entry: { ...how, file }, turbines, leftOut: files!.leftOut };
}

/** An error about repeated times, turned into one about the zone if the clock of the place repeats such an hour. */
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
