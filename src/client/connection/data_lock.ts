import { delay } from "@std/async";
import { parse } from "@std/jsonc";
import { z } from "zod";
import { ConfigurationError } from "../../api/errors.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import { operations } from "../../api/operations/operations.ts";
import type { SentParameters } from "../../api/operations/request_path.ts";
import { writeAtomically } from "../../disk/side_file.ts";

/** A body that an analysis used: its hash, never its content. */
export interface LockedBody {
  /** Operation of the API. */
  readonly operation: OperationId;
  /** Parameters that were sent, by wire name. */
  readonly parameters: SentParameters;
  /** SHA-256 of the body, hexadecimal; of an empty body if the service had no data. */
  readonly sha256: string;
  /** When it was fetched, ISO 8601 UTC. */
  readonly fetched_at: string;
  /** Message of the error if the service had no data. */
  readonly no_data?: string | undefined;
}

/** Longest time that a write waits for further bodies, ms. */
const MAX_BATCH_WAIT = 100;

/** Version of the file's layout. */
const LAYOUT = 1;

/** SHA-256 of a body, hexadecimal. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Fields of a body in the files of lock and cache. */
export const bodyFields = {
  operation: z.enum(operations.map(({ id }) => id)),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
  sha256: hashSchema,
  fetched_at: z.string(),
};

const fileSchema = z.strictObject({
  vindkit_lock: z.literal(LAYOUT),
  service: z.string(),
  bodies: z.array(z.strictObject({ ...bodyFields, no_data: z.string().optional() })),
});

type LockFile = z.infer<typeof fileSchema>;

/** Why a lock was not written: a problem, or an error with a remedy. */
type Failure = string | ConfigurationError | undefined;

/** The bodies that an analysis used, in a file next to it. */
export class DataLock {
  /** Path of the file. */
  readonly path: string;
  readonly #place: string;
  readonly #bodies: Map<string, LockedBody>;
  #writing: Promise<Failure> = Promise.resolve(undefined);
  #next: Promise<Failure> | undefined;

  private constructor(path: string, place: string, bodies: readonly LockedBody[]) {
    this.path = path;
    this.#place = place;
    this.#bodies = new Map(
      bodies.map((body) => [buildCallKey(place, body.operation, body.parameters), body]),
    );
  }

  /**
   * Opens a lock; it is empty if there is no file yet.
   *
   * @throws {ConfigurationError} If the file is not a data lock, or belongs to another service
   */
  static async open(path: string, place: string): Promise<DataLock> {
    const absolute = path.startsWith("/") ? path : `${Deno.cwd()}/${path}`; // the folder may change
    const read = await readLock(absolute);
    if (!read) return new DataLock(absolute, place, []);
    if (read.service !== place) {
      throw new ConfigurationError(
        `Cannot use ${path}: it locks data of ${read.service}, but the connection is to ${place}`,
        { hint: "Connect to the place of the lock, or give another lock file" },
      );
    }
    const lock = new DataLock(absolute, place, read.bodies);
    if (lock.#bodies.size < read.bodies.length) {
      throw new ConfigurationError(`Cannot use ${path}: two of its entries record the same call`, {
        hint: "Two versions were probably merged. Restore one of them from version control",
      });
    }
    return lock;
  }

  /** All bodies, in an order that does not depend on which answer came first. */
  get bodies(): readonly LockedBody[] {
    return [...this.#bodies].sort(([a], [b]) => a < b ? -1 : 1).map(([, body]) => body);
  }

  /** The body that a call had when it was recorded. */
  find(operation: string, parameters: SentParameters): LockedBody | undefined {
    return this.#bodies.get(buildCallKey(this.#place, operation, parameters));
  }

  /** Number of a line in the entry of a body, for messages. */
  async findLine({ sha256, no_data }: LockedBody): Promise<number> {
    const lines = (await Deno.readTextFile(this.path)).split("\n");
    return lines.findIndex((line) => line.includes(JSON.stringify(no_data ?? sha256))) + 1;
  }

  /** Records the body of a call unless there is one; the file is on the disk when the promise resolves. */
  async record(
    { operation, parameters, sha256, fetched_at, no_data }: LockedBody,
  ): Promise<LockedBody> {
    const call = buildCallKey(this.#place, operation, parameters);
    // Copied, since a cache entry has more fields. If two calls fetched the same body at once, the first one stays.
    const body = this.#bodies.get(call) ??
      { operation, parameters, sha256, fetched_at, no_data };
    this.#bodies.set(call, body);
    // One write at a time: bodies that arrive meanwhile share the next one. It waits a little for more, since each write
    // is the whole file.
    this.#next ??= this.#writing.then(() => delay(Math.min(MAX_BATCH_WAIT, this.#bodies.size / 10)))
      .then(() => {
        this.#next = undefined;
        return this.#writing = this.#write();
      });
    const problem = await this.#next;
    if (problem === undefined) return body;
    if (problem instanceof ConfigurationError) throw problem;
    throw new ConfigurationError(`Cannot write the data lock ${this.path}: ${problem}`, {
      hint: "Give a path that this program may write to",
    });
  }

  /** Writes the file and returns the problem, if any. Bodies that another process recorded meanwhile stay. */
  async #write(): Promise<Failure> {
    let read: LockFile | undefined;
    try {
      read = await readLock(this.path);
    } catch (error) {
      return (error as Error).message; // another program changed the file: do not overwrite it
    }
    if (read && read.service !== this.#place) return `it now locks data of ${read.service}`;
    for (const body of read?.bodies ?? []) {
      const call = buildCallKey(this.#place, body.operation, body.parameters);
      if (!this.#bodies.has(call)) this.#bodies.set(call, body);
    }
    const content = { vindkit_lock: LAYOUT, service: this.#place, bodies: this.bodies };
    const bytes = new TextEncoder().encode(JSON.stringify(content, null, 2) + "\n");
    return await writeAtomically(this.path, bytes)
      .then(
        () => undefined,
        (error) => error instanceof ConfigurationError ? error : error.message,
      );
  }
}

/** Builds the key of a call: equal calls have equal keys. */
export function buildCallKey(
  place: string,
  operation: string,
  parameters: SentParameters,
): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify([place, operation, sorted]);
}

/** Reads a lock; `undefined` if there is no file. */
async function readLock(path: string): Promise<LockFile | undefined> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw new ConfigurationError(
      `Cannot read ${path}: ${
        (cause as Error).message
      }. Give the path of a file that this program may read`,
      { cause },
    );
  }
  try {
    return fileSchema.parse(parse(text)); // an entry that was deleted by hand may leave a comma
  } catch {
    // it is no data lock
  }
  throw new ConfigurationError(`Cannot read ${path}: it is not a data lock of this version`, {
    hint: "Restore the lock from version control, or delete the file to begin a new lock",
  });
}
