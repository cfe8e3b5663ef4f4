/**
 * The long runs: `deno task soak`, or one by name and number of rounds: `deno task soak hitRate 20`. What all of them
 * print is kept in docs/soak.md with `--write`.
 *
 * @module
 */
import { hitRate } from "./hit_rate.ts";
import { killedClient } from "./killed_client.ts";

/** A long run: how often it goes round, and what it is. */
interface LongRun {
  readonly run: (
    rounds: number,
    say: (line: string) => void,
  ) => readonly string[] | Promise<readonly string[]>;
  readonly rounds: number;
  readonly about: readonly string[];
}

const longRuns: readonly LongRun[] = [
  {
    run: killedClient,
    rounds: 50,
    about: [
      "A client is killed with SIGKILL in order, download and cache write, each round at another moment,",
      "and started again.",
    ],
  },
  {
    run: hitRate,
    rounds: 200,
    about: [
      "90 % intervals of the calibration are held against synthetic worlds whose truth is known and that",
      "contain what the engine lacks: reanalysis that is wrong by the hour, for weeks and every season, a",
      "site that favours a direction, another power curve, stops and outages.",
    ],
  },
];

const number = Deno.args.find((argument) => /^\d+$/.test(argument));
const wanted = longRuns.filter(({ run }) =>
  Deno.args.includes(run.name) || longRuns.every((other) => !Deno.args.includes(other.run.name))
);
const page = ["# The long runs", "", "Written by `deno task soak --write`.", ""];
let failed = false;
for (const { run, rounds, about } of wanted) {
  const lines: string[] = [];
  const say = (line: string) => {
    lines.push(line);
    console.log(line);
  };
  const faults = await run(number === undefined ? rounds : Number(number), say);
  for (const fault of faults) say(`FAILS  ${fault}`);
  say(faults.length === 0 ? "holds" : `${faults.length} faults`);
  failed ||= faults.length > 0;
  page.push(`## ${run.name}`, "", ...about, "");
  page.push("```", ...lines, "```", "");
}
if (Deno.args.includes("--write") && wanted.length === longRuns.length) {
  await Deno.writeTextFile(new URL("../../docs/soak.md", import.meta.url), page.join("\n"));
}
if (failed) Deno.exit(1);
