import { byteRange, contentRange } from "../service/responses/byte_range.ts";
import type { BodyAct, CutAct, FaultAct, RangeAct, StallAct, TrickleAct } from "./fault.ts";
import { bytesOf, type HonestAnswer, partsOf } from "./honest_answer.ts";
import type { Outgoing } from "./outgoing.ts";

/** A request that is to be answered. */
interface Incoming {
  readonly headers: Headers;
  /** Asks the service, with other headers where such are given. */
  ask(headers?: Headers): Promise<HonestAnswer>;
}

/** Sends an answer as the service gave it. */
async function sendHonest(honest: HonestAnswer, out: Outgoing): Promise<void> {
  await out.head(honest.status, honest.headers, honest.length);
  for await (const part of partsOf(honest.body)) await out.bytes(part);
}

async function stall(honest: HonestAnswer, { where }: StallAct, out: Outgoing): Promise<void> {
  if (where === "body") {
    await out.head(honest.status, honest.headers, honest.length);
    const half = Math.floor(honest.length / 2);
    for await (const part of partsOf(honest.body, half)) await out.bytes(part);
  }
  await out.silence();
}

async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(compressed).bytes();
}

async function cut(honest: HonestAnswer, act: CutAct, out: Outgoing): Promise<void> {
  const { framing, at = 0.5 } = act;
  const { status, headers, length, body } = honest;
  if (framing === "gzip") {
    const compressed = await gzip(await bytesOf(body));
    const sent = Math.floor(compressed.length * at);
    headers.set("content-encoding", "gzip");
    await out.head(status, headers, sent);
    return await out.bytes(compressed.subarray(0, sent));
  }
  const count = Math.floor(length * at);
  const promised = Math.max(length, count + 1); // more than is sent, also where all of it is
  if (framing === "chunked") {
    headers.set("transfer-encoding", "chunked");
    await out.head(status, headers, null);
    await out.text(`${promised.toString(16)}\r\n`);
  } else await out.head(status, headers, framing === "length" ? promised : null);
  for await (const part of partsOf(body, count)) await out.bytes(part);
}

async function replaceBody(honest: HonestAnswer, act: BodyAct, out: Outgoing): Promise<void> {
  const own = await bytesOf(honest.body);
  const body = typeof act.body === "function" ? await act.body(own) : act.body;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  for (const [name, value] of Object.entries(act.headers ?? {})) honest.headers.set(name, value);
  await out.head(act.status ?? honest.status, honest.headers, bytes.length);
  await out.bytes(bytes);
}

async function trickle(honest: HonestAnswer, act: TrickleAct, out: Outgoing): Promise<void> {
  await out.head(honest.status, honest.headers, honest.length);
  let first = true;
  for await (const part of partsOf(honest.body)) {
    for (let from = 0; from < part.length; from += act.bytes) {
      if (!first) await out.pause(act.milliseconds);
      first = false;
      await out.bytes(part.subarray(from, from + act.bytes));
    }
  }
}

/** A client's own range is left out, so that the answer is the whole. */
function withoutRange(headers: Headers): Headers {
  const rest = new Headers(headers);
  for (const name of ["range", "if-range", "if-none-match"]) rest.delete(name);
  return rest;
}

async function misrange(
  whole: HonestAnswer,
  { how }: RangeAct,
  asked: string | null,
  out: Outgoing,
): Promise<void> {
  const { headers, length, body } = whole;
  if (whole.status !== 200 || length === 0 || how === "ignore") return await sendHonest(whole, out);
  if (how === "changed") {
    headers.set("etag", '"another-file"');
    return await sendHonest(whole, out);
  }
  if (how === "unsatisfiable") {
    headers.set("content-range", `bytes */${length}`);
    return await out.head(416, headers, 0);
  }
  let part = { from: 0, to: Math.ceil(length / 2) };
  if (how === "wrong_offset") {
    const range = byteRange(asked, length);
    const { from, to } = typeof range === "object" ? range : { from: 0, to: length };
    // Part and `Content-Range` fit each other, not the request: off by one is the hardest to see.
    part = { from: from > 0 ? from - 1 : Math.min(1, to - 1), to };
  }
  headers.set("content-range", contentRange(part, length));
  await out.head(206, headers, part.to - part.from);
  await out.bytes((await bytesOf(body, part.to)).subarray(part.from));
}

/** What is done with the service's own answer. */
async function spoil(
  honest: HonestAnswer,
  act: FaultAct | undefined,
  incoming: Incoming,
  out: Outgoing,
): Promise<void> {
  switch (act?.kind) {
    case "lose_answer":
      return;
    case "stall":
      return await stall(honest, act, out);
    case "cut":
      return await cut(honest, act, out);
    case "body":
      return await replaceBody(honest, act, out);
    case "slow":
      await out.pause(act.milliseconds);
      return await sendHonest(honest, out);
    case "trickle":
      return await trickle(honest, act, out);
    case "range":
      return await misrange(honest, act, incoming.headers.get("range"), out);
    default:
      return await sendHonest(honest, out);
  }
}

/**
 * Answers a request, honestly or not.
 *
 * @param act What is to happen to it
 * @param incoming The request
 * @param out Where the answer goes
 */
export async function answer(
  act: FaultAct | undefined,
  incoming: Incoming,
  out: Outgoing,
): Promise<void> {
  if (act?.kind === "reset") return;
  if (act?.kind === "status") {
    const body = new TextEncoder().encode(act.body ?? "");
    await out.head(act.status, new Headers(act.headers), body.length);
    return await out.bytes(body);
  }
  if (act?.kind === "redirect") {
    return await out.head(act.status ?? 302, new Headers({ location: act.to }), 0);
  }
  const { headers } = incoming;
  const honest = await incoming.ask(act?.kind === "range" ? withoutRange(headers) : headers);
  try {
    await spoil(honest, act, incoming, out);
  } finally {
    await honest.body.cancel().catch(() => {}); // what was left of it; an error was told where it was read
  }
}
