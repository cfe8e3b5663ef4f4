import { type Answer, type CallOptions, type Connection, VindkitError } from "../../mod.ts";
import { SYNTHETIC } from "../api/world.ts";
import { writeAtomically } from "../disk/side_file.ts";
import { answerReport } from "../report/mod.ts";
import { formatCount } from "../show/text/numbers.ts";
import { callerPath, readFormed, readMonth } from "./arguments.ts";
import { type AskedTime, checkFleet, type FleetAnswer, formatFleet } from "./check_fleet.ts";
import { answerQuestion, planFleetBudget, type Question, QUESTIONS } from "./check_questions.ts";
import { type Arguments, type Command, exitCodes, formatUnknown, MisuseError } from "./command.ts";
import { connectionOptions, openConnection } from "./connection.ts";
import { findProductions, report } from "./report.ts";
import { wrap } from "./run_command.ts";
import { findExclusions, findShare, ownerOptions } from "./stored_production.ts";
import { readTurbineIds } from "./turbine_ids.ts";

/** Version of the form of the JSON, which docs/python.md describes. */
const FORM = 2;

/** Width of what is printed. */
const WIDTH = 80;

/** Reads the month, the year, or the first and the last month. */
function readTime({ text }: Arguments): AskedTime {
  const month = readMonth(text);
  const year = readFormed(text, "year", /^\d{4}$/, "a year such as 2024");
  const [from, to] = ["from", "to"].map((name) =>
    readFormed(text, name, /^\d{4}(-(0[1-9]|1[0-2]))?$/, "a month such as 2024-03, or a year")
  );
  if ([month, year, from ?? to].filter((one) => one !== undefined).length > 1) {
    throw new MisuseError(
      "Cannot use --month, --year and --from or --to together: give one of them",
    );
  }
  return { month, from: year ?? from, to: year ?? to };
}

/** Reads the questions beside the verdict. */
function readQuestions({ text }: Arguments): Question[] {
  const names = text("question")?.split(",").map((name) => name.trim()) ?? [];
  const unknown = names.find((name) => !(QUESTIONS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new MisuseError(formatUnknown("question", unknown, QUESTIONS));
  return names as Question[];
}

const broken = (lines: readonly string[]) => lines.flatMap((line) => wrap(line, WIDTH)).join("\n");

/** The verdict on turbines, in words and figures; of one turbine also what its whole record shows. */
function formatVerdict({ fleet, checks, leftOut }: FleetAnswer, title: string): string {
  const { summary: [verdict, ...more], frames: { turbines } } = fleet;
  const isOne = turbines.height === 1;
  const [only] = checks.values();
  const record = isOne && typeof only === "object" ? only.verdicts : [];
  const whole = record.length > 0
    ? [
      `The whole record, ${record[0].period} to ${record[record.length - 1].period}:`,
      ...(only as Exclude<typeof only, string>).summary.slice(1),
    ]
    : [];
  return [
    isOne
      ? title.replace("turbines? The fleet in", `turbine? ${turbines.getColumn("name").get(0)},`)
      : title,
    broken([isOne ? String(turbines.getColumn("text").get(0)) : verdict]),
    formatFleet(fleet).join("\n"),
    broken(isOne ? whole : more),
    broken(Object.entries(leftOut).map(([id, reason]) => `${id} is left out: ${reason}`)),
  ].filter((part) => part !== "").join("\n\n");
}

/** Answers one question, of a fleet or of a turbine. */
async function ask(
  question: Question,
  id: string | undefined,
  ids: readonly string[],
  given: Arguments,
  call: CallOptions,
): Promise<{ answer: Answer; leftOut?: Readonly<Record<string, string>> }> {
  const productions = await findProductions(given);
  if (id === undefined) {
    return await planFleetBudget(ids, productions, await findShare(given), call);
  }
  const answer = await answerQuestion(question, id, {
    production: productions.get(id),
    excluded: question === "long-term" ? await findExclusions(given, id) : [],
    month: readMonth(given.text),
    call,
  });
  return { answer };
}

/** What the JSON has. */
interface Output {
  readonly answers: Record<string, unknown>;
  readonly unanswered: Record<string, string>;
}

/** Answers the questions one after the other; each is named with the reason if it has no answer. */
async function answerQuestions(
  questions: readonly Question[],
  ids: readonly string[],
  given: Arguments,
  call: CallOptions,
  print: (text: string) => void,
): Promise<Output> {
  const output: Output = { answers: {}, unanswered: {} };
  const isFleet = given.rest.length === 0;
  for (const question of questions) {
    if (isFleet && question !== "budget") {
      throw new MisuseError(
        `Cannot ask --question ${question} of a fleet: name a turbine, such as ${ids[0]}`,
      );
    }
    for (const id of isFleet ? [undefined] : ids) {
      const name = id === undefined ? question : `${id} ${question}`;
      try {
        const { answer, leftOut = {} } = await ask(question, id, ids, given, call);
        const [, , { content }] = await Array.fromAsync(answerReport(answer));
        const { summary, notes, notice } = output.answers[name] = JSON.parse(content);
        const more = `What was left out or assumed: ${formatCount(notes.length, "note")} in --json`;
        print([
          `${id ?? "The fleet"}, ${question}${notice ? ` (${SYNTHETIC})` : ""}`,
          broken([
            ...summary,
            ...(notes.length > 0 ? [more] : []),
            ...Object.entries(leftOut).map(([own, reason]) => `${own} is left out: ${reason}`),
          ]),
        ].join("\n"));
      } catch (error) {
        given.signal.throwIfAborted();
        if (!(error instanceof VindkitError)) throw error;
        output.unanswered[name] = error.message;
        print(`${name}: no answer\n${broken([error.message])}`);
      }
    }
  }
  return output;
}

/** Opens the connection; without any source the sample answers, but never into a file. */
async function openSource(given: Arguments): Promise<{ connection: Connection; given: Arguments }> {
  const { text, flag } = given;
  const isStated = ["data", "json", "production", "lock"].some(text) || flag("sample");
  try {
    return { connection: await openConnection(given), given };
  } catch (error) {
    if (isStated || error instanceof MisuseError || error instanceof VindkitError) throw error;
    const sampled = { ...given, flag: (name: string) => name === "sample" || flag(name) };
    return { connection: await openConnection(sampled), given: sampled };
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
    year: { value: "YEAR", about: "year of the verdict instead" },
    from: { value: "MONTH", about: "first month of the verdict instead, or year" },
    to: { value: "MONTH", about: "its last month, included" },
    question: {
      value: "NAMES",
      about: `instead of the verdict: ${QUESTIONS.join(", ")}; of all turbines only budget`,
    },
    production: report.options.production,
    ...ownerOptions,
    json: { value: "FILE", about: "writes the answer as JSON; - prints it, and nothing else" },
    ...connectionOptions,
  },
  example: "T1 --sample --month 2024-03",
  notes: [
    "The verdict names what a deviation from normal comes from: wind, stops, limited power, or unexplained. The turbine that lost " +
    "the most by itself comes first. Energies are MWh, brackets are 90 % intervals; a dash is part of the rest, or not known.",
    "Without --data, --sample or VINDKIT_URL the SYNTHETIC sample answers, except into --json. The code is 1 if nothing could be answered.",
  ],
  rest: "any",
  resume: "Nothing was changed: the same command begins again.",
  async run(asked) {
    const time = readTime(asked);
    const questions = readQuestions(asked);
    const { connection: opened, given } = await openSource(asked);
    await using connection = opened;
    const call = { connection, signal: given.signal };
    const file = given.text("json");
    const print = (text: string) => {
      if (file !== "-") console.log(`${text}\n`);
    };
    const ids = await readTurbineIds(
      given.rest.length > 0 ? given.rest.join(",") : undefined,
      call,
    );
    let output: Readonly<Record<string, unknown>> | Output;
    let isAnswered = true;
    if (questions.length > 0) {
      const { answers, unanswered } = await answerQuestions(questions, ids, given, call, print);
      output = { answers, unanswered };
      isAnswered = Object.keys(answers).length > 0;
    } else {
      const productions = await findProductions(given);
      const answer = await checkFleet(ids, productions, time, await findShare(given), call);
      const [, , { content }] = await Array.fromAsync(answerReport(answer.fleet));
      const json = JSON.parse(content);
      output = { ...json, left_out: answer.leftOut };
      print(formatVerdict(answer, json.notice ? `${json.title} (${SYNTHETIC})` : json.title));
    }
    const text = JSON.stringify({ form: FORM, ...output }, null, 1);
    if (file === "-") console.log(text);
    else if (file) {
      await writeAtomically(callerPath(file), new TextEncoder().encode(`${text}\n`), {
        mode: 0o666,
      });
    }
    return isAnswered ? exitCodes.done : exitCodes.failed;
  },
};
