/**
 * The long runs, all or some by name. What they print is kept in docs/soak.md with `--write`, where the sections of the
 * others stay.
 *
 * @module
 */
import { formatUnknown, MisuseError } from "../../src/cli/command.ts";
import { startProgress } from "../../src/show/progress.ts";
import { runTask } from "../_run_task.ts";
import { joinSections, splitSections } from "./_page.ts";
import { clockFaults } from "./clock_faults.ts";
import { cleanWorlds } from "./clean_worlds.ts";
import { extremes } from "./extremes.ts";
import { fuzz } from "./fuzz.ts";
import { damage } from "./damage.ts";
import { damagedRows } from "./damaged_rows.ts";
import { hitRate } from "./hit_rate.ts";
import { killedClient } from "./killed_client.ts";
import { killedEra5 } from "./killed_era5.ts";
import { killedService } from "./killed_service.ts";
import { lastingChanges } from "./lasting_changes.ts";
import { machines } from "./machines.ts";
import { ordersUnderFaults } from "./orders_under_faults.ts";
import { steadyMemory } from "./steady_memory.ts";

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
      "A client is killed with SIGKILL in order, download and cache write, each round at another moment,",
      "and started again.",
    ],
  },
  {
    run: killedEra5,
    rounds: 30,
    about: [
      "A process that gets ERA5 from a stand-in of the Climate Data Store is killed with SIGKILL in turn in",
      "submission, wait, download and deletion of the job, and started again. No request may be lost or sent",
      "twice, no job be left, and no half file.",
    ],
  },
  {
    run: killedService,
    rounds: 50,
    about: [
      "The service is killed with SIGKILL in turn in an import of new months (while another process serves",
      "the same data), in the building of an order of 20 years, and in a download, each round at another",
      "moment, and started again. Its answers are compared with all the old or all the new, byte by byte,",
      "and each file with its hash; issued keys work, the order becomes complete by itself, the download",
      "continues by a range.",
    ],
  },
  {
    run: ordersUnderFaults,
    rounds: 1000,
    about: [
      "Files are ordered, some of them by several clients, through a network that resets, stalls, cuts, and",
      "loses answers, from a service that is killed with SIGKILL and started again. Each wanted file must",
      "arrive with the right bytes; a licence never has two open orders for the same; no order is lost; and",
      "a licence has at most as many orders for the same as it called for it: one where it called once,",
      "however often that call was made again.",
    ],
  },
  {
    run: machines,
    rounds: 60,
    about: [
      "Three servers and three workers share a PostgreSQL and an object store. In each round one of these",
      "happens at a random moment, while clients import, order, read and revoke: a worker or a server is",
      "killed with SIGKILL, PostgreSQL is stopped at once, the object store answers 503 or slowly, a worker",
      "is stopped past its heartbeat and woken. Every order must arrive with the right bytes and be built",
      "once, each import be stored once, each answer be wholly of one of the two imported editions, every",
      "server answer with the last one after a round, and refuse a revoked key after a second; a row never",
      "names a missing file, and no file is left that no row names, two days later.",
    ],
  },
  {
    run: damage,
    rounds: 400,
    about: [
      "Files of a data directory are damaged, before its service starts or while it runs: flips of one bit",
      "or of twenty, cuts, deletions, zeroed pages, empty and swapped files; in the database and its log, in",
      "the rows of licences and keys, in series, models, what is rendered, and files of orders. All that the",
      "service answers then is compared twice with what it answered before: each answer must be right, or a",
      "5xx where the damaged file is needed, and the log names it; or the service does not start, and says",
      "why. What can be made again is right at once. SIGTERM ends it, and nothing hangs.",
    ],
  },
  {
    run: damagedRows,
    rounds: 400,
    about: [
      "Rows of a PostgreSQL store are damaged, before a service starts on it or while it runs: another",
      "character, a row that is gone, two that are swapped, a column that is empty, in documents, contents and",
      "lists. All that the service answers then is compared twice with what it answered before: each answer",
      "must be right, or a 5xx, and the log says what is damaged; or the service does not start, and says why.",
    ],
  },
  {
    run: steadyMemory,
    rounds: 30,
    about: [
      "Clients do for half an hour (a round is a minute) all that clients do, wrong things too: indices,",
      "model data, orders, downloads that are broken off, unknown keys and paths; every half minute another",
      "model is imported. Looked at are the memory and the open files of the service, a process of its own.",
    ],
  },
  {
    run: fuzz,
    rounds: 20_000,
    about: [
      "Files of every reader are spoiled by a seed: bytes, headers, cells, lines, stamps, declared shapes,",
      "values of JSON, members of archives whose checksums stay right. One of eight is valid and made wide,",
      "long or sparse instead. Each is read, or refused with a typed error: no crash, no hang, and no more",
      "than 1 GB of memory. Counted is how many get past the first check of their reader.",
    ],
  },
  {
    run: extremes,
    rounds: 4,
    about: [
      "Valid but extreme files are read through the doors of users, each in a process with a heap of 512 MB,",
      "2.5 GB to write in all and 256 file descriptors: read right and counted, or refused in our words, in",
      "the time and memory that are declared beside it. Clients of a service of few file descriptors leave",
      "downloads unread or never end their requests, four times each: it must live, refuse what is too much",
      "with 503, answer another licence, and answer all within a second after they have left. The machine has",
      "two cores and 24 GB, and other work to do.",
    ],
  },
  {
    run: hitRate,
    rounds: 200,
    about: [
      "90 % intervals of the calibration are compared with synthetic worlds whose truth is known and that",
      "contain what the engine lacks: reanalysis that is wrong by the hour, for weeks and every season, a",
      "site that favours a direction, another power curve, stops and outages.",
    ],
  },
  {
    run: cleanWorlds,
    rounds: 150,
    about: [
      "The same worlds, with 24 to 36 months of hourly production in which the turbine always runs. Counted",
      "is what is reported although nothing happened: months outside of the band of checkPerformance(),",
      "outages, standstill at the import. Then ten days are taken from each at random: the stop must be",
      "found where it costs five hours of rated power or more, and its lost energy be in the interval.",
    ],
  },
  {
    run: clockFaults,
    rounds: 100,
    about: [
      "Hourly production of 12 to 36 months of the same worlds is written by clocks that are right, an hour",
      "late from a day on (two months and more from either end), or those of local time, and imported as if",
      "they were UTC: the model is calibrated on that production. Counted are the imports that report it.",
    ],
  },
  {
    run: lastingChanges,
    rounds: 100,
    about: [
      "Losses of 5 and 10 % of the power from a date, between a fifth and four fifths of 24 to 36 months of",
      "hourly production with stops and outages, and limits of the power: what checkPerformance() finds of",
      "them against the prediction, of a turbine calibrated on the same production.",
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
  rest: "any",
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
      lines.push(faults.length === 0 ? "holds" : `${faults.length} faults`);
      console.log(lines.join("\n"));
      if (faults.length > 0) failed.push(run.name);
      if (!write) continue;
      const sections = splitSections(await Deno.readTextFile(page));
      sections.set(run.name, [...about, "", "```", ...lines, "```"].join("\n"));
      await Deno.writeTextFile(page, joinSections(sections, names));
    }
    if (failed.length > 0) throw new Error(`Faults were found by ${failed.join(", ")}`);
  },
});
