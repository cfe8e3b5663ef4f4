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
      "The run kills a client with SIGKILL during an order, a download or a cache write, and starts the",
      "client again. The client must not order anything twice and must not leave an incomplete file.",
    ],
  },
  {
    run: killedEra5,
    rounds: 30,
    about: [
      "The run kills a process that gets ERA5 from a simulated Climate Data Store. It does this while the",
      "process submits a request, waits, downloads or deletes. The process must not lose or double a",
      "request, and it must remove all jobs and incomplete files.",
    ],
  },
  {
    run: killedService,
    rounds: 50,
    about: [
      "The run kills the service during an import (while another process serves the same data), during an",
      "order of 20 years, and during a download. Answers must be entirely old or entirely new, files must",
      "match their hash, and keys must work. The service must complete the order. A range request must",
      "continue the download.",
    ],
  },
  {
    run: ordersUnderFaults,
    rounds: 1000,
    about: [
      "Clients order files from a service that the run kills again and again. The network between them",
      "resets, stalls and cuts connections, and loses answers. Each file must arrive with the right bytes,",
      "and the service must not lose an order. A licence must never have two open orders for the same file,",
      "or more orders than calls.",
    ],
  },
  {
    run: machines,
    rounds: 60,
    about: [
      "Three servers and three workers share a PostgreSQL database and an object store, while clients",
      "import, order, read and revoke keys. In each round the run kills a server or a worker, stops",
      "PostgreSQL, makes the object store fail, or suspends a worker. All answers must be right and come",
      "from one edition, and no order may be built twice. Revoked keys must fail within a second, and files",
      "must match the rows of the database.",
    ],
  },
  {
    run: damage,
    rounds: 400,
    about: [
      "The run damages files of a data directory, before its service starts or while the service runs. It",
      "requests each answer twice. The answer must be right, or a 5xx error if it needs the damaged file.",
      "The log must then name this file. If the service does not start, it must say why. Answers that do",
      "not need the file must stay right, and SIGTERM must end the service.",
    ],
  },
  {
    run: damagedRows,
    rounds: 400,
    about: [
      "The run does the same with rows of PostgreSQL: it changes a character, deletes a row, swaps two rows",
      "or empties a column.",
    ],
  },
  {
    run: steadyMemory,
    rounds: 30,
    about: [
      "For half an hour, clients make all kinds of calls, also invalid calls, during imports of models. A",
      "round is one minute. The service is a separate process, and the run measures its memory and open",
      "files.",
    ],
  },
  {
    run: fuzz,
    rounds: 20_000,
    about: [
      "The run damages files of every reader, with a fixed seed. One file in eight stays valid, but the run",
      "makes it wide, long or sparse. The reader must read each file or reject it with a typed error,",
      "without a crash or a hang. It must use at most 1 GB of memory. The run counts the files that get",
      "past the first check.",
    ],
  },
  {
    run: extremes,
    rounds: 4,
    about: [
      "Vindkit must read valid but extreme files, or reject them with a message, within the time and memory",
      "given in brackets. Each process has a heap of 512 MB, 2.5 GB of writable memory in total, and 256",
      "file descriptors. Clients also leave downloads unread or never end requests, four times each. The",
      "service must reject such clients with 503 and still answer another licence. Within a second after",
      "these clients leave, it must answer all clients. The machine had two cores and 24 GB of memory, and",
      "other programs were running on it.",
    ],
  },
  {
    run: hitRate,
    rounds: 200,
    about: [
      "The run tests 90 % intervals in synthetic worlds, in which it knows the true values. The worlds",
      "contain errors and events that the engine does not model: wrong reanalysis (hours, weeks, seasons),",
      "a favoured direction, another power curve, stops and outages.",
    ],
  },
  {
    run: otherYears,
    rounds: 60,
    about: [
      "Do the choices of a calibration also suit years that it has not seen? In the worlds of hitRate, the",
      "run undoes one choice at a time. Instead of the selected values it then takes the usual smoothing,",
      "one factor for all hours, or equal weights of the months.",
    ],
  },
  {
    run: knownTruth,
    rounds: 10,
    about: [
      "The run injects changes into real hours of six turbines, as wind-up's benchmark does, and gives the",
      "date of the change to `checkPerformance()`. Four turbines are at Kelmarsh (2018), with three near",
      "neighbours each. Two turbines are at La Haute Borne (2014), with one neighbour at 1.3 km. Errors are",
      "in percentage points of the energy after the date. The run also leaves records of 3, 6 and 12 months",
      "unchanged and gives dates at a third, half and two thirds of each record. 95 % of their errors are",
      "within the printed figure. Do not quote differences below 0.3 points. We measured wind-up 0.5.0 once",
      "on such records, outside of this run, with only power and reanalysis direction of the same hours.",
      "For 3, 6 and 12 months its error was 4.1, 1.9 and 1.0 points at Kelmarsh, and 4.8, 4.4 and 4.0",
      "points at La Haute Borne. With ten-minute data and yaw of another park, wind-up publishes an error",
      "of 0.62 points. The turbines of a site share their wind, so these dates and turbines are few",
      "independent cases.",
    ],
  },
  {
    run: cleanWorlds,
    rounds: 150,
    about: [
      "The turbine of a synthetic world always runs, for 24 to 36 months of hours. The run counts the false",
      "reports. Then it removes ten days of production. `checkPerformance()` must find every stop that",
      "costs at least five hours of rated power, and its intervals must contain the lost energy.",
    ],
  },
  {
    run: clockFaults,
    rounds: 100,
    about: [
      "The run imports 12 to 36 months of hours as UTC. Their clock is right, an hour late from a certain",
      "day on, or in local time. That day is at least two months from either end of the record. The run",
      "counts the imports that report the wrong clock.",
    ],
  },
  {
    run: verdicts,
    rounds: 200,
    about: [
      "In these worlds the run knows the causes: a world is clean, or has stops, limits, weak wind,",
      "unexplained losses or two causes. The run checks whether a verdict names the right cause. Then it",
      "injects losses into each month of real hours.",
    ],
  },
  {
    run: limits,
    rounds: 20,
    about: [
      "The run limits the power of synthetic and real turbines at times. In some cases the data state the",
      "limit, in other cases they do not. The run measures how much of the lost energy `checkPerformance()`",
      "finds, and how much limited energy it reports if there is no limit.",
    ],
  },
  {
    run: lastingChanges,
    rounds: 100,
    about: [
      "From a date on, turbines lose 5 or 10 % of their power, or get a power limit. The date is between a",
      "fifth and four fifths of a record of 24 to 36 months. The run counts the changes that",
      "`checkPerformance()` finds with a calibration on the same production.",
    ],
  },
  {
    run: budgetShares,
    rounds: 100,
    about: [
      "The run uses synthetic worlds of 24 to 36 months with outages. `explainBudget()` splits the",
      "difference from the budget in the last twelve months into steps. The run counts how often the 90 %",
      "intervals contain the true effects of wind and stops, and how often the interval of the rest",
      "contains zero.",
    ],
  },
  {
    run: realSites,
    rounds: 1,
    about: [
      "The run computes all of docs/validation.md again, also the parts that take longest: losses and stops",
      "put into real hours, and long-term estimates from short records. Each goal must be met, and the page",
      "must stay the same.",
    ],
  },
  {
    run: lesson,
    rounds: 1,
    about: [
      "The run works through the two notebooks of the lesson in JupyterLab, cell by cell, with a clock. It",
      "reads 130 words a minute, looks at a chart for 40 s and a table for 20 s, and first answers each",
      "exercise wrongly. A group that discusses the exercises needs more time. The machine's time includes",
      "opening the notebook.",
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
