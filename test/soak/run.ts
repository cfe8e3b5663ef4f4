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
      "The run kills a client with SIGKILL during an order, a download or a cache write, and then starts",
      "the client again. The client must not place an order twice and must not leave an incomplete file.",
    ],
  },
  {
    run: killedEra5,
    rounds: 30,
    about: [
      "The run kills a process that downloads ERA5 data from a simulated Climate Data Store. The run kills",
      "this process during a request, a wait, a download or a deletion. The process must not lose or repeat",
      "a request, and it must remove all jobs and incomplete files.",
    ],
  },
  {
    run: killedService,
    rounds: 50,
    about: [
      "In some rounds, the run kills an import while a service reads the same data. In other rounds, the",
      "run kills the service during an order for 20 years of data or during a download. All answers must",
      "show the state before the import, or all answers must show the state after the import. Each file",
      "must match its hash, and all keys must work. The service must complete the order. The client must be",
      "able to continue the download with a range request.",
    ],
  },
  {
    run: ordersUnderFaults,
    rounds: 1000,
    about: [
      "Clients order files from a service that the run kills again and again. A simulated network resets,",
      "stalls and cuts the connections between clients and service, and loses answers. Each file must",
      "arrive complete and unchanged, and the service must not lose an order. A licence must never have two",
      "open orders for the same file, or more orders than calls.",
    ],
  },
  {
    run: machines,
    rounds: 60,
    about: [
      "Three servers and three workers share a PostgreSQL database and an object store. During the run,",
      "clients import sites, place orders, read data and revoke keys. In each round, the run kills a server",
      "or a worker, stops PostgreSQL, makes the object store fail, or suspends a worker. Clients import two",
      "editions of a site in turn. Each answer must be right and come from a single edition. The machines",
      "must not process an order twice. A revoked key must stop working within a second, and files must",
      "match the rows of the database.",
    ],
  },
  {
    run: damage,
    rounds: 400,
    about: [
      "The run damages files of a data directory, before the service starts or while the service runs. The",
      "run requests each answer twice. If an answer needs the damaged file, the service must give the right",
      "answer or a 5xx error, and must name the file in the log. All other answers must stay right. If the",
      "service does not start, it must give the reason. SIGTERM must end the service.",
    ],
  },
  {
    run: damagedRows,
    rounds: 400,
    about: [
      "This run repeats the run `damage` with rows of PostgreSQL instead of files. It changes a character,",
      "deletes a row, swaps two rows or empties a column.",
    ],
  },
  {
    run: steadyMemory,
    rounds: 30,
    about: [
      "For half an hour, clients make all kinds of valid and invalid calls, while imports store new models.",
      "Each round lasts one minute. The service is a separate process, and the run measures the memory and",
      "open files of this process.",
    ],
  },
  {
    run: fuzz,
    rounds: 20_000,
    about: [
      "The run uses a fixed seed to damage files of every kind that Vindkit reads. One file in eight stays",
      "valid, but the run makes it wide, long or sparse. Vindkit must read each file or reject it with a",
      "typed error. It must not crash or hang, and it must use at most 1 GB of memory. The run counts the",
      "files that get past the first check.",
    ],
  },
  {
    run: extremes,
    rounds: 4,
    about: [
      "Vindkit must read valid but extreme files, or reject them with a message, within the time and memory",
      "given in brackets. Each process has a heap of 512 MB, 2.5 GB of writable memory in total, and 256",
      "file descriptors. The run also tests clients that do not read their downloads, and clients that",
      "never finish their requests. It repeats each of these tests four times. The service must reject",
      "these clients with the HTTP status 503 and still answer clients of another licence. Within a second",
      "after the rejected clients disconnect, the service must answer all clients again. The machine had",
      "two cores and 24 GB of memory, and other programs were running on it.",
    ],
  },
  {
    run: hitRate,
    rounds: 200,
    about: [
      "The run tests 90 % intervals in synthetic worlds, whose true values are known. The worlds contain",
      "errors and events that the engine does not model. The reanalysis is wrong for hours, weeks or",
      "seasons, and its error depends on the wind direction. The power curve is also wrong. The turbines",
      "also have stops and outages.",
    ],
  },
  {
    run: otherYears,
    rounds: 60,
    about: [
      "The run tests whether the choices of a calibration also suit years outside its record. It uses the",
      "worlds of the run `hitRate` and replaces one choice at a time. The replacements are the usual",
      "smoothing, one factor for all hours, and equal weights for all months.",
    ],
  },
  {
    run: knownTruth,
    rounds: 10,
    about: [
      "The run injects changes into the real hourly data of six turbines, as wind-up's benchmark does. It",
      "gives the date of each change to `checkPerformance()`. Four turbines are at Kelmarsh (2018) and have",
      "three near neighbours each. Two turbines are at La Haute Borne (2014) and have one neighbour at a",
      "distance of 1.3 km. Errors are in percentage points of the energy after the date. The run also uses",
      "unchanged records of 3, 6 and 12 months, and gives `checkPerformance()` dates at a third, half and",
      "two thirds of each record. For these dates, the run prints the figure that 95 % of the errors do not",
      "exceed. Do not quote differences below 0.3 points. Separately from this run, we tested wind-up 0.5.0",
      "once on such unchanged records. In this test, we gave wind-up only the power of the turbines and the",
      "wind direction of the reanalysis, for the same hours. For records of 3, 6 and 12 months, the error",
      "of wind-up was 4.1, 1.9 and 1.0 points at Kelmarsh. At La Haute Borne, the error was 4.8, 4.4 and",
      "4.0 points. The authors of wind-up published an error of 0.62 points for another wind farm. They",
      "used ten-minute data and yaw. All turbines of a site have the same wind, so these dates and turbines",
      "give only a few independent cases.",
    ],
  },
  {
    run: cleanWorlds,
    rounds: 150,
    about: [
      "In each synthetic world, one turbine runs without a stop for 24 to 36 months. The run counts the",
      "false reports about these turbines. Then the run removes ten days of production.",
      "`checkPerformance()` must find every stop that costs at least five hours of rated power, and its",
      "intervals must contain the lost energy.",
    ],
  },
  {
    run: clockFaults,
    rounds: 100,
    about: [
      "The run imports 12 to 36 months of hourly production as UTC. The timestamps are right, one hour late",
      "from a certain day on, or in local time. This day is at least two months from either end of the",
      "record. The run counts the imports that report a wrong clock.",
    ],
  },
  {
    run: verdicts,
    rounds: 200,
    about: [
      "The run uses synthetic worlds in which the cause of each loss is known. A world is clean, or has",
      "stops, power limits, weak wind, unexplained losses or two causes. The run checks whether each",
      "verdict names the right cause. Then the run injects losses into each month of real hourly data.",
    ],
  },
  {
    run: limits,
    rounds: 20,
    about: [
      "The run limits the power of synthetic and real turbines during parts of the record. In some cases",
      "the data state the limit, and in other cases they do not. The run measures how much of the energy",
      "lost to limits `checkPerformance()` finds. It also measures how much energy `checkPerformance()`",
      "reports as lost to limits if there is no limit.",
    ],
  },
  {
    run: lastingChanges,
    rounds: 100,
    about: [
      "From a certain date on, the turbines lose 5 or 10 % of their power, or get a power limit. This date",
      "is in the middle three fifths of a record of 24 to 36 months. The calibration uses the same",
      "production, including the loss or limit. The run counts the changes that `checkPerformance()` finds.",
    ],
  },
  {
    run: budgetShares,
    rounds: 100,
    about: [
      "The run uses synthetic worlds of 24 to 36 months with outages. For the last twelve months,",
      "`explainBudget()` splits the difference from the budget into steps. The run counts how often the 90",
      "% intervals contain the true effects of wind and stops. It also counts how often the interval of the",
      "rest contains zero.",
    ],
  },
  {
    run: realSites,
    rounds: 1,
    about: [
      "The run computes all figures of docs/validation.md again. This includes the parts that take longest:",
      "losses and stops injected into real hours, and long-term estimates from short records. The figures",
      "must meet each goal, and the page must stay the same.",
    ],
  },
  {
    run: lesson,
    rounds: 1,
    about: [
      "The run works through the two notebooks of the lesson in JupyterLab, cell by cell, and measures the",
      "time. It allows one minute for 130 words, 40 s for a chart and 20 s for a table. It first gives a",
      "wrong answer to each exercise. A group that discusses the exercises needs more time. The time for",
      "the machine includes the time to open the notebook.",
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
