import type { ExtremeResult } from "./_extreme_child.ts";
import { type FileCase, fileCases } from "./_extreme_files.ts";
import {
  prepareSample,
  runServiceCase,
  type ServiceCase,
  serviceCases,
} from "./_extreme_service.ts";

/** Heap of a process, MB. */
const HEAP = 512;

/**
 * Writable memory of a process, kB. `ulimit -v` does not help, because V8 reserves 50 GB of addresses and uses a
 * hundredth.
 */
const DATA = 2_500_000;

/** File descriptors of a process that reads. */
const FILES = 256;

/** Longest message, characters. */
const MAX_MESSAGE = 1000;

/** Longest time without answers, s: for another licence, and for all after the readers have left. */
const MAX_SILENCE = 1;

/** Reads a file through a door in a process with little memory; returns a text if the process was killed. */
async function readFile(path: string, door: string): Promise<ExtremeResult | string> {
  const child = new URL("./_extreme_child.ts", import.meta.url).pathname;
  const words = ["run", "--quiet", "--no-check", "--allow-all"];
  const { code, signal, stdout, stderr } = await new Deno.Command("bash", {
    args: [
      "-c",
      `ulimit -c 0; ulimit -n ${FILES}; ulimit -d ${DATA}; exec timeout -s KILL 300 "$0" "$@"`,
      Deno.execPath(),
      ...words,
      `--v8-flags=--max-old-space-size=${HEAP}`,
      child,
      door,
      path,
    ],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (code === 0) return JSON.parse(decode(stdout));
  const [last = ""] = /^.*(?:Fatal|memory allocation|panicked).*$/m.exec(decode(stderr)) ?? [];
  return `ended by ${signal ?? `code ${code}`} ${last}`;
}

/** Lists the deviations of a result from its declaration. */
function findFaults(
  result: ExtremeResult,
  wanted: number | RegExp,
  { seconds, megabytes }: FileCase,
) {
  const { read, refused, raw } = result;
  return [
    ...(raw === undefined ? [] : [`a raw error: ${raw.slice(0, 300)}`]),
    ...(typeof wanted === "number" && raw === undefined && read !== wanted
      ? [
        `${wanted} are there; ${read === undefined ? refused?.slice(0, 300) : `${read} were read`}`,
      ]
      : []),
    ...(typeof wanted !== "number" && raw === undefined && !wanted.test(refused ?? "")
      ? [
        `${wanted} is expected; ${
          read === undefined ? refused?.slice(0, 300) : `${read} were read`
        }`,
      ]
      : []),
    ...((refused?.length ?? 0) < MAX_MESSAGE ? [] : [`a message of ${refused!.length} characters`]),
    ...(result.seconds <= seconds ? [] : [`${result.seconds.toFixed(1)} s, more than ${seconds}`]),
    ...(result.megabytes <= megabytes
      ? []
      : [`${result.megabytes.toFixed(0)} MB, more than ${megabytes}`]),
  ];
}

/** Reads the file of a case through all of its doors. */
async function readCase(
  one: FileCase,
  folder: string,
  say: (line: string) => void,
): Promise<string[]> {
  const path = `${folder}/${one.file}`;
  await one.write(path);
  const faults: string[] = [];
  say(`${one.name} (at most ${one.seconds} s, ${one.megabytes} MB)`);
  for (const [door, wanted] of Object.entries(one.doors)) {
    const result = await readFile(path, door);
    const problems = typeof result === "string" ? [result] : findFaults(result, wanted, one);
    faults.push(...problems.map((fault) => `${one.name}, ${door}: ${fault}`));
    say(`  ${door}: ${typeof result === "string" ? result : formatResult(result, wanted)}`);
  }
  await Deno.remove(path);
  return faults;
}

function formatResult(
  { read, refused, raw, seconds, megabytes }: ExtremeResult,
  wanted: number | RegExp,
): string {
  const outcome = raw !== undefined
    ? "a raw error"
    : read === undefined
    ? `rejected in ${refused!.length} characters`
    : wanted === 1
    ? "recognized"
    : `read ${read}`;
  return `${outcome}, ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`;
}

/** Runs a case of the service once. */
async function serveCase(
  one: ServiceCase,
  sample: Awaited<ReturnType<typeof prepareSample>>,
  say: (line: string) => void,
): Promise<string[]> {
  const { statuses, calls, silence, p99, again, code, lines, panicked } = await runServiceCase(
    one,
    sample,
  );
  const counts = Object.entries(statuses).map(([status, count]) =>
    `${count} x ${status === "0" ? "no answer" : status}`
  ).join(", ");
  const others = one.others
    ? `${calls} calls of another licence, none rejected after ${silence.toFixed(2)} s, p99 ${
      p99.toFixed(1)
    } ms`
    : "no connection left for others";
  say(
    `  ${counts}; ${others}; all answered again after ${
      again.toFixed(3)
    } s; exit code ${code}, ${lines} log lines`,
  );
  return [
    ...(code === 0 && !panicked ? [] : [`it ended with ${code}${panicked ? ", a panic" : ""}`]),
    ...(one.halfOpen > 0 || statuses[503] > 0 && statuses[200] > 0 ? [] : [`answers ${counts}`]),
    ...(one.halfOpen > 0 || one.atOnce > FILES / 4 || !statuses[0]
      ? []
      : [`${statuses[0]} not answered`]),
    ...(!one.others || silence <= MAX_SILENCE
      ? []
      : [`another licence is refused for ${silence.toFixed(1)} s`]),
    ...(again <= MAX_SILENCE ? [] : [`answered again after ${again.toFixed(1)} s`]),
  ].map((fault) => `${one.name}: ${fault}`);
}

/**
 * Reads valid but extreme files through the doors of users in processes of 512 MB and 256 file descriptors. Each must
 * be read right, or rejected with a message of Vindkit, within its declared bounds. Then clients take all file
 * descriptors of a service.
 *
 * @param rounds How often each case of the service is run
 * @param say Prints the results
 * @param advance Called after each round
 * @returns Kills, wrong results, raw errors and broken bounds, in words
 */
export async function extremes(
  rounds: number,
  say: (line: string) => void,
  advance: (by?: number) => void,
): Promise<string[]> {
  const faults: string[] = [];
  const folder = await Deno.makeTempDir();
  for (const one of fileCases) faults.push(...await readCase(one, folder, say));
  await Deno.remove(folder, { recursive: true });
  const sample = await prepareSample();
  const lines = new Map(serviceCases.map(({ name }) => [name, [] as string[]]));
  for (let round = 0; round < rounds; round++) {
    for (const one of serviceCases) {
      faults.push(...await serveCase(one, sample, (line) => lines.get(one.name)!.push(line)));
    }
    advance();
  }
  for (const [name, results] of lines) [name, ...results].forEach(say);
  await Deno.remove(sample.folder, { recursive: true });
  return faults;
}
