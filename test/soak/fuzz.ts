import type { FuzzResult } from "./_fuzz_child.ts";
import { fuzzReaders } from "./_fuzz_readers.ts";

/** Files per process: few, because libraries keep some memory of each file. */
const BATCH = 200;

/** Longest time without a result, ms, before a process counts as hanging: longer than the timeout of any reader. */
const PATIENCE = 90_000;

/** Peak memory of a process, MB. */
const MAX_PEAK = 1024;

/** Least share of files that get past the first check of their reader. */
const MIN_DEEP = 0.6;

/** Longest message, characters. */
const MAX_MESSAGE = 20_000;

/** Counts of a reader. */
interface Counts {
  files: number;
  read: number;
  refused: number;
  atOnce: number;
  /** Valid but extreme files, and how many of them were read. */
  stretched: number;
  stretchedRead: number;
  peak: number;
  slowest: number;
}

/** Results of a process, and how it ended if before its last file. */
interface BatchEnd {
  readonly results: readonly FuzzResult[];
  readonly broken?: string;
}

async function runBatch(
  reader: string,
  folder: string,
  first: number,
  end: number,
): Promise<BatchEnd> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all", // Deno opens /proc only with all permissions
      new URL("./_fuzz_child.ts", import.meta.url).pathname,
      reader,
      folder,
      String(first),
      String(end),
    ],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const results: FuzzResult[] = [];
  let hangs = false;
  const kill = () => {
    hangs = true;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(kill, PATIENCE);
  let rest = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    clearTimeout(timer);
    timer = setTimeout(kill, PATIENCE);
    const lines = (rest + part).split("\n");
    rest = lines.pop()!;
    results.push(...lines.map((line) => JSON.parse(line) as FuzzResult));
  }
  const { code, signal } = await child.status;
  clearTimeout(timer);
  if (hangs) return { results, broken: "hangs" };
  return code === 0 ? { results } : { results, broken: `ends with ${signal ?? `code ${code}`}` };
}

/** Reads files of one reader, and adds faults to a list. */
async function fuzzReader(
  reader: string,
  files: number,
  faults: string[],
  advance: (by: number) => void,
): Promise<Counts> {
  const counts: Counts = {
    files,
    read: 0,
    refused: 0,
    atOnce: 0,
    stretched: 0,
    stretchedRead: 0,
    peak: 0,
    slowest: 0,
  };
  const folder = await Deno.makeTempDir();
  for (let first = 0; first < files;) {
    const end = Math.min(files, first + BATCH);
    const { results, broken } = await runBatch(reader, folder, first, end);
    for (const { seed, outcome, stretched, message, length, time } of results) {
      if (stretched) counts.stretched++;
      if (stretched && outcome === "read") counts.stretchedRead++;
      if (length > MAX_MESSAGE) faults.push(`${reader}, seed ${seed}: ${length} characters`);
      if (outcome === "read") counts.read++;
      else if (outcome === "refused") counts.refused++;
      else if (outcome === "refused at once") counts.atOnce++;
      else faults.push(`${reader}, seed ${seed}: an untyped error: ${message}`);
      counts.slowest = Math.max(counts.slowest, time);
    }
    const high = results.find(({ peak }) => peak > MAX_PEAK);
    if (high) faults.push(`${reader}, seed ${high.seed}: ${high.peak.toFixed(0)} MB`);
    counts.peak = Math.max(counts.peak, ...results.map(({ peak }) => peak));
    if (broken !== undefined) faults.push(`${reader}, seed ${first + results.length}: ${broken}`);
    const done = broken === undefined ? end - first : results.length + 1;
    first += done;
    advance(done);
  }
  await Deno.remove(folder, { recursive: true });
  return counts;
}

/**
 * Reads damaged files of every reader, each by a seed: bytes, cells, lines, timestamps, declared shapes, JSON values,
 * archive members. Also reads valid files that are wide, long or sparse. A separate process reads them, to detect
 * crashes and hangs.
 *
 * @param rounds Number of files, divided among the readers
 * @param say Prints the results
 * @param advance Called with the number of files read
 * @returns Crashes, hangs, untyped errors, memory peaks, and readers whose first check rejects too many files, in
 * words
 */
export async function fuzz(
  rounds: number,
  say: (line: string) => void,
  advance: (by?: number) => void,
): Promise<string[]> {
  const faults: string[] = [];
  const readers = Object.keys(fuzzReaders);
  const files = Math.ceil(rounds / readers.length);
  const waiting = [...readers];
  const lines = new Map<string, string>();
  const work = async () => {
    for (let reader; (reader = waiting.shift()) !== undefined;) {
      const counts = await fuzzReader(reader, files, faults, advance);
      const { read, refused, atOnce, stretched, stretchedRead, peak, slowest } = counts;
      const deep = (read + refused) / files;
      lines.set(
        reader,
        `${reader}: ${files} files, ${read} read, ${refused} rejected, ${atOnce} rejected by the first ` +
          `check (${
            (100 * deep).toFixed(0)
          } % get past it); of ${stretched} valid but extreme ones ` +
          `${stretchedRead} read; peak ${peak.toFixed(0)} MB, slowest ` +
          `${(slowest / 1000).toFixed(1)} s`,
      );
      if (deep < MIN_DEEP) {
        faults.push(`${reader}: ${(100 * deep).toFixed(0)} % get past its first check`);
      }
    }
  };
  await Promise.all([work(), work()]);
  for (const reader of readers) say(lines.get(reader)!);
  return faults;
}
