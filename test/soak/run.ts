/**
 * The long runs, all or some by name. `--write` stores their output in docs/soak.md and keeps the sections of the
 * others.
 *
 * @module
 */
import { formatUnknown, MisuseError } from "../../src/cli/command/command.ts";
import { startProgress } from "../../src/show/progress.ts";
import { runTask } from "../_run_task.ts";
import { formatCount } from "../../src/show/text/numbers.ts";
import { joinSections, splitSections } from "./_page.ts";
import { budgetShares } from "./budget_shares.ts";
import { clockFaults } from "./clock_faults.ts";
import { cleanWorlds } from "./clean_worlds.ts";
import { extremes } from "./extremes.ts";
import { fuzz } from "./fuzz.ts";
import { damage } from "./damage.ts";
import { damagedRows } from "./damaged_rows.ts";
import { hitRate } from "./hit_rate.ts";
import { knownTruth } from "./known_truth.ts";
import { killedClient } from "./killed_client.ts";
import { killedEra5 } from "./killed_era5.ts";
import { killedService } from "./killed_service.ts";
import { lesson } from "./lesson.ts";
import { lastingChanges } from "./lasting_changes.ts";
import { limits } from "./limits.ts";
import { machines } from "./machines.ts";
import { ordersUnderFaults } from "./orders_under_faults.ts";
import { otherYears } from "./other_years.ts";
import { realSites } from "./real_sites.ts";
import { steadyMemory } from "./steady_memory.ts";
import { verdicts } from "./verdicts.ts";

/** A long run: its function, number of rounds and description. */
interface LongRun {
  readonly run: (
    rounds: number,
    say: (line: string) => void,
    advance: (by?: number) => void,
  ) => readonly string[] | Promise<readonly string[]>;
  readonly rounds: number;
  readonly about: readonly string[];
}

const longRuns: readonly LongRun[] = [
  {
    run: killedClient,
    rounds: 50,
    about: [
      "SIGKILL ends a client during order, download and cache write, and it starts again. It must order",
      "nothing twice and leave no half file.",
    ],
  },
  {
    run: killedEra5,
    rounds: 30,
    about: [
      "A process that gets ERA5 from a simulated Climate Data Store is killed during submission, wait,",
      "download and deletion. No request may be lost or doubled, and no job or half file may remain.",
    ],
  },
  {
    run: killedService,
    rounds: 50,
    about: [
      "The service is killed during an import (while another process serves the same data), an order of 20",
      "years, and a download. Answers must be entirely old or entirely new, files must match their hash,",
      "and keys must work. The order must become complete, and a range request must continue the download.",
    ],
  },
  {
    run: ordersUnderFaults,
    rounds: 1000,
    about: [
      "Clients order files through a network that resets, stalls, cuts and loses answers, from a service",
      "that is killed. Each file must arrive with the right bytes, and no order may be lost. A licence must",
      "never have two open orders for the same file, nor more orders than calls.",
    ],
  },
  {
    run: machines,
    rounds: 60,
    about: [
      "Three servers and three workers share a PostgreSQL and an object store, while clients import, order,",
      "read and revoke. In each round one of them is killed, PostgreSQL stops, the store fails, or a worker",
      "sleeps. All answers must be right and of one edition, and nothing may be made twice. Revoked keys",
      "must fail within a second, and files must match rows.",
    ],
  },
  {
    run: damage,
    rounds: 400,
    about: [
      "Files of a data directory are damaged before its service starts or while it runs. Each answer,",
      "requested twice, must be right, or a 5xx if it needs the file, which the log then names. Or the",
      "service must say why it does not start. Answers that do not need the file must stay right, and",
      "SIGTERM must end the service.",
    ],
  },
  {
    run: damagedRows,
    rounds: 400,
    about: [
      "The same for rows of PostgreSQL: a character changes, a row is gone, two rows are swapped, or a",
      "column is empty.",
    ],
  },
  {
    run: steadyMemory,
    rounds: 30,
    about: [
      "For half an hour (a round is a minute) clients make all kinds of calls, wrong ones too, while models",
      "are imported. The run watches memory and open files of the service, which is a separate process.",
    ],
  },
  {
    run: fuzz,
    rounds: 20_000,
    about: [
      "A seed damages files of every reader. One in eight stays valid, and is made wide, long or sparse",
      "instead. Each file must be read, or rejected with a typed error, without a crash or a hang, in at",
      "most 1 GB. The run counts the files that get past the first check.",
    ],
  },
  {
    run: extremes,
    rounds: 4,
    about: [
      "Valid but extreme files must be read, or rejected with a message of Vindkit, within the time and",
      "memory in brackets. Each process has a heap of 512 MB, 2.5 GB to write in all and 256 file",
      "descriptors. Clients also leave downloads unread or never end requests, four times each. The service",
      "must reject them with 503, answer another licence, and answer all within a second after they left.",
      "The machine had two cores, 24 GB and other work to do.",
    ],
  },
  {
    run: hitRate,
    rounds: 200,
    about: [
      "90 % intervals are tested in synthetic worlds of known truth. The worlds contain what the engine",
      "does not model: wrong reanalysis (hours, weeks, seasons), a favoured direction, another power curve,",
      "stops and outages.",
    ],
  },
  {
    run: otherYears,
    rounds: 60,
    about: [
      "Do the choices of a calibration also suit years that it has not seen? In the worlds of hitRate, the",
      "run undoes the smoothing, the kind of scaling and the weights of months in turn.",
    ],
  },
  {
    run: knownTruth,
    rounds: 10,
    about: [
      "Changes are injected into real hours of six turbines, as in wind-up's benchmark, and",
      "`checkPerformance()` gets the date. Four turbines are at Kelmarsh (2018, three near neighbours",
      "each), two at La Haute Borne (2014, one neighbour at 1.3 km). Errors are in percentage points of the",
      "energy after the date. Records of 3, 6 and 12 months stay unchanged, and get dates at a third, half",
      "and two thirds. 95 % of their errors are within the figure printed. Do not quote differences",
      "below 0.3 points. With power and reanalysis direction of the same hours only, wind-up 0.5.0 was off",
      "by 4.1, 1.9 and 1.0 points at Kelmarsh in such records. At La Haute Borne it was off by 4.8, 4.4 and",
      "4.0 points (measured once, outside of this run). With ten-minute data and yaw of another park it",
      "publishes 0.62. Six turbines at two sites share their wind, so dates and turbines are few",
      "independent cases.",
    ],
  },
  {
    run: cleanWorlds,
    rounds: 150,
    about: [
      "The turbine of a synthetic world always runs, for 24 to 36 months of hours. The run counts the false",
      "reports. Then it removes ten days of production. The check must find all stops that cost five hours",
      "of rated power, and its intervals must contain the lost energy.",
    ],
  },
  {
    run: clockFaults,
    rounds: 100,
    about: [
      "12 to 36 months of hours are imported as UTC. Their clocks are right, an hour late from a day on (at",
      "least two months from either end), or local. The run counts the imports that report it.",
    ],
  },
  {
    run: verdicts,
    rounds: 200,
    about: [
      "The causes in these worlds are known: clean, with stops, limits, weak wind, unexplained losses or",
      "two causes. The run checks whether a verdict names the right cause. Then it injects losses into each",
      "month of real hours.",
    ],
  },
  {
    run: limits,
    rounds: 20,
    about: [
      "The power of synthetic and real turbines is limited at times, and the data may not state it. The run",
      "measures how much of the lost energy `checkPerformance()` finds, and how much it reports without a",
      "limit.",
    ],
  },
  {
    run: lastingChanges,
    rounds: 100,
    about: [
      "Turbines lose 5 or 10 % of their power from a date on, or get a limit of the power. The date is",
      "between a fifth and four fifths of 24 to 36 months. The run counts the findings of",
      "`checkPerformance()`, calibrated on the same production.",
    ],
  },
  {
    run: budgetShares,
    rounds: 100,
    about: [
      "`explainBudget()` splits the distance to a budget for the last twelve of 24 to 36 months of",
      "synthetic worlds with outages. The run counts how often the 90 % intervals contain the truth of wind",
      "and stops, and a rest of zero.",
    ],
  },
  {
    run: realSites,
    rounds: 1,
    about: [
      "All of docs/validation.md is computed again, with the longest parts: losses and stops put into real",
      "hours, and long-term estimates from short records. Each goal must hold, and the page must stay the",
      "same.",
    ],
  },
  {
    run: lesson,
    rounds: 1,
    about: [
      "The run works through the two notebooks of the lesson in JupyterLab, cell by cell, with a clock. It",
      "reads 130 words a minute, looks at a chart for 40 s and a table for 20 s, and answers each exercise",
      "wrong first. A group that discusses needs longer. The machine's time includes opening the notebook.",
    ],
  },
];

const names = longRuns.map(({ run }) => run.name);

/** Reads the wanted runs and the number of rounds. */
function readWords(words: readonly string[]): { wanted: readonly LongRun[]; rounds?: number } {
  const rounds = words.find((word) => /^\d+$/.test(word));
  const chosen = words.filter((word) => word !== rounds);
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new MisuseError(formatUnknown("long run", unknown, names));
  return {
    wanted: longRuns.filter(({ run }) => chosen.length === 0 || chosen.includes(run.name)),
    ...(rounds === undefined ? {} : { rounds: Number(rounds) }),
  };
}

const page = new URL("../../docs/soak.md", import.meta.url);

await runTask("soak", {
  forms: ["[NAMES] [ROUNDS] [--write]"],
  arguments: {
    NAMES: `runs to start, of ${names.join(", ")} (default: all)`,
    ROUNDS: "rounds of each run (default: as in docs/soak.md)",
  },
  options: { write: { about: "stores the output in docs/soak.md; complete runs only" } },
  example: "hitRate 20",
  notes: ["It fails if a run finds a fault. All runs take an hour."],
  async run({ flag, rest }) {
    const { wanted, rounds } = readWords(rest);
    const write = flag("write");
    if (write && rounds !== undefined) {
      throw new MisuseError(
        "Cannot write the page: it describes complete runs. Leave out the number of rounds",
      );
    }
    const failed: string[] = [];
    for (const { run, rounds: complete, about } of wanted) {
      const lines: string[] = [];
      const total = rounds ?? complete;
      using progress = startProgress(run.name, { total, unit: "rounds" });
      const faults = await run(
        total,
        (line) => lines.push(line),
        (by) => progress.advance(by),
      );
      progress.end();
      for (const fault of faults) lines.push(`FAILS  ${fault}`);
      const outcome = faults.length === 0
        ? "The run passed."
        : `The run found ${formatCount(faults.length, "fault")}.`;
      console.log([...lines, outcome].join("\n"));
      if (faults.length > 0) failed.push(run.name);
      if (!write) continue;
      const sections = splitSections(await Deno.readTextFile(page));
      const block = lines.map((line) => `    ${line}`);
      sections.set(run.name, [...about, outcome, "", ...block].join("\n"));
      await Deno.writeTextFile(page, joinSections(sections, names));
    }
    if (failed.length > 0) throw new Error(`Faults were found by ${failed.join(", ")}`);
  },
});
