import type { DataFrame } from "nodejs-polars";
import type { OperationId } from "../../api/operations/operation.ts";
import { operationOf } from "../../api/operations/operations.ts";
import { type Call, checkCall, type ParameterValues } from "../../api/operations/request_path.ts";
import { type CallOptions, connectionOf } from "../connection/default_connection.ts";
import { type Answer, askFor, type Facts, type ReadAnswer } from "../http/ask.ts";
import { readWhole } from "../http/body.ts";
import { excerptOf } from "../http/excerpt.ts";
import type { BodyCache } from "./body_cache.ts";
import { Keeper } from "./keeper.ts";
import {
  assertLocked,
  assertOnline,
  entryOf,
  factsOf,
  type Judge,
  notesOfFetch,
  type Plan,
  planOf,
  recordBody,
  UNFRAMED,
} from "./plan.ts";

/** A body made into something, and what is known of it. */
export interface Obtained<T> {
  /** What is known of the body. */
  readonly facts: Facts;
  /** What was made of it. */
  readonly value: T;
}

/** How the value of a body is kept beside it, so that the next reading is a short one. */
interface Form<T> {
  load(cache: BodyCache, plan: Plan): Promise<T | undefined>;
  /** Gives why it could not be kept, if so. */
  save(cache: BodyCache, facts: Facts, place: string, value: T): Promise<string | undefined>;
}

/** Reads the body of a call, from the cache where it is known to be right, else from the service. */
async function obtain<T>(
  call: Call,
  options: CallOptions,
  read: ReadAnswer<T>,
  judge?: Judge,
  form?: Form<T>,
): Promise<Obtained<T>> {
  const plan = await planOf(call, options, judge);
  const { cache, connection } = plan;
  const kept = cache && await keptValue(plan, cache, read, form);
  if (kept) {
    await recordBody(plan, kept.facts);
    return kept;
  }
  assertOnline(plan);
  let keeper: Keeper | undefined;
  try {
    const { facts, value } = await askFor(connection, call, options, async (body, url) => {
      await keeper?.[Symbol.asyncDispose](); // of a try that failed
      keeper = cache && await Keeper.begin(cache);
      return await read(keeper ? { ...body, parts: keeper.pass(body.parts) } : body, url);
    });
    const notes = [...notesOfFetch(plan)];
    if (cache && keeper) {
      const problem = facts.framed ? await keeper.keep(entryOf(connection.place, facts)) : UNFRAMED;
      if (problem) notes.push(`not kept in the cache: ${problem}`);
      else {
        const slow = await form?.save(cache, facts, connection.place, value);
        if (slow) notes.push(`kept in the cache as text only: ${slow}`);
      }
    }
    assertLocked(plan, facts);
    await recordBody(plan, facts);
    return { facts: { ...facts, notes }, value };
  } finally {
    await keeper?.[Symbol.asyncDispose]();
  }
}

async function keptValue<T>(
  plan: Plan,
  cache: BodyCache,
  read: ReadAnswer<T>,
  form?: Form<T>,
): Promise<Obtained<T> | undefined> {
  if (!plan.stored) return undefined;
  const facts = factsOf(plan.stored, plan);
  const ready = await form?.load(cache, plan);
  if (ready !== undefined) return { facts, value: ready };
  const bytes = await cache.bytes(plan.stored);
  if (!bytes) return undefined;
  const parts = ReadableStream.from([bytes as Uint8Array<ArrayBuffer>]);
  const { headers, url } = facts;
  const body = { status: 200, headers, framed: true, parts, deadline: Infinity };
  const value = await read(body, url);
  return { facts, value };
}

/**
 * What is made of the body of a call as a whole. A body of which nothing can be made is not kept.
 *
 * @param id The operation
 * @param values Its parameters by wire name
 * @param options Connection and signal, use of the cache
 * @param make Makes something of the answer
 */
export async function obtainWhole<T>(
  id: OperationId,
  values: ParameterValues,
  options: CallOptions,
  make: (answer: Answer) => T,
): Promise<Obtained<T>> {
  const call = checkCall(operationOf(id), values);
  const excerpt = excerptOf(call, connectionOf(options));
  return await obtain(call, options, async (body, url) => {
    return make({ operation: call.operation, url, excerpt, bytes: await readWhole(body, url) });
  });
}

/** Keeps a frame as Parquet beside the body it was made of. */
const parquet: Form<DataFrame> = {
  load: (cache, { stored }) => cache.frame(stored!),
  save: async (cache, facts, place, frame) => {
    return await cache.keepFrame(entryOf(place, facts), frame)
      .then(() => undefined, (error) => (error as Error).message);
  },
};

/**
 * The frame that is made of the body of a call.
 *
 * @param id The operation
 * @param values Its parameters by wire name
 * @param options Connection and signal, use of the cache
 * @param read Makes the frame
 * @param judge Says whether a kept body is right still. @default it is not known to be
 */
export async function obtainFrame(
  id: OperationId,
  values: ParameterValues,
  options: CallOptions,
  read: ReadAnswer<DataFrame>,
  judge?: Judge,
): Promise<Obtained<DataFrame>> {
  return await obtain(checkCall(operationOf(id), values), options, read, judge, parquet);
}
