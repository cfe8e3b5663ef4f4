import { STATUS_CODE } from "@std/http/status";
import { SAMPLE_TIME, type World } from "../../api/world.ts";
import { DataFormatError, NetworkError } from "../../api/errors.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import type { Call } from "../../api/operations/request_path.ts";
import { Sha256 } from "../../disk/hashes.ts";
import { startProgress } from "../../show/progress.ts";
import { sendWithRetries } from "./retries.ts";
import { type Body, readStart, readWhole } from "./body.ts";
import { buildAnswerError } from "./answer_error.ts";
import { assertNoPage, buildExcerpt, type Excerpt, PageError } from "./excerpt.ts";
import { assertNoKey, assertNoKeyInHeaders } from "./no_key.ts";
import { redactUrl } from "./redact_url.ts";
import { limitParts, SizeLimitError } from "./size_limit.ts";
import type { Transport } from "./transport.ts";

/** Operations that change something: a second request could place a second order or issue a second key. */
const unsafeOperations: readonly OperationId[] = ["place_order", "api_key"];

/** Facts about a successful answer, without its body. */
export interface AnswerFacts extends Call {
  /** Address, without secrets. */
  readonly url: string;
  readonly headers: Headers;
  /** When the whole answer was received, ISO 8601 UTC. */
  readonly fetchedAt: string;
  /** SHA-256 of the body, hexadecimal. */
  readonly sha256: string;
  /** Whether a truncated body would have been noticed. */
  readonly framed: boolean;
  /** Quotes the beginning of a body for a message, without secrets. */
  readonly excerpt: Excerpt;
  /** What a reader of its figures should know, such as that they come from the cache. */
  readonly notes?: readonly string[];
}

/** A successful answer with its whole body in memory. */
export interface Answer extends Pick<AnswerFacts, "operation" | "url" | "excerpt"> {
  /** The body, decompressed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads the body of a successful answer; called again for each try. */
export type ReadAnswer<T> = (body: Body, url: string) => Promise<T>;

/** How a call is sent. */
export interface SendOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
  /** Deadline of the outer request, on the clock of `performance.now()`; a nested request does not wait for its turn. */
  within?: number;
  /** Called when a request is sent. */
  onSend?: () => void;
  /** Whether it shows no progress, since the caller does. @default {false} */
  quiet?: boolean;
}

interface BodyResult<T> {
  readonly value: T;
  readonly sha256: string;
  readonly framed: boolean;
}

/** The beginning of the body of an error answer. */
interface ErrorStart {
  readonly start: Uint8Array;
}

/** Passes parts on and reports the length of each. */
async function* countParts(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const part of parts) {
    count(part.length);
    yield part;
  }
}

/** Passes parts on and adds each to a hash. */
async function* hashParts(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  hash: Sha256,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
}

/**
 * Calls an operation of the service.
 *
 * @throws {VindkitError} The class that the status means in this operation, or a timeout or network error
 */
export async function fetchAndRead<T>(
  transport: Transport,
  call: Call,
  options: SendOptions,
  read: ReadAnswer<T>,
): Promise<{ facts: AnswerFacts; value: T }> {
  const { operation } = call;
  const { id } = operation;
  const address = transport.baseUrl + call.path;
  const url = redactUrl(address);
  const excerpt = buildExcerpt(call, transport);
  const { signal, within, onSend, quiet = within !== undefined } = options;
  using progress = startProgress(id, { unit: "bytes", silent: quiet || !transport.progress });
  let received = 0;
  const { status, headers, value: result } = await sendWithRetries(
    transport,
    { url: address, operation: id, safe: !unsafeOperations.includes(id), signal, within, onSend },
    async (body): Promise<BodyResult<T> | ErrorStart> => {
      if (body.status !== STATUS_CODE.OK) return { start: await readStart(body) };
      progress.advance(-received); // an earlier try failed
      received = 0;
      if (!body.headers.has("content-encoding")) {
        progress.total(Number(body.headers.get("content-length") ?? 0));
      }
      const bounded = limitParts(body, transport.maxDownload, url);
      const counted = countParts(bounded, (bytes) => {
        received += bytes;
        progress.advance(bytes);
      });
      const hash = new Sha256();
      const pages = assertNoPage(counted, operation, url, excerpt);
      const parts = hashParts(id === "api_key" ? pages : assertNoKey(pages, transport, url), hash);
      assertNoKeyInHeaders(body.headers, transport, url);
      const value = await read({ ...body, parts }, url).catch((error) => {
        throw body.framed ? error : markAsCut(error, url);
      });
      return { value, sha256: hash.hex(), framed: body.framed };
    },
  );
  if ("start" in result) {
    const answer = { status, headers, start: result.start };
    throw buildAnswerError(operation, answer, url, excerpt, transport.target);
  }
  const { sha256, framed } = result;
  const fetchedAt = findFetchTime(transport.target);
  const facts = { ...call, url, headers, fetchedAt, sha256, framed, excerpt };
  return { facts, value: result.value };
}

/** The present time; figures of the sample are of no time. */
export function findFetchTime(target: World): string {
  return target === "sample" ? SAMPLE_TIME : Temporal.Now.instant().toString();
}

/** A body without a stated length that cannot be read may be truncated: then a retry helps. */
function markAsCut(error: unknown, url: string): unknown {
  const final = error instanceof PageError || error instanceof SizeLimitError;
  if (!(error instanceof DataFormatError) || final) return error;
  return new NetworkError(`${error.message}. The answer came without a length, it may be cut`, {
    url,
    hint: "Try again later",
    cause: error,
  });
}

/** Calls an operation of the service and reads its whole body; see {@linkcode fetchAndRead}. */
export async function fetchAnswer(
  transport: Transport,
  call: Call,
  options: SendOptions,
): Promise<Answer & AnswerFacts> {
  const { facts, value: bytes } = await fetchAndRead(transport, call, options, readWhole);
  return { ...facts, bytes };
}
