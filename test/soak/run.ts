/**
 * The long runs, all or some by name. What they print is kept in docs/soak.md with `--write`, where the sections of the
 * others stay.
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

/** A long run: how often it goes round, and what it is. */
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
      "A client is killed with SIGKILL in order, download and cache write, and started again.",
    ],
  },
  {
    run: killedEra5,
    rounds: 30,
    about: [
      "A process that gets ERA5 from a stand-in of the Climate Data Store is killed in submission, wait,",
      "download and deletion: no request is lost or doubled, no job or half file left.",
    ],
  },
  {
    run: killedService,
    rounds: 50,
    about: [
      "The service is killed in an import (while another process serves the same data), an order of 20",
      "years, and a download. Answers are wholly old or wholly new, files have their hash, keys work, the",
      "order becomes complete, the download continues by a range.",
    ],
  },
  {
    run: ordersUnderFaults,
    rounds: 1000,
    about: [
      "Clients order files through a network that resets, stalls, cuts and loses answers, from a service",
      "that is killed. Each file arrives with the right bytes, no order is lost, a licence never has two",
      "open orders for the same, nor more orders than calls.",
    ],
  },
  {
    run: machines,
    rounds: 60,
    about: [
      "Three servers and three workers share a PostgreSQL and an object store; clients import, order, read",
      "and revoke. Each round one is killed, PostgreSQL stops, the store fails, or a worker sleeps. All is",
      "right and made once, of one edition; revoked keys end in a second; files and rows agree.",
    ],
  },
  {
    run: damage,
    rounds: 400,
    about: [
      "Files of a data directory are damaged, before its service starts or while it runs. Each answer,",
      "asked twice, is right, or a 5xx where the file is needed, which the log names; or the service does",
      "not start, and says why. What can be made again is right at once; SIGTERM ends it.",
    ],
  },
  {
    run: damagedRows,
    rounds: 400,
    about: [
      "The same for rows of PostgreSQL: a character, a row gone, two swapped, an empty column.",
    ],
  },
  {
    run: steadyMemory,
    rounds: 30,
    about: [
      "For half an hour (a round is a minute) clients do all that clients do, wrong things too, and models",
      "are imported. Looked at are memory and open files of the service, a process of its own.",
    ],
  },
  {
    run: fuzz,
    rounds: 20_000,
    about: [
      "Files of every reader are spoiled by a seed; one of eight is valid and made wide, long or sparse",
      "instead. Each is read, or refused with a typed error: no crash, no hang, at most 1 GB. Counted is",
      "how many get past the first check.",
    ],
  },
  {
    run: extremes,
    rounds: 4,
    about: [
      "Valid but extreme files are read or refused in our words, with a heap of 512 MB, 2.5 GB to write in",
      "all and 256 file descriptors, in the time and memory beside them. Clients leave downloads unread or",
      "never end requests, four times each: the service refuses with 503, answers another licence, and all",
      "within a second after they left. Two cores, 24 GB, other work to do.",
    ],
  },
  {
    run: hitRate,
    rounds: 200,
    about: [
      "90 % intervals in synthetic worlds of known truth, with what the engine lacks: wrong reanalysis",
      "(hours, weeks, seasons), a favoured direction, another power curve, stops and outages.",
    ],
  },
  {
    run: otherYears,
    rounds: 60,
    about: [
      "Whether the choices of a calibration carry over to years that it has not seen, in the worlds of",
      "hitRate: the smoothing, the kind of scaling and the weights of months are taken back in turn.",
    ],
  },
  {
    run: knownTruth,
    rounds: 10,
    about: [
      "Changes are injected into real hours of six turbines (Kelmarsh 2018, three near neighbours each; La",
      "Haute Borne 2014, one at 1.3 km), as in wind-up's benchmark, and checkPerformance() gets the date.",
      "Errors are in percentage points of the energy after the date. In records of 3, 6 and 12 months",
      "nothing is changed, and dates at a third, half and two thirds are named: 95 of 100 of their errors",
      "are within the figure printed. Do not quote differences below 0.3 points. wind-up 0.5.0, with power",
      "and reanalysis direction of the same hours only, erred by 4.1, 1.9 and 1.0 points at Kelmarsh and",
      "4.8, 4.4 and 4.0 at La Haute Borne in such records (measured once, outside of this run). With",
      "ten-minute data and yaw of another park it publishes 0.62. Six turbines at two sites share their",
      "wind: dates and turbines are few independent cases.",
    ],
  },
  {
    run: cleanWorlds,
    rounds: 150,
    about: [
      "Such worlds whose turbine always runs, 24 to 36 months of hours: what is reported? Then ten days are",
      "taken: stops that cost five hours of rated power must be found, their energy be in the interval.",
    ],
  },
  {
    run: clockFaults,
    rounds: 100,
    about: [
      "12 to 36 months of hours are imported as UTC, by clocks that are right, an hour late from a day on",
      "(two months from either end), or local. Counted are the imports that report it.",
    ],
  },
  {
    run: verdicts,
    rounds: 200,
    about: [
      "Worlds whose causes are known: clean, with stops, limits, weak wind, unexplained losses or two causes. Is the",
      "cause that a verdict names the right one? Then losses injected into each month of real hours.",
    ],
  },
  {
    run: limits,
    rounds: 20,
    about: [
      "The power of synthetic turbines, and of real ones, is limited at times, stated or not: what of the energy that",
      "this took `checkPerformance()` finds, and what it finds where nothing was limited.",
    ],
  },
  {
    run: lastingChanges,
    rounds: 100,
    about: [
      "Losses of 5 and 10 % of the power from a date, between a fifth and four fifths of 24 to 36 months,",
      "and limits of the power: what checkPerformance() finds, calibrated on the same production.",
    ],
  },
  {
    run: budgetShares,
    rounds: 100,
    about: [
      "The last twelve of 24 to 36 months of such worlds, with outages: explainBudget() splits the distance to",
      "a budget. Counted is how often wind, stops and a rest of nothing are in their 90 % intervals.",
    ],
  },
  {
    run: realSites,
    rounds: 1,
    about: [
      "All of docs/validation.md is computed again, with what takes longest: losses and stops that are put into",
      "real hours, and long-term estimates from short records. Each goal holds, and the page is the same.",
    ],
  },
  {
    run: lesson,
    rounds: 1,
    about: [
      "The two notebooks of the lesson in JupyterLab, cell by cell, with a clock: 130 words a minute are",
      "read, a chart is looked at for 40 s and a table for 20 s, each exercise is answered wrong first. Who",
      "talks about it needs longer. The machine's time has that of opening the notebook.",
    ],
  },
];

const names = longRuns.map(({ run }) => run.name);

/** The runs that the words name, and their number of rounds. */
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
    NAMES: `which to run, of ${names.join(", ")} (default: all)`,
    ROUNDS: "how often each goes round (default: as docs/soak.md says)",
  },
  options: { write: { about: "stores what they print in docs/soak.md; complete runs only" } },
  example: "hitRate 20",
  notes: ["It fails where a run finds a fault. All of them take an hour."],
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
        ? "It holds."
        : `It has ${formatCount(faults.length, "fault")}.`;
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
