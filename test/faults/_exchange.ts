import { delay } from "@std/async";
import { isStatus, STATUS_TEXT } from "@std/http/status";
import { operations } from "../../src/api/operations/operations.ts";
import { ORDER_FILES } from "../../src/service/fulfilment/orders.ts";
import type { RequestKind } from "./_fault.ts";

/** A request that reached the service under test. */
export interface SeenRequest {
  /** Its target; `undefined` if the service has nothing at its path. */
  readonly operation: RequestKind | undefined;
  /** Path with query, as sent. */
  readonly path: string;
  /** Headers as received, including the key. */
  readonly headers: Headers;
  /** Sent status; `undefined` if none was sent yet. */
  readonly status: number | undefined;
}

/** Paths as patterns: a parameter is one segment, and the last slash is optional, as in the service. */
const patterns: readonly (readonly [RequestKind, RegExp])[] = [
  ...operations.map(({ id, path }) => [id, path] as const),
  ["order_file", `${ORDER_FILES}/{token}/{name}`] as const,
].map(([kind, path]) => [
  kind,
  new RegExp(`^${path.replace(/\/$/, "").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
]);

/** Target of a path; `undefined` if the service has nothing there. */
export function requestKindOf(pathname: string): RequestKind | undefined {
  return patterns.find(([, pattern]) => pattern.test(pathname))?.[0];
}

/** Answers that have no body and announce none. */
const WITHOUT_BODY = [204, 304];

/** Writes an answer byte by byte, unchanged even if it is not valid HTTP. */
export class AnswerWriter {
  readonly #connection: Deno.Conn;
  readonly #signal: AbortSignal;
  readonly #onStatus: (status: number) => void;

  /**
   * @param signal Aborted when the client leaves or this side closes the connection
   * @param onStatus Called when a status is sent
   */
  constructor(connection: Deno.Conn, signal: AbortSignal, onStatus: (status: number) => void) {
    this.#connection = connection;
    this.#signal = signal;
    this.#onStatus = onStatus;
  }

  /**
   * Sends status and headers; every answer is the last one of its connection.
   *
   * @param length Size of the body to announce, unless the headers state its framing; `null` announces none
   */
  async head(status: number, headers: Headers, length: number | null): Promise<void> {
    const all = new Headers(headers);
    const framed = all.has("content-length") || all.has("transfer-encoding");
    if (length !== null && !framed && !WITHOUT_BODY.includes(status)) {
      all.set("content-length", String(length));
    }
    all.set("connection", "close");
    const lines = [...all].map(([name, value]) => `${name}: ${value}\r\n`).join("");
    this.#onStatus(status);
    const phrase = isStatus(status) ? STATUS_TEXT[status] : "";
    await this.text(`HTTP/1.1 ${status} ${phrase}\r\n${lines}\r\n`);
  }

  /** Sends text; a character is a byte, as in headers. */
  async text(text: string): Promise<void> {
    await this.bytes(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  }

  /** Sends bytes. */
  async bytes(bytes: Uint8Array): Promise<void> {
    for (let sent = 0; sent < bytes.length;) {
      sent += await this.#connection.write(bytes.subarray(sent));
    }
  }

  /** Sends nothing for a time; ends early if the client leaves. */
  async pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, { signal: this.#signal });
  }

  /** Sends nothing more; settles when the client has left. */
  async silence(): Promise<void> {
    if (this.#signal.aborted) return;
    await new Promise((resolve) => this.#signal.addEventListener("abort", resolve, { once: true }));
  }
}
