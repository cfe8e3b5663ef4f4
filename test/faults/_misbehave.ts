import type { BodyAct, CutAct, FaultAct, RangeAct, StallAct, TrickleAct } from "./_fault.ts";
import { type HonestAnswer, readBytes, readParts } from "./_honest_answer.ts";
import type { AnswerWriter } from "./_exchange.ts";
import { formatContentRange, readByteRange } from "../../src/service/responses/http_headers.ts";

/** A request, and the way to the service. */
interface Incoming {
  readonly headers: Headers;
  /** Sends the request to the service, with other headers if given. */
  ask(headers?: Headers): Promise<HonestAnswer>;
}

/** Sends the service's answer unchanged. */
async function sendHonest(honest: HonestAnswer, out: AnswerWriter): Promise<void> {
  await out.head(honest.status, honest.headers, honest.length);
  for await (const part of readParts(honest.body)) await out.bytes(part);
}

async function stall(honest: HonestAnswer, { where }: StallAct, out: AnswerWriter): Promise<void> {
  if (where === "body") {
    await out.head(honest.status, honest.headers, honest.length);
    const half = Math.floor(honest.length / 2);
    for await (const part of readParts(honest.body, half)) await out.bytes(part);
  }
  await out.silence();
}

async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(compressed).bytes();
}

async function cut(honest: HonestAnswer, act: CutAct, out: AnswerWriter): Promise<void> {
  const { framing, at = 0.5 } = act;
  const { status, headers, length, body } = honest;
  if (framing === "gzip") {
    const compressed = await gzip(await readBytes(body));
    const sent = Math.floor(compressed.length * at);
    headers.set("content-encoding", "gzip");
    await out.head(status, headers, sent);
    return await out.bytes(compressed.subarray(0, sent));
  }
  const count = Math.floor(length * at);
  const promised = Math.max(length, count + 1); // always more than is sent
  if (framing === "chunked") {
    headers.set("transfer-encoding", "chunked");
    await out.head(status, headers, null);
    await out.text(`${promised.toString(16)}\r\n`);
  } else await out.head(status, headers, framing === "length" ? promised : null);
  for await (const part of readParts(body, count)) await out.bytes(part);
}

async function replaceBody(honest: HonestAnswer, act: BodyAct, out: AnswerWriter): Promise<void> {
  const honestBytes = await readBytes(honest.body);
  const body = typeof act.body === "function" ? await act.body(honestBytes) : act.body;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  for (const [name, value] of Object.entries(act.headers ?? {})) honest.headers.set(name, value);
  await out.head(act.status ?? honest.status, honest.headers, bytes.length);
  await out.bytes(bytes);
}

async function trickle(honest: HonestAnswer, act: TrickleAct, out: AnswerWriter): Promise<void> {
  await out.head(honest.status, honest.headers, honest.length);
  let first = true;
  for await (const part of readParts(honest.body)) {
    for (let from = 0; from < part.length; from += act.bytes) {
      if (!first) await out.pause(act.milliseconds);
      first = false;
      await out.bytes(part.subarray(from, from + act.bytes));
    }
  }
}

/** Removes the client's range, so the service answers with the whole. */
function removeRange(headers: Headers): Headers {
  const otherHeaders = new Headers(headers);
  for (const name of ["range", "if-range", "if-none-match"]) otherHeaders.delete(name);
  return otherHeaders;
}

async function answerRangeWrongly(
  whole: HonestAnswer,
  { how }: RangeAct,
  requested: string | null,
  out: AnswerWriter,
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
    const range = readByteRange(requested, length);
    const { from, to } = typeof range === "object" ? range : { from: 0, to: length };
    // Part and `Content-Range` agree with each other, not with the request: off by one is the hardest to notice.
    part = { from: from > 0 ? from - 1 : Math.min(1, to - 1), to };
  }
  headers.set("content-range", formatContentRange(part, length));
  await out.head(206, headers, part.to - part.from);
  await out.bytes((await readBytes(body, part.to)).subarray(part.from));
}

/** Sends the service's answer, changed by the act. */
async function sendWithFault(
  honest: HonestAnswer,
  act: FaultAct | undefined,
  incoming: Incoming,
  out: AnswerWriter,
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
      return await answerRangeWrongly(honest, act, incoming.headers.get("range"), out);
    default:
      return await sendHonest(honest, out);
  }
}

/** Answers a request, correctly or with a fault. */
export async function sendAnswer(
  act: FaultAct | undefined,
  incoming: Incoming,
  out: AnswerWriter,
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
  const honest = await incoming.ask(act?.kind === "range" ? removeRange(headers) : headers);
  try {
    await sendWithFault(honest, act, incoming, out);
  } finally {
    await honest.body.cancel().catch(() => {}); // the unread rest; errors are already reported
  }
}
