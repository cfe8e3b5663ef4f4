import { STATUS_CODE } from "@std/http/status";
import {
  DataFormatError,
  errorOfMeaning,
  type Meaning,
  NetworkError,
  ServiceError,
  type VindkitError,
} from "../../api/errors.ts";
import type { Operation, OperationId } from "../../api/operations/operation.ts";
import { errorOfStatus } from "../../api/operations/operation_errors.ts";
import type { Call } from "../../api/operations/request_path.ts";
import { SAMPLE_TIME, type World } from "../../api/world.ts";
import { Sha256 } from "../../disk/hashes.ts";
import { startProgress } from "../../show/progress.ts";
import { type Body, limitParts, parseJson, readStart, readWhole, SizeLimitError } from "./body.ts";
import {
  assertNoKey,
  assertNoKeyInHeaders,
  assertNoPage,
  buildExcerpt,
  type Excerpt,
  PageError,
  redactUrl,
} from "./redaction.ts";
import { sendWithRetries } from "./retries.ts";
import type { Transport } from "./transport.ts";

/** Remedies by meaning; the others depend on the operation, see findRemedy(). */
const remedies: Readonly<Partial<Record<Meaning, string>>> = {
  licence_expired:
    "Check VINDKIT_KEY. While the licence is valid, requestApiKey() issues a new key; otherwise renew " +
    "the licence with the provider of the service",
  invalid_user: "Check the serial number and the e-mail address",
  invalid_file_type: "Use zipcsv, csv or zipraw",
  too_many_requests: "Wait, then request less at once",
  invalid_argument: "Correct the argument",
};

/** The owner of the data in each world, as messages name it. */
const OWNERS: Readonly<Record<World, string>> = {
  sample: "the sample",
  own: "your data",
  live: "the licence",
};

/** Remedies if there is no data for a name, a place or a period. */
function findRemedy({ id: operation, parameters }: Operation, world: World): string {
  const has = (name: string) => parameters.some((parameter) => parameter.name === name);
  if (has("order_id")) return "orders() lists the orders placed from this computer";
  if (has("period")) return "reportMonths() lists the months with a report";
  if (has("lat")) return `datasets() and coverage() list what ${OWNERS[world]} has`;
  if (!has("turbine_id")) return `Check what ${OWNERS[world]} has`;
  return operation === "turbine_details"
    ? `turbines() lists what ${OWNERS[world]} has`
    : `turbines() lists what ${OWNERS[world]} has, and turbineDetails() shows which data are ready`;
}

/** The explanation in a body: the `detail` of a problem document or the beginning of a text; empty for a web page. */
function readDetail(headers: Headers, bytes: Uint8Array, excerpt: Excerpt): string {
  if (/json/.test(headers.get("content-type") ?? "")) {
    // The status decides, never the body.
    const value = parseJson(new TextDecoder().decode(bytes)) as { detail?: unknown } | null;
    if (typeof value?.detail !== "string") return "";
    return excerpt(new TextEncoder().encode(value.detail));
  }
  const plain = excerpt(bytes);
  return plain.startsWith("<") ? "" : plain;
}

/**
 * Builds the error for an answer without success: the status decides, by the contract of the operation.
 *
 * @param url Address, without secrets
 * @param world World of the service: one in this process has no address to show
 */
export function buildAnswerError(
  operation: Operation,
  answer: { readonly status: number; readonly headers: Headers; readonly start: Uint8Array },
  url: string,
  excerpt: Excerpt,
  world: World,
): VindkitError {
  const { status, headers, start } = answer;
  const facts = { operation: operation.id, status, url };
  const from = world === "live" ? url : OWNERS[world];
  const declared = errorOfStatus(operation, status);
  const detail = readDetail(headers, start, excerpt);
  if (!declared) {
    const suffix = detail ? ` (${detail})` : "";
    return new ServiceError(
      `Cannot get ${
        operation.id.replaceAll("_", " ")
      } from ${from}: the service answered ${status}${suffix}`,
      { ...facts, hint: status < 500 ? "Check the address of the service" : "Try again later" },
    );
  }
  const reason = formatReason(detail, declared.condition, world);
  const hint = reason.endsWith("?")
    ? undefined // the reason ends with a suggestion
    : remedies[declared.meaning] ?? findRemedy(operation, world);
  return new errorOfMeaning[declared.meaning](
    `Cannot get ${operation.id.replaceAll("_", " ")} from ${from}: ${reason}${
      world === "live" ? ` (${status})` : ""
    }`,
    { ...facts, code: declared.meaning, hint },
  );
}

/** The reason of a refusal: the documented condition first for a live service, only the detail in this process. */
function formatReason(detail: string, condition: string, world: World): string {
  if (!detail) return condition;
  const namesCondition = detail.startsWith(condition);
  if (world === "live") return namesCondition ? detail : `${condition}: ${detail}`;
  return namesCondition ? detail.slice(condition.length).replace(/^: /, "") || condition : detail;
}

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
  /** Notes for a reader of its figures, such as that they come from the cache. */
  readonly notes?: readonly string[];
}

/** A successful answer with its whole body in memory. */
export interface Answer extends Pick<AnswerFacts, "operation" | "url" | "excerpt"> {
  /** The body, decompressed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads the body of a successful answer; called again for each try. */
export type ReadAnswer<T> = (body: Body, url: string) => Promise<T>;

/** Options for sending a call. */
export interface SendOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
  /** Deadline of the outer request, on the clock of `performance.now()`; a nested request does not wait for a slot. */
  within?: number;
  /** Called when a request is sent. */
  onSend?: () => void;
  /** Whether the call shows no progress because its caller already does. @default {false} */
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

/** Passes parts on and shows each to an observer. */
async function* observeParts(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  observe: (part: Uint8Array) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const part of parts) {
    observe(part);
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
      const counted = observeParts(bounded, ({ length }) => {
        received += length;
        progress.advance(length);
      });
      const hash = new Sha256();
      const pages = assertNoPage(counted, operation, url, excerpt);
      const keyless = id === "api_key" ? pages : assertNoKey(pages, transport, url);
      const parts = observeParts(keyless, (part) => hash.update(part));
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

/** The present time; for the sample a fixed time, since its figures never change. */
export function findFetchTime(target: World): string {
  return target === "sample" ? SAMPLE_TIME : Temporal.Now.instant().toString();
}

/** A body without a stated length that cannot be read may be truncated: then a retry helps. */
function markAsCut(error: unknown, url: string): unknown {
  const final = error instanceof PageError || error instanceof SizeLimitError;
  if (!(error instanceof DataFormatError) || final) return error;
  return new NetworkError(
    `${error.message}. The answer did not state its length and may be truncated`,
    {
      url,
      hint: "Try again later",
      cause: error,
    },
  );
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
