/**
 * Reads files of one reader, spoiled ones and valid ones that are extreme, and prints a line of JSON for each: a process of
 * its own, since it may crash, hang, or take all memory. Arguments: the reader, a folder, the first seed, the seed after
 * the last.
 *
 * @module
 */
import { VindkitError } from "../../src/api/errors.ts";
import { randomNumbers } from "../frames/_random.ts";
import { fuzzReaders, rareMutation } from "./_fuzz_readers.ts";
import { stretchFile } from "./_stretches.ts";

/** One of so many files is not spoiled, but valid and larger than any real one. */
const STRETCHED = 8;

/** What came of a spoiled file. */
export interface FuzzResult {
  readonly seed: number;
  readonly outcome: "read" | "refused" | "refused at once" | "untyped";
  /** Whether it is a valid file that was made wide, long or sparse. */
  readonly stretched: boolean;
  /** The message of the error, or its beginning. */
  readonly message: string;
  /** How many characters the whole has. */
  readonly length: number;
  /** Most memory that the process ever had, MB. */
  readonly peak: number;
  /** Time it took, ms. */
  readonly time: number;
}

const [name, folder, first, end] = Deno.args;
const { bases, firstCheck } = fuzzReaders[name];
const good = await bases();

/** Most memory so far, MB. */
function readPeak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))![1]) / 1024;
}

for (const { file, bytes, read } of good) {
  await Deno.writeFile(`${folder}/${file}`, bytes);
  await read(`${folder}/${file}`); // otherwise every file spoiled from it would be refused for another reason
}

for (let seed = Number(first); seed < Number(end); seed++) {
  const random = randomNumbers(seed);
  const { file, bytes, mutations, read } = good[seed % good.length];
  const mutate = random(40) === 0 ? rareMutation : mutations[random(mutations.length)];
  const path = `${folder}/${file}`;
  const own = new Uint8Array(bytes); // a slice of a Buffer is no copy
  const turn = Math.floor(seed / good.length) % STRETCHED;
  const stretched = turn === 0 ? stretchFile(file, own, random) : undefined;
  await Deno.writeFile(path, stretched ?? await mutate(own, random));
  const started = performance.now();
  let outcome: FuzzResult["outcome"] = "read";
  let message = "";
  try {
    await read(path);
  } catch (error) {
    message = String((error as Error)?.message ?? error);
    outcome = !(error instanceof VindkitError)
      ? "untyped"
      : firstCheck.test(message)
      ? "refused at once"
      : "refused";
    if (outcome === "untyped") message = `${(error as Error)?.stack ?? message}`;
  }
  const time = performance.now() - started;
  const result: FuzzResult = {
    seed,
    outcome,
    stretched: stretched !== undefined,
    message: message.slice(0, 600),
    length: message.length,
    peak: readPeak(),
    time,
  };
  console.log(JSON.stringify(result));
}
