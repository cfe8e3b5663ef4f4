import type { DataFrame } from "nodejs-polars";
import { NoDataError } from "../../api/errors.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import { type Call, checkCall, type ParameterValues } from "../../api/operations/request_path.ts";
import { SideFile } from "../../disk/side_file.ts";
import { type CallOptions, resolveConnection } from "../connection/default_connection.ts";
import { prepareDownloadsFolder, refuseDisk } from "../../disk/private_path.ts";
import { type Body, readWhole, storedBody } from "../http/body.ts";
import { buildExcerpt } from "../http/redaction.ts";
import {
  type Answer,
  type AnswerFacts,
  fetchAndRead,
  type ReadAnswer,
} from "../http/fetch_answer.ts";
import type { BodyCache, CacheEntry } from "./body_cache.ts";
import {
  assertLocked,
  assertOnline,
  buildEntry,
  buildStoredFacts,
  describeChange,
  type Judge,
  listFetchNotes,
  lockFacts,
  lockNoData,
  type Plan,
  planCall,
  UNFRAMED,
} from "./plan.ts";

/** The value that was read from a body, and the facts about the answer. */
export interface AnswerValue<T> {
  /** Facts about the answer, or the stored body. */
  readonly facts: AnswerFacts;
  /** Result of the body's reader. */
  readonly value: T;
}

/** A received body, which is removed afterwards unless the cache stores it. */
interface Receipt<T> {
  /** Its value. */
  use(url: string): Promise<T>;
  /** Says how it differs from the locked body; `undefined` if that is not in the cache. */
  describeChange?(): Promise<string | undefined>;
  /** Stores it; returns the problems, in sentences. */
  store(cache: BodyCache, entry: CacheEntry, value: T): Promise<readonly string[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Target of bodies: a value read on the fly, or a file. */
interface Sink<T> {
  /** Uses a stored body; `undefined` if it is missing or was altered. */
  take(
    cache: BodyCache,
    stored: CacheEntry,
    facts: AnswerFacts,
  ): Promise<{ readonly value: T } | undefined>;
  /** Receives a body. */
  receive(body: Body, url: string, plan: Plan): Promise<Receipt<T>>;
}

const formatProblem = (problem: string) => `not stored in the cache: ${problem}`;

/** Uses a stored body; `undefined` if it must be fetched. */
async function takeStored<T>(plan: Plan, sink: Sink<T>): Promise<AnswerValue<T> | undefined> {
  const { cache, stored } = plan;
  if (cache && stored && plan.mode !== "refresh") {
    const facts = buildStoredFacts(stored, plan);
    const taken = await sink.take(cache, stored, facts);
    if (taken) return { facts: await lockFacts(plan, facts), ...taken };
  }
  assertOnline(plan);
}

/** Uses a received body, then stores it if there is a cache. A body that cannot be read is not stored. */
async function keep<T>(
  plan: Plan,
  received: AnswerFacts,
  receipt: Receipt<T>,
): Promise<AnswerValue<T>> {
  const { cache, connection: { place } } = plan;
  const isRevised = plan.locked && plan.locked.sha256 !== received.sha256;
  await assertLocked(plan, received, isRevised ? await receipt.describeChange?.() : undefined);
  const value = await receipt.use(received.url);
  const problems = !cache
    ? []
    : received.framed
    ? await receipt.store(cache, buildEntry(place, received), value)
    : [formatProblem(UNFRAMED)];
  const notes = [...received.notes ?? [], ...problems];
  return { facts: await lockFacts(plan, { ...received, notes }, problems), value };
}

/** Gets the body of a call, from the cache if it is known to be valid, else from the service. */
async function obtain<T>(
  call: Call,
  options: CallOptions,
  sink: Sink<T>,
  judge?: Judge,
): Promise<AnswerValue<T>> {
  const plan = await planCall(call, options, judge);
  const stored = await takeStored(plan, sink);
  if (stored) return stored;
  let receipt: Receipt<T> | undefined;
  try {
    const { facts } = await fetchAndRead(plan.connection, call, options, async (body, url) => {
      await receipt?.[Symbol.asyncDispose](); // an earlier try failed
      receipt = await sink.receive(body, url, plan);
    });
    return await keep(plan, { ...facts, notes: listFetchNotes(plan) }, receipt!);
  } catch (error) {
    if (error instanceof NoDataError) await lockNoData(plan, error);
    throw error;
  } finally {
    await receipt?.[Symbol.asyncDispose]();
  }
}

/** Writes a body to the cache while it is read. A disk that is full or read-only does not stop the call. */
class BodyWriter {
  readonly #cache: BodyCache;
  #file: SideFile | undefined;
  #problem: string | undefined;

  private constructor(cache: BodyCache, file: SideFile | undefined, problem?: string) {
    this.#cache = cache;
    this.#file = file;
    this.#problem = problem;
  }

  /** Begins to write a body. */
  static async begin(cache: BodyCache): Promise<BodyWriter> {
    try {
      return new BodyWriter(cache, await cache.createFile());
    } catch (error) {
      return new BodyWriter(cache, undefined, (error as Error).message);
    }
  }

  /** Passes the parts on and writes each. */
  async *pass(
    parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const part of parts) {
      await this.#try((file) => file.write(part));
      yield part;
    }
  }

  /**
   * Stores the body that was written.
   *
   * @returns Why it could not be stored; `undefined` if it was
   */
  async store(entry: CacheEntry): Promise<string | undefined> {
    await this.#try((file) => this.#cache.store(entry, file));
    return this.#problem;
  }

  /** Removes a body that was not stored. */
  async [Symbol.asyncDispose](): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.[Symbol.asyncDispose]();
  }

  async #try(act: (file: SideFile) => Promise<void>): Promise<void> {
    if (!this.#file) return;
    try {
      await act(this.#file);
    } catch (error) {
      this.#problem = (error as Error).message;
      await this[Symbol.asyncDispose]();
    }
  }
}

/** Stores a value next to its body, to read it faster the next time. */
interface ValueStore<T> {
  load(cache: BodyCache, stored: CacheEntry): Promise<T | undefined>;
  save(cache: BodyCache, entry: CacheEntry, value: T): Promise<void>;
}

/** Reads bodies while they arrive. */
function readAs<T>(read: ReadAnswer<T>, form?: ValueStore<T>): Sink<T> {
  const take: Sink<T>["take"] = async (cache, stored, { headers, url }) => {
    const ready = await form?.load(cache, stored);
    if (ready !== undefined) return { value: ready };
    const bytes = await cache.readBytes(stored);
    if (!bytes) return undefined;
    return { value: await read(storedBody(bytes, headers), url) };
  };
  return {
    take,
    receive: async (body, url, plan) => {
      const { cache, stored } = plan;
      const writer = cache && await BodyWriter.begin(cache);
      const dispose = async () => await writer?.[Symbol.asyncDispose]();
      const parts = writer ? writer.pass(body.parts) : body.parts;
      const value = await read({ ...body, parts }, url).catch(async (error) => {
        await dispose();
        throw error;
      });
      return {
        use: () => Promise.resolve(value),
        describeChange: async () => {
          const earlier = stored && await take(cache!, stored, buildStoredFacts(stored, plan));
          return earlier && describeChange([earlier.value, value], plan);
        },
        store: async (cache, entry) => {
          const problem = await writer!.store(entry);
          if (problem) return [formatProblem(problem)];
          return await form?.save(cache, entry, value).then(() => [], (error) => [
            `stored in the cache only as text: ${(error as Error).message}`,
          ]) ?? [];
        },
        [Symbol.asyncDispose]: dispose,
      };
    },
  };
}

/** Reads the whole body of a call, from the cache or the service. A body that cannot be read is not stored. */
export async function obtainWhole<T>(
  id: OperationId,
  values: ParameterValues,
  options: CallOptions,
  read: (answer: Answer) => T,
): Promise<AnswerValue<T>> {
  const call = checkCall(id, values);
  const excerpt = buildExcerpt(call, resolveConnection(options));
  const sink = readAs(async (body, url) =>
    read({ operation: call.operation, url, excerpt, bytes: await readWhole(body, url) })
  );
  return await obtain(call, options, sink);
}

/** Stores a frame as Parquet next to its body. */
const parquet: ValueStore<DataFrame> = {
  load: (cache, stored) => cache.readFrame(stored),
  save: (cache, entry, frame) => cache.storeFrame(entry, frame),
};

/**
 * Reads the body of a call as a frame, from the cache or the service.
 *
 * @param how `judge` decides whether a stored body is still valid; by default none is used. `otherwise`: whether
 * the caller's names or zone differ from the defaults; then no frame is stored or used
 */
export async function obtainFrame(
  id: OperationId,
  values: ParameterValues,
  options: CallOptions,
  read: ReadAnswer<DataFrame>,
  { judge, otherwise = false }: { judge?: Judge; otherwise?: boolean } = {},
): Promise<AnswerValue<DataFrame>> {
  const call = checkCall(id, values);
  return otherwise
    ? await obtain(call, options, readAs(read))
    : await obtain(call, options, readAs(read, parquet), judge);
}

/** Uses the file of a body. */
export type UseFile<T> = (path: string, url: string) => Promise<T>;

/** A file that can be moved to its final path. */
interface MovableFile {
  /** Moves it to a path in one step. */
  commit(path: string): Promise<void>;
  [Symbol.asyncDispose]?(): Promise<void>;
}

/** Writes a body of any size to a temporary file. */
async function spoolBody(body: Body, pathPrefix: string): Promise<SideFile> {
  let file: SideFile | undefined;
  try {
    file = await SideFile.create(pathPrefix);
    for await (const part of body.parts) await file.write(part).catch(refuseDisk);
    return file;
  } catch (error) {
    await file?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** A file as a received body. */
function fileReceipt<T>(file: MovableFile, path: string, use: UseFile<T>): Receipt<T> {
  return {
    use: (url) => use(path, url),
    store: (cache, entry) =>
      cache.store(entry, file).then(() => [], (error) => [formatProblem((error as Error).message)]),
    [Symbol.asyncDispose]: async () => await file[Symbol.asyncDispose]?.(),
  };
}

/** Bodies of any size, which are used as files. */
function fileSink<T>(
  use: UseFile<T>,
  assertWhole: (path: string, url: string, deadline: number) => Promise<void> = async () => {},
): Sink<T> {
  return {
    take: async (cache, stored, { url }) => {
      const path = await cache.findPath(stored);
      return path === undefined ? undefined : { value: await use(path, url) };
    },
    receive: async (body, url, { connection }) => {
      const pathPrefix = `${await prepareDownloadsFolder(connection.home)}/direct`;
      const file = await spoolBody(body, pathPrefix);
      try {
        if (!body.framed) await assertWhole(file.path, url, body.deadline);
        return fileReceipt(file, file.path, use);
      } catch (error) {
        await file[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

/**
 * Uses a stored body as a file, if the cache has it and it is known to be valid.
 *
 * @returns `undefined` if it must be fetched
 * @throws {NotCachedError} If the cache is used offline and does not have it
 */
export async function useStoredFile<T>(
  id: OperationId,
  values: ParameterValues,
  options: CallOptions,
  use: UseFile<T>,
  judge: Judge,
): Promise<AnswerValue<T> | undefined> {
  const call = checkCall(id, values);
  return await takeStored(await planCall(call, options, judge), fileSink(use));
}

/** Uses a file that was just received, then stores it if there is a cache. */
export async function useAndStore<T>(
  file: MovableFile,
  path: string,
  received: AnswerFacts,
  options: CallOptions,
  use: UseFile<T>,
): Promise<AnswerValue<T>> {
  return await keep(await planCall(received, options), received, fileReceipt(file, path, use));
}

/**
 * Uses a body as a file: from the cache if it is known to be valid, else from the service. Memory stays small whatever
 * its size.
 *
 * @param use Uses the file, which is removed afterwards unless the cache stores it
 * @param assertWhole Checks that a file without a stated length is complete
 */
export async function obtainFile<T>(
  id: OperationId,
  values: ParameterValues,
  options: CallOptions,
  use: UseFile<T>,
  judge: Judge,
  assertWhole: (path: string, url: string, deadline: number) => Promise<void>,
): Promise<AnswerValue<T>> {
  const call = checkCall(id, values);
  return await obtain(call, options, fileSink(use, assertWhole), judge);
}
