import type { DataFrame } from "nodejs-polars";
import { NoDataError } from "../../api/errors.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import { operationOf } from "../../api/operations/operations.ts";
import { type Call, checkCall, type ParameterValues } from "../../api/operations/request_path.ts";
import { type CallOptions, resolveConnection } from "../connection/default_connection.ts";
import {
  type Answer,
  type AnswerFacts,
  fetchAndRead,
  type ReadAnswer,
} from "../http/fetch_answer.ts";
import { readWhole } from "../http/body.ts";
import { buildExcerpt } from "../http/excerpt.ts";
import type { BodyCache } from "./body_cache.ts";
import {
  assertOnline,
  buildEntry,
  buildStoredFacts,
  type Judge,
  listFetchNotes,
  lockFacts,
  lockNoData,
  type Plan,
  planCall,
  UNFRAMED,
} from "./plan.ts";
import type { SideFile } from "../../disk/side_file.ts";
import type { CacheEntry } from "./cache_entry.ts";

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

/** The value that was read from a body, and the facts about the answer. */
export interface AnswerValue<T> {
  /** Facts about the answer, or the stored body. */
  readonly facts: AnswerFacts;
  /** What the reader of the body returned. */
  readonly value: T;
}

/** How a value is stored beside its body, so that it is read faster the next time. */
interface ValueStore<T> {
  load(cache: BodyCache, plan: Plan): Promise<T | undefined>;
  /** Returns why it could not be stored; `undefined` if it was. */
  save(cache: BodyCache, facts: AnswerFacts, place: string, value: T): Promise<string | undefined>;
}

/** Reads the body of a call, from the cache if it is known to be valid, else from the service. */
async function obtain<T>(
  call: Call,
  options: CallOptions,
  read: ReadAnswer<T>,
  judge?: Judge,
  form?: ValueStore<T>,
): Promise<AnswerValue<T>> {
  const plan = await planCall(call, options, judge);
  const { cache, connection } = plan;
  const stored = cache && await readStoredValue(plan, cache, read, form);
  if (stored) return { ...stored, facts: await lockFacts(plan, stored.facts) };
  assertOnline(plan);
  let keeper: BodyWriter | undefined;
  try {
    const { facts, value } = await fetchAndRead(connection, call, options, async (body, url) => {
      await keeper?.[Symbol.asyncDispose](); // an earlier try failed
      keeper = cache && await BodyWriter.begin(cache);
      return await read(keeper ? { ...body, parts: keeper.pass(body.parts) } : body, url);
    });
    const problems: string[] = [];
    if (cache && keeper) {
      const problem = facts.framed
        ? await keeper.store(buildEntry(connection.place, facts))
        : UNFRAMED;
      if (problem) problems.push(`not stored in the cache: ${problem}`);
      else {
        const slow = await form?.save(cache, facts, connection.place, value);
        if (slow) problems.push(`stored in the cache as text only: ${slow}`);
      }
    }
    const notes = [...listFetchNotes(plan), ...problems];
    return { facts: await lockFacts(plan, { ...facts, notes }, problems), value };
  } catch (error) {
    if (error instanceof NoDataError) await lockNoData(plan, error);
    throw error;
  } finally {
    await keeper?.[Symbol.asyncDispose]();
  }
}

async function readStoredValue<T>(
  plan: Plan,
  cache: BodyCache,
  read: ReadAnswer<T>,
  form?: ValueStore<T>,
): Promise<AnswerValue<T> | undefined> {
  if (!plan.stored) return undefined;
  const facts = buildStoredFacts(plan.stored, plan);
  const ready = await form?.load(cache, plan);
  if (ready !== undefined) return { facts, value: ready };
  const bytes = await cache.readBytes(plan.stored);
  if (!bytes) return undefined;
  const parts = ReadableStream.from([bytes as Uint8Array<ArrayBuffer>]);
  const { headers, url } = facts;
  const body = { status: 200, headers, framed: true, parts, deadline: Infinity };
  const value = await read(body, url);
  return { facts, value };
}

/** Reads the whole body of a call, from the cache or the service. A body that cannot be read is not stored. */
export async function obtainWhole<T>(
  id: OperationId,
  values: ParameterValues,
  options: CallOptions,
  read: (answer: Answer) => T,
): Promise<AnswerValue<T>> {
  const call = checkCall(operationOf(id), values);
  const excerpt = buildExcerpt(call, resolveConnection(options));
  return await obtain(call, options, async (body, url) => {
    return read({ operation: call.operation, url, excerpt, bytes: await readWhole(body, url) });
  });
}

/** Stores a frame as Parquet beside its body. */
const parquet: ValueStore<DataFrame> = {
  load: (cache, { stored }) => cache.readFrame(stored!),
  save: async (cache, facts, place, frame) => {
    return await cache.storeFrame(buildEntry(place, facts), frame)
      .then(() => undefined, (error) => (error as Error).message);
  },
};

/**
 * Reads the body of a call as a frame, from the cache or the service.
 *
 * @param how `judge` decides whether a stored body is still valid, by default it is not used; `otherwise`: whether
 * the caller's names or zone differ from the defaults, in which case no frame is stored or used
 */
export async function obtainFrame(
  id: OperationId,
  values: ParameterValues,
  options: CallOptions,
  read: ReadAnswer<DataFrame>,
  { judge, otherwise = false }: { judge?: Judge; otherwise?: boolean } = {},
): Promise<AnswerValue<DataFrame>> {
  const call = checkCall(operationOf(id), values);
  return otherwise
    ? await obtain(call, options, read)
    : await obtain(call, options, read, judge, parquet);
}
