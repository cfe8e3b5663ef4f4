import { type Answer, type CallOptions, type Connection, VindkitError } from "../../../mod.ts";
import { SYNTHETIC } from "../../api/world.ts";
import { writeAtomically } from "../../disk/side_file.ts";
import { answerReport } from "../../report/mod.ts";
import { callerPath, readFormed, readMonth } from "../command/arguments.ts";
import {
  checkFleet,
  type FleetAnswer,
  formatFleet,
  isRange,
  type RequestedTime,
} from "./check_fleet.ts";
import { answerQuestion, planFleetBudget, type Question, QUESTIONS } from "./check_questions.ts";
import {
  type Arguments,
  type Command,
  exitCodes,
  formatUnknown,
  MisuseError,
} from "../command/command.ts";
import { connectionOptions, openConnection, readTurbineIds } from "../command/connection.ts";
import { findProductions, report } from "./report.ts";
import { wrap } from "../command/run_command.ts";
import {
  findExclusions,
  findPrice,
  findShare,
  ownerOptions,
  priceOption,
  type Productions,
} from "./stored_production.ts";

/** Version of the JSON format, which docs/python.md describes. */
const FORMAT_VERSION = 2;

/** Most turbines that a message names. */
const MAX_NAMED = 5;

/** Width of the output, characters. */
const WIDTH = 80;

/** First and last month of a month or a year. */
const firstMonth = (time: string) => time.length === 4 ? `${time}-01` : time;
const lastMonth = (time: string) => time.length === 4 ? `${time}-12` : time;

/** Reads the month, the year, or the first and the last month. */
function readTime({ text }: Arguments): RequestedTime {
  const month = readMonth(text);
  const year = readFormed(text, "year", /^\d{4}$/, "a year such as 2024");
  const [from, to] = ["from", "to"].map((name) =>
    readFormed(text, name, /^\d{4}(-(0[1-9]|1[0-2]))?$/, "a month such as 2024-03, or a year")
  );
  if ([month, year, from ?? to].filter((one) => one !== undefined).length > 1) {
    throw new MisuseError(
      "Cannot combine --month, --year and --from/--to: each sets the period. Give only --month, only --year, or only --from and --to",
    );
  }
  if (from && to && firstMonth(from) > lastMonth(to)) {
    throw new MisuseError(
      `Cannot use --from ${from} with --to ${to}: --from is later than --to. Give the earlier month as --from`,
    );
  }
  return { month, from: year ?? from, to: year ?? to };
}

/** Reads the identifiers, separated by spaces or commas; `undefined` for all turbines. */
function readIds({ rest }: Arguments): string[] | undefined {
  const words = rest.flatMap((word) => word.split(",")).map((word) => word.trim());
  const ids = [...new Set(words.filter((word) => word !== ""))];
  if (rest.length === 0 || ids.length > 0) return rest.length === 0 ? undefined : ids;
  throw new MisuseError(
    `Cannot read "${
      rest.join(" ")
    }": it is not a turbine identifier. Give identifiers such as T1, or none for all turbines`,
  );
}

/** Reads the questions in addition to the verdict; refuses options that none of them uses. */
function readQuestions({ text, rest }: Arguments, { month, from, to }: RequestedTime): Question[] {
  const names = text("question")?.split(",").map((name) => name.trim()) ?? [];
  const unknown = names.find((name) => !(QUESTIONS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new MisuseError(formatUnknown("question", unknown, QUESTIONS));
  const questions = names as Question[];
  const other = questions.find((name) => name !== "budget");
  if (questions.length === 0) return questions;
  if (rest.length === 0 && other !== undefined) {
    throw new MisuseError(
      `Cannot answer --question ${other} for all turbines: the question is about one turbine. Name a turbine, such as T1`,
    );
  }
  if ((month && !questions.includes("index")) || from || to) {
    throw new MisuseError(
      `Cannot use a period with --question ${names}: only index takes --month, and the other questions use the whole record. Omit the period`,
    );
  }
  if (text("owner") !== undefined && rest.length > 0) {
    throw new MisuseError(
      "Cannot use --owner with a question about a turbine: only the verdict and the budget of all turbines can show " +
        "a share. Omit --owner or the turbines",
    );
  }
  return questions;
}

const broken = (lines: readonly string[]) => lines.flatMap((line) => wrap(line, WIDTH)).join("\n");

/** Formats the verdict on turbines; for one turbine also the result for its whole record, unless the caller chose a range. */
function formatVerdict(
  answer: FleetAnswer,
  title: string,
  hasRange: boolean,
): string {
  const { fleet, checks, leftOut } = answer;
  const { summary: [verdict, ...more], frames: { turbines } } = fleet;
  const isOne = turbines.height === 1;
  const [only] = checks.values();
  const record = isOne && !hasRange && typeof only === "object" && !only.verdict.useless
    ? only.verdicts
    : [];
  const recordSummary = record.length > 0
    ? [
      `The whole record, ${record[0].period} to ${record[record.length - 1].period}:`,
      ...(only as Exclude<typeof only, string>).summary.slice(1),
    ]
    : [];
  const { share } = fleet;
  const ofShare = share ? [`Share of ${share.owner}: ${share.verdict.text}`] : [];
  return [
    isOne
      ? title.replace("turbines? The fleet in", `turbine? ${turbines.getColumn("name").get(0)},`)
      : title,
    broken([isOne ? String(turbines.getColumn("text").get(0)) : verdict]),
    formatFleet(answer),
    broken(isOne ? ofShare : more),
    broken(recordSummary),
    broken([...leftOut].map(([id, reason]) => `${id} is left out: ${reason}`)),
  ].filter((part) => part !== "").join("\n\n");
}

/** Answers one question, of a fleet or of a turbine. */
async function ask(
  question: Question,
  id: string | undefined,
  ids: readonly string[],
  productions: Productions,
  args: Arguments,
  call: CallOptions,
): Promise<{ answer: Answer; leftOut?: ReadonlyMap<string, string> }> {
  if (id === undefined) {
    return await planFleetBudget(ids, productions, await findShare(args), call);
  }
  const answer = await answerQuestion(question, id, {
    production: productions.get(id),
    excluded: question === "long-term" ? await findExclusions(args, id) : [],
    month: readMonth(args.text),
    price: await findPrice(args),
    call,
  });
  return { answer };
}

/** When an answer was made. With a lock it is the fetch time of the figures, so repeated runs agree. */
function stamp({ provenance }: Answer, { connection }: CallOptions): { generatedAt?: string } {
  const fetched = provenance.flatMap(({ fetchedAt }) => fetchedAt ?? []).sort().at(-1);
  return connection?.lock && fetched ? { generatedAt: fetched } : {};
}

/** Content of the JSON file. */
interface Output {
  readonly answers: Record<string, unknown>;
  readonly unanswered: Record<string, string>;
}

/** Answers the questions in turn, with the reason for each that has no answer. */
async function answerQuestions(
  questions: readonly Question[],
  ids: readonly string[],
  productions: Productions,
  args: Arguments,
  call: CallOptions,
  print: (text: string) => void,
): Promise<Output> {
  const output: Output = { answers: {}, unanswered: {} };
  const isFleet = args.rest.length === 0;
  for (const question of questions) {
    for (const id of isFleet ? [undefined] : ids) {
      const name = id === undefined ? question : `${id} ${question}`;
      try {
        const { answer, leftOut = [] } = await ask(question, id, ids, productions, args, call);
        const marks = new Set(answer.provenance.flatMap(({ notes = [] }) => notes));
        const [, , { content }] = await Array.fromAsync(answerReport(answer, stamp(answer, call)));
        const { summary, notes, notice } = output.answers[name] = JSON.parse(content);
        print([
          `${id ?? "The fleet"}, ${question}${notice ? ` (${SYNTHETIC})` : ""}`,
          broken([
            ...marks, // such as the mark of a useless calibration
            ...summary,
            ...notes,
            ...[...leftOut].map(([turbine, reason]) => `${turbine} is left out: ${reason}`),
          ]),
        ].join("\n"));
      } catch (error) {
        args.signal.throwIfAborted();
        if (!(error instanceof VindkitError)) throw error;
        output.unanswered[name] = error.message;
        print(`${name}: no answer\n${broken([error.message])}`);
      }
    }
  }
  return output;
}

/** Opens the connection. Without a source the sample answers, but only on the screen, never into a file. */
async function openSource(args: Arguments): Promise<{ connection: Connection; args: Arguments }> {
  const { text, flag } = args;
  const isStated =
    ["data", "json", "production", "lock"].some((name) => text(name) !== undefined) ||
    flag("sample");
  try {
    return { connection: await openConnection(args), args };
  } catch (error) {
    if (isStated || error instanceof MisuseError || error instanceof VindkitError) throw error;
    const sampled = { ...args, flag: (name: string) => name === "sample" || flag(name) };
    return { connection: await openConnection(sampled), args: sampled };
  }
}

/** Was it the wind or the turbine? And other questions about turbines. */
export const check: Command = {
  forms: ["[TURBINES] [OPTIONS]"],
  arguments: { TURBINES: "identifiers, separated by spaces (default: all)" },
  options: {
    month: {
      value: "MONTH",
      about: "month of the verdict (default: the last one with production)",
    },
    year: { value: "YEAR", about: "year of the verdict, instead of --month" },
    from: { value: "MONTH", about: "first month or year of the verdict, instead of --month" },
    to: { value: "MONTH", about: "last month or year of the verdict, included" },
    question: {
      value: "NAMES",
      about: `questions to answer instead of the verdict: ${
        QUESTIONS.join(", ")
      }; for all turbines, only budget`,
    },
    production: report.options.production,
    price: priceOption,
    ...ownerOptions,
    json: { value: "FILE", about: "writes the answer as JSON; - prints only the JSON" },
    ...connectionOptions,
  },
  example: "T1 --sample --month 2024-03",
  notes: [
    "The verdict says where a deviation from normal comes from: wind, stops, curtailment, or unexplained. The turbine that lost " +
    "most through its own faults comes first. Energies are in MWh, and brackets are 90 % intervals. A dash means that the value is part of the rest or unknown.",
    "Without --data, --sample or VINDKIT_URL, the command uses the SYNTHETIC sample, except with --json. The exit code is 1 if no question could be answered.",
  ],
  resume: "Your data are unchanged. Run the same command to start again.",
  async run(asked) {
    const time = readTime(asked);
    const named = readIds(asked);
    const questions = readQuestions(asked, time);
    const { connection: opened, args } = await openSource(asked);
    await using connection = opened;
    const call = { connection, signal: args.signal };
    const file = args.text("json");
    const print = (text: string) => {
      if (file !== "-") console.log(`${text}\n`);
    };
    const ids = named ?? await readTurbineIds(undefined, call);
    const productions = await findProductions(args);
    const source = args.text("production");
    if (source !== undefined && !ids.some((id) => productions.has(id))) {
      const known = [...productions.keys()].slice(0, MAX_NAMED).join(", ");
      throw new MisuseError(
        `Cannot use --production ${source}: it has production of ${
          known || "no turbine"
        }, but you asked for ${ids.slice(0, MAX_NAMED).join(", ")}. ` +
          "Give the site file of the turbines that you asked for",
      );
    }
    let output: Readonly<Record<string, unknown>> | Output;
    let isAnswered = true;
    if (questions.length > 0) {
      const { answers, unanswered } = await answerQuestions(
        questions,
        ids,
        productions,
        args,
        call,
        print,
      );
      output = { answers, unanswered };
      isAnswered = Object.keys(answers).length > 0;
    } else {
      const share = await findShare(args);
      const answer = await checkFleet(ids, productions, time, share, call, await findPrice(args));
      const [, , { content }] = await Array.fromAsync(
        answerReport(answer.fleet, stamp(answer.fleet, call)),
      );
      const { form: _, ...json } = JSON.parse(content); // the format version of reports
      output = { ...json, left_out: Object.fromEntries(answer.leftOut) };
      const title = json.notice ? `${json.title} (${SYNTHETIC})` : json.title;
      print(formatVerdict(answer, title, isRange(time)));
      if (share && !answer.fleet.share) {
        print(`${share.owner} has no share of these turbines in ${answer.fleet.period}.`);
      }
    }
    const text = JSON.stringify({ form: FORMAT_VERSION, ...output }, null, 1);
    if (file === "-") console.log(text);
    else if (file) {
      await writeAtomically(callerPath(file), new TextEncoder().encode(`${text}\n`), {
        mode: 0o666,
      });
    }
    return isAnswered ? exitCodes.done : exitCodes.failed;
  },
};
