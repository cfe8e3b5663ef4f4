import { ConfigurationError, NoDataError } from "../../api/errors.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import { operationOf } from "../../api/operations/operations.ts";
import { checkCall, type ParameterValues } from "../../api/operations/request_path.ts";
import { SideFile } from "../../disk/side_file.ts";
import type { CallOptions } from "../connection/default_connection.ts";
import { prepareDownloadsFolder } from "../connection/downloads_folder.ts";
import { type AnswerFacts, fetchAndRead } from "../http/fetch_answer.ts";
import type { Body } from "../http/body.ts";
import type { AnswerValue } from "./obtain.ts";
import {
  assertLocked,
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

/** Uses the file of a body. */
export type UseFile<T> = (path: string, url: string) => Promise<T>;

/** A file that can be moved to its final path. */
interface MovableFile {
  /** Moves it to a path in one step. */
  commit(path: string): Promise<void>;
}

/** Writes a body of any size to a temporary file. */
async function spoolBody(body: Body, beside: string): Promise<SideFile> {
  let file: SideFile | undefined;
  try {
    file = await SideFile.create(beside);
    for await (const part of body.parts) await file.write(part).catch(refuseDisk);
    return file;
  } catch (error) {
    await file?.[Symbol.asyncDispose]();
    throw error;
  }

  function refuseDisk(cause: unknown): never {
    throw new ConfigurationError(`Cannot save a download: ${(cause as Error).message}`, {
      cause,
      hint: "Make room on the disk, or let VINDKIT_HOME name a folder on another one",
    });
  }
}

async function usePlannedFile<T>(plan: Plan, use: UseFile<T>): Promise<AnswerValue<T> | undefined> {
  const { cache, stored } = plan;
  const path = stored && await cache!.findPath(stored);
  if (!path) {
    assertOnline(plan);
    return undefined;
  }
  const facts = await lockFacts(plan, buildStoredFacts(stored, plan));
  return { facts, value: await use(path, facts.url) };
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
  return await usePlannedFile(
    await planCall(checkCall(operationOf(id), values), options, judge),
    use,
  );
}

/** Uses a file that was just received, then stores it if there is a cache. */
export async function useAndStore<T>(
  file: MovableFile,
  path: string,
  received: AnswerFacts,
  options: CallOptions,
  use: UseFile<T>,
): Promise<AnswerValue<T>> {
  const plan = await planCall(received, options);
  const { cache, connection } = plan;
  assertLocked(plan, received);
  const value = await use(path, received.url); // a file that cannot be read is not stored
  const problems: string[] = [];
  if (cache && received.framed) {
    await cache.store(buildEntry(connection.place, received), file)
      .catch((error) => void problems.push(`not stored in the cache: ${(error as Error).message}`));
  } else if (cache) problems.push(`not stored in the cache: ${UNFRAMED}`);
  const notes = [...received.notes ?? [], ...problems];
  return { facts: await lockFacts(plan, { ...received, notes }, problems), value };
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
  const call = checkCall(operationOf(id), values);
  const plan = await planCall(call, options, judge);
  const stored = await usePlannedFile(plan, use);
  if (stored) return stored;
  const beside = `${await prepareDownloadsFolder(plan.connection.home)}/direct`;
  const answer = await fetchAndRead(plan.connection, call, options, async (body, url) => {
    const file = await spoolBody(body, beside);
    try {
      if (!body.framed) await assertWhole(file.path, url, body.deadline);
      return file;
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }).catch(async (error) => {
    if (error instanceof NoDataError) await lockNoData(plan, error);
    throw error;
  });
  await using file = answer.value;
  const facts = { ...answer.facts, notes: listFetchNotes(plan) };
  return await useAndStore(file, file.path, facts, options, use);
}
