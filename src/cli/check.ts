import pl, { type DataFrame } from "nodejs-polars";
import {
  type Answer,
  type CallOptions,
  checkPerformance,
  checkQuality,
  compareReferences,
  coverage,
  datasets,
  downloadClimate,
  explainIndex,
  modelData,
  monthlyIndices,
  NoDataError,
  planBudget,
  turbineDetails,
  VindkitError,
} from "../../mod.ts";
import { writeAtomically } from "../disk/side_file.ts";
import { answerReport } from "../report/mod.ts";
import { formatCount } from "../show/text/numbers.ts";
import { formatMonthLabel } from "../time/zones.ts";
import { callerPath, readMonth } from "./arguments.ts";
import { type Command, exitCodes, formatUnknown, MisuseError } from "./command.ts";
import { connectionOptions, openConnection } from "./connection.ts";
import { findProductions, report } from "./report.ts";
import { wrap } from "./run_command.ts";

/** Version of the form of the JSON, which docs/python.md describes. */
const FORM = 1;

/** Grid points of each dataset that are compared. */
const POINTS = 4;

const QUESTIONS = ["performance", "quality", "explanation", "budget", "references"];

/** The climate of the grid points around a turbine, in the years of its production. */
async function loadCandidates(
  place: { latitude: number; longitude: number },
  production: DataFrame,
  call: CallOptions,
) {
  const stamps = production.getColumn(production.columns[0]).cast(pl.Utf8);
  const [from, to] = [0, production.height - 1].map((i) => Number(stamps.get(i).slice(0, 4)));
  const names = (await datasets(call)).getColumn("service_id").toArray() as string[];
  const candidates = await Promise.all(names.map(async (name) => {
    const near = await coverage(name, { ...place, numPoints: POINTS, onNoData: "empty", ...call });
    const points = near.select("latitude", "longitude").toRecords() as (typeof place)[];
    return await Promise.all(points.map(async (point) => ({
      name: `${name} ${point.latitude} N ${point.longitude} E`,
      frame: await downloadClimate(name, { ...point, from, to, ...call }),
      ...point,
    })));
  }));
  return candidates.flat();
}

/** The questions by name. What they take from `../../mod.ts` is what a script of your own needs. */
async function prepareQuestions(
  id: string,
  found: DataFrame | string = `There is no production of ${id}. Give --production SITE.json`,
  call: CallOptions,
  month?: string,
): Promise<Record<string, () => Promise<Answer>>> {
  const details = await turbineDetails(id, call);
  const {
    time_zone: timeZone,
    rated_power: ratedPower,
    latitude,
    longitude,
    last_wind_index: last,
  } = details;
  const own = () => {
    if (typeof found !== "string") return found;
    throw new NoDataError(found);
  };
  const [model, indices] = [() => modelData(id, call), () => monthlyIndices(id, call)];
  return {
    performance: async () =>
      checkPerformance(own(), { predicted: await model(), indices: await indices(), details }),
    quality: async () =>
      checkQuality(own(), {
        ratedPower: ratedPower ?? undefined,
        timeZone,
        predicted: await model(),
      }),
    explanation: async () =>
      explainIndex(
        { details, model: await model(), indices: await indices() },
        month ?? (last ? formatMonthLabel(last) : ""),
      ),
    budget: async () =>
      planBudget(await indices(), {
        timeZone,
        production: typeof found === "string" ? undefined : found,
      }),
    references: async () => {
      const place = { latitude: latitude ?? NaN, longitude: longitude ?? NaN };
      return compareReferences(own(), await loadCandidates(place, own(), call), {
        place,
        timeZone,
      });
    },
  };
}

/** Asks the analyses about a turbine. */
export const check: Command = {
  forms: ["TURBINE [OPTIONS]"],
  arguments: { TURBINE: "its identifier" },
  options: {
    question: { value: "NAMES", about: `of ${QUESTIONS.join(", ")} (default: all)` },
    month: { value: "MONTH", about: "month whose index is explained (default: the last one)" },
    production: report.options.production,
    json: { value: "FILE", about: "writes the answers as JSON; - prints it, and nothing else" },
    ...connectionOptions,
  },
  example: "T1 --sample --question performance,budget --json t1.json",
  notes: [
    "Results are printed as sentences. The JSON has all frames, figures and notes too: docs/python.md shows it. A " +
    "question that the data do not allow is named with the reason; the code is 1 where that is so of all of them.",
  ],
  rest: 1,
  resume: "Nothing was changed: the same command begins again.",
  async run(given) {
    const [[id], [file, wanted]] = [given.rest, ["json", "question"].map(given.text)];
    const asked = wanted?.split(",").map((name) => name.trim()) ?? QUESTIONS;
    const unknown = asked.find((name) => !QUESTIONS.includes(name));
    if (unknown !== undefined) throw new MisuseError(formatUnknown("question", unknown, QUESTIONS));
    const month = readMonth(given.text);
    await using connection = await openConnection(given);
    const call = { connection, signal: given.signal };
    const found = (await findProductions(given)).get(id);
    const questions = await prepareQuestions(id, found, call, month);
    const [answers, unanswered]: [Record<string, Answer>, Record<string, string>] = [{}, {}];
    const print = (lines: readonly string[]) => {
      if (file !== "-") console.log(lines.map((line) => wrap(line, 78).join("\n  ")).join("\n  "));
    };
    for (const name of asked) {
      try {
        const [, , { content }] = await Array.fromAsync(answerReport(await questions[name]()));
        const { summary, notes, notice } = answers[name] = JSON.parse(content);
        const more = `What was left out or assumed: ${formatCount(notes.length, "note")} in --json`;
        const lines = notes.length === 0 ? summary : [...summary, more];
        print([`${id}, ${name}${notice ? " (SYNTHETIC)" : ""}`, ...lines]);
      } catch (error) {
        given.signal.throwIfAborted();
        if (!(error instanceof VindkitError)) throw error;
        unanswered[name] = error.message;
        print([`${id}, ${name}: no answer`, error.message]);
      }
    }
    const text = JSON.stringify({ form: FORM, turbine_id: id, answers, unanswered }, null, 1);
    if (file === "-") console.log(text);
    else if (file) {
      await writeAtomically(callerPath(file), new TextEncoder().encode(`${text}\n`), {
        mode: 0o666,
      });
    }
    return Object.keys(answers).length > 0 ? exitCodes.done : exitCodes.failed;
  },
};
