import pl from "nodejs-polars";
import type { WindIndicesRow } from "../../api/columns/month_columns.ts";
import { formatCount, formatSigned } from "../../show/text/numbers.ts";
import { sha256 } from "../../disk/hashes.ts";
import { DataChangedError, NoDataError, NotCachedError } from "../../api/errors.ts";
import { FIGURE_HEADERS } from "../../api/world.ts";
import type { Call } from "../../api/operations/request_path.ts";
import type { LockedBody } from "../connection/data_lock.ts";
import type { Connection } from "../connection/connection.ts";
import { type CallOptions, resolveConnection } from "../connection/default_connection.ts";
import { type AnswerFacts, findFetchTime } from "../http/fetch_answer.ts";
import { buildExcerpt, redactUrl } from "../http/redaction.ts";
import { assertCacheMode, type CacheMode } from "../connection/settings.ts";
import { BodyCache, type CacheEntry } from "./body_cache.ts";

/** Decides whether a stored body is known to be valid, with a note for the readers of its figures. */
export type Judge = (
  entry: CacheEntry,
  cache: BodyCache,
) => Promise<{ readonly reuse: boolean; readonly note?: string }>;

/** Headers that describe a body and are stored with it. */
const storedHeaders = ["content-type", ...FIGURE_HEADERS];

/** Source of a call's body. */
export interface Plan {
  readonly call: Call;
  readonly connection: Connection;
  /** Cache of bodies; `undefined` if none is used. */
  readonly cache: BodyCache | undefined;
  /** How the cache is used. */
  readonly mode: CacheMode | undefined;
  /** The body that the data lock has for this call. */
  readonly locked: LockedBody | undefined;
  /** A stored body to use instead of a request; with `refresh` the locked one, to compare the answer with. */
  readonly stored: CacheEntry | undefined;
  /** Notes for a reader of the figures. */
  readonly notes: readonly string[];
}

/**
 * Decides where the body of a call comes from: the body that the data lock names, a stored one, or the service.
 *
 * @param judge Decides whether a stored body is still valid. @default a stored body is not used
 * @throws {NoDataError} If the service had no data when the lock was written
 */
export async function planCall(
  call: Call,
  options: CallOptions,
  judge?: Judge,
): Promise<Plan> {
  const { operation: { id }, parameters } = call;
  const connection = resolveConnection(options);
  const { lock, place } = connection;
  const mode = options.cache ?? connection.cache;
  assertCacheMode(mode);
  const cache = mode !== undefined || lock ? await BodyCache.open(connection.home) : undefined;
  const locked = lock?.find(id, parameters);
  const base = { call, connection, cache, mode, locked };
  if (!cache || mode === "refresh" && !locked) return { ...base, stored: undefined, notes: [] };
  const entry = await cache.findEntry(place, id, parameters, locked?.sha256);
  if (locked?.no_data !== undefined && mode !== "refresh") {
    throw new NoDataError(locked.no_data, { operation: id });
  }
  if (locked) return { ...base, stored: entry, notes: [] };
  if (mode === "only") return { ...base, stored: entry, notes: entry ? ["from the cache"] : [] };
  const verdict = entry && mode === "use" && judge ? await judge(entry, cache) : { reuse: false };
  const notes = verdict.note ? [verdict.note] : [];
  return { ...base, stored: verdict.reuse ? entry : undefined, notes };
}

/** Reason not to store a body without a stated length. */
export const UNFRAMED = "it did not state its length, so a truncation would go unnoticed";

/** Lists the notes for the readers of fetched figures. */
export function listFetchNotes({ stored, notes }: Plan): readonly string[] {
  return stored ? ["the stored body was missing or altered, so it was fetched again"] : notes;
}

/** Refuses a request while the cache is used offline. */
export function assertOnline({ mode, call, locked }: Plan): void {
  if (mode !== "only") return;
  const { operation: { id }, parameters } = call;
  const shown = `${id}(${Object.values(parameters).join(", ")})`;
  throw new NotCachedError(
    `Cannot get ${shown} offline: the cache ${
      locked
        ? "lacks the answer that the data lock names, or its copy was altered"
        : "does not have this answer"
    }`,
    { operation: id, hint: 'Run the same call once with { cache: "use" }' },
  );
}

/** Reads the index of each month of an answer; empty if it has none. */
function readIndexByMonth(answer: unknown): Map<string, number> {
  const rows: Partial<WindIndicesRow>[] = pl.DataFrame.isDataFrame(answer)
    ? answer.toRecords()
    : [Object(answer)];
  return new Map(
    rows.flatMap(({ year, month, month_index }) =>
      typeof month_index === "number"
        ? [[Temporal.PlainYearMonth.from({ year: year!, month: month! }).toString(), month_index]]
        : []
    ),
  );
}

/** Describes how many months' indices changed between two answers, and which month changed most. */
export function describeChange(
  answers: readonly [before: unknown, now: unknown],
  { call: { parameters } }: Pick<Plan, "call">,
): string {
  const [before, now] = answers.map(readIndexByMonth);
  if (before.size + now.size === 0) {
    return "the size of the change is unknown, because the answer has no index";
  }
  const changes = [...before].filter(([month, index]) => now.get(month) !== index)
    .map(([month, index]) => ({ month, index, by: (now.get(month) ?? Infinity) - index }))
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
  const added = [...now.keys()].filter((month) => !before.has(month)).length;
  const counted = `the index of ${changes.length} of ${
    formatCount(before.size, "month")
  } of ${parameters.turbine_id} changed`;
  const [largest] = changes;
  return [
    !largest
      ? counted
      : largest.by === Infinity
      ? `${counted}, and the answer now lacks the index of ${largest.month}`
      : `${counted}; the largest change is ${largest.month}, by ${
        formatSigned(largest.by, 2)
      } percentage points`,
    ...added > 0 ? [`the service added ${formatCount(added, "month")}`] : [],
  ].join("; ");
}

/**
 * Refuses a body that differs from the one in the data lock.
 *
 * @param change How it differs, if the earlier body could be read
 */
export async function assertLocked(
  { locked, connection }: Pick<Plan, "locked" | "connection">,
  { sha256, operation, url }: AnswerFacts,
  change?: string,
): Promise<void> {
  if (!locked || locked.sha256 === sha256) return;
  const lock = connection.lock!;
  throw new DataChangedError(
    `Cannot use the answer of ${url}: it differs from the answer of ${locked.fetched_at} that ${lock.path} recorded (${
      locked.no_data !== undefined ? "the service had no data then" : change ??
        "the size of the change is unknown, because the recorded answer is not in the cache"
    })`,
    {
      operation: operation.id,
      url,
      hint: `To accept the new answer, delete the entry of the recorded answer (at line ${await lock
        .findLine(locked)} of the lock file) and call again. To keep the recorded answer, ${
        change
          ? 'call without cache: "refresh"'
          : 'copy the folder "cache" in VINDKIT_HOME from the machine that ran the analysis'
      }`,
    },
  );
}

/** Builds the entry that the cache stores for an answer. */
export function buildEntry(place: string, facts: AnswerFacts): CacheEntry {
  const headers = storedHeaders.map((name) => [name, facts.headers.get(name)] as const)
    .filter((header): header is [string, string] => header[1] !== null);
  return {
    place,
    operation: facts.operation.id,
    parameters: facts.parameters,
    sha256: facts.sha256,
    fetched_at: facts.fetchedAt,
    headers: Object.fromEntries(headers),
  };
}

/** Note for readers of locked figures. */
const LOCKED = "fixed by a data lock";

/**
 * Compares a body with the data lock, or records it. With a lock the facts are the same in every run: they have the
 * time of the lock and no note about the cache.
 *
 * @param problems Why a later run without the service would fail
 * @returns The facts, unchanged if there is no lock
 */
export async function lockFacts(
  { connection, locked }: Plan,
  facts: AnswerFacts,
  problems: readonly string[] = [],
): Promise<AnswerFacts> {
  const { lock, place } = connection;
  if (!lock) return facts;
  const recorded = locked ?? await lock.record(buildEntry(place, facts));
  await assertLocked({ connection, locked: recorded }, facts);
  return { ...facts, fetchedAt: recorded.fetched_at, notes: [LOCKED, ...problems] };
}

/** Records in the data lock that the service has no data, so a run without the service has the same result. */
export async function lockNoData(
  { connection, call, locked }: Plan,
  { message }: NoDataError,
): Promise<void> {
  if (locked) return;
  await connection.lock?.record({
    operation: call.operation.id,
    parameters: call.parameters,
    sha256: sha256(new Uint8Array()),
    fetched_at: findFetchTime(connection.target),
    no_data: message,
  });
}

/** Builds the facts about a stored body. */
export function buildStoredFacts(entry: CacheEntry, plan: Plan): AnswerFacts {
  const { connection, call, notes } = plan;
  return {
    ...call,
    url: redactUrl(connection.baseUrl + call.path),
    headers: new Headers(entry.headers),
    fetchedAt: entry.fetched_at,
    sha256: entry.sha256,
    framed: true,
    excerpt: buildExcerpt(call, connection),
    notes,
  };
}
