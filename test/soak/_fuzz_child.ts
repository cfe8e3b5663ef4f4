/**
 * Reads damaged files and valid but extreme ones by one reader, and prints a line of JSON for each. It is a separate
 * process, because it may crash, hang or use all memory. Arguments: reader, folder, first seed, seed after the last.
 *
 * @module
 */
import { VindkitError } from "../../src/api/errors.ts";
import { randomNumbers } from "../frames/_random.ts";
import { fuzzReaders, rareMutation } from "./_fuzz_readers.ts";
import { stretchFile } from "./_stretches.ts";

/** One in this many files is valid, but larger than any real one. */
const STRETCHED = 8;

/** Result of a file. */
export interface FuzzResult {
  readonly seed: number;
  readonly outcome: "read" | "refused" | "refused at once" | "untyped";
  /** Whether it is a valid file that was made wide, long or sparse. */
  readonly stretched: boolean;
  /** The message of the error, or its beginning. */
  readonly message: string;
  /** Length of the whole message, characters. */
  readonly length: number;
  /** Peak memory of the process, MB. */
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
  await read(`${folder}/${file}`); // a base that fails would make all its mutations fail for the same reason
}

for (let seed = Number(first); seed < Number(end); seed++) {
  const random = randomNumbers(seed);
  const { file, bytes, mutations, read } = good[seed % good.length];
  const mutate = random(40) === 0 ? rareMutation : mutations[random(mutations.length)];
  const path = `${folder}/${file}`;
  const copy = new Uint8Array(bytes); // copies, unlike a slice of a Buffer
  const turn = Math.floor(seed / good.length) % STRETCHED;
  const stretched = turn === 0 ? stretchFile(file, copy, random) : undefined;
  await Deno.writeFile(path, stretched ?? await mutate(copy, random));
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
