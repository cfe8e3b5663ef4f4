import { DataFormatError } from "../../api/errors.ts";
import { concat, type Parts } from "./zmtp_socket.ts";

/** Content of a message of the Jupyter protocol. */
export type Content = Readonly<Record<string, unknown>>;

/** A message of the Jupyter protocol (https://jupyter-client.readthedocs.io/en/stable/messaging.html). */
export interface KernelMessage {
  /** Its identifier. */
  readonly id: string;
  /** Its type, such as `execute_reply`. */
  readonly type: string;
  /** Identifier of the request that it answers; "" if there is none. */
  readonly parent: string;
  /** Fields that depend on the type. */
  readonly content: Content;
  /** Additional fields, such as a mark of the sender. */
  readonly metadata: Content;
  /** Length, bytes. */
  readonly size: number;
}

const DELIMITER = "<IDS|MSG>";
const VERSION = "5.3";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const encode = (value: unknown) => encoder.encode(JSON.stringify(value));

/** Header, parent, metadata and content of a message; empty if there is none. */
function bodyOf(parts: Parts): Parts {
  const start = parts.findIndex((part) => decoder.decode(part) === DELIMITER);
  return start < 0 ? [] : parts.slice(start + 2, start + 6);
}

/** Parts before a message: its recipient or topic. */
function addressOf(parts: Parts): Parts {
  return parts.slice(0, Math.max(parts.findIndex((part) => decoder.decode(part) === DELIMITER), 0));
}

/** Signs and checks messages with the key of a connection, by HMAC with SHA-256. */
export class MessageSigner {
  readonly #key: CryptoKey;
  readonly #session = crypto.randomUUID();

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  /** Creates the signer for the key of a connection. */
  static async of(key: string): Promise<MessageSigner> {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    return new MessageSigner(
      await crypto.subtle.importKey("raw", encoder.encode(key), algorithm, false, [
        "sign",
        "verify",
      ]),
    );
  }

  /** Builds the header of a message. */
  #build(type: string) {
    const id = crypto.randomUUID();
    const header = {
      msg_id: id,
      session: this.#session,
      username: "vindkit",
      date: Temporal.Now.instant().toString(),
      msg_type: type,
      version: VERSION,
    };
    return { id, header };
  }

  /**
   * Builds and signs a request.
   *
   * @param type Message type, such as `execute_request`
   * @returns Its identifier, and its parts to send
   */
  async request(type: string, content: Content): Promise<{ id: string; parts: Parts }> {
    const { id, header } = this.#build(type);
    return { id, parts: await this.#sign([header, {}, {}, content].map(encode)) };
  }

  /**
   * Builds and signs the reply to a request.
   *
   * @param parts The received request, checked by {@linkcode read}
   */
  async reply(parts: Parts, content: Content): Promise<Parts> {
    const parent = JSON.parse(decoder.decode(bodyOf(parts)[0]));
    const { header } = this.#build(parent.msg_type.replace("_request", "_reply"));
    return await this.#sign([header, parent, {}, content].map(encode));
  }

  /**
   * Builds and signs an output for the same request as another output.
   *
   * @param type Message type, such as `error`
   * @param parts That output as received, checked by {@linkcode read}
   */
  async publish(type: string, parts: Parts, content: Content): Promise<Parts> {
    const { header } = this.#build(type);
    const [, parent] = bodyOf(parts);
    const body = [encode(header), parent, encode({}), encode(content)];
    return [...addressOf(parts), ...await this.#sign(body)];
  }

  /**
   * Replaces the content of a message, and signs it again.
   *
   * @param parts The received message, checked by {@linkcode read}
   */
  async replaceContent(parts: Parts, content: Content): Promise<Parts> {
    const body = [...bodyOf(parts).slice(0, 3), encode(content)];
    return [...addressOf(parts), ...await this.#sign(body)];
  }

  async #sign(body: Parts): Promise<Parts> {
    const signature = await crypto.subtle.sign("HMAC", this.#key, concat(body));
    const hex = new Uint8Array(signature).toHex();
    return [encoder.encode(DELIMITER), encoder.encode(hex), ...body];
  }

  /**
   * Reads a message and checks its signature.
   *
   * @param parts The received parts
   * @throws {DataFormatError} If it is not signed with the key of the connection
   */
  async read(parts: Parts): Promise<KernelMessage> {
    const body = bodyOf(parts);
    const signature = decoder.decode(parts[parts.indexOf(body[0]) - 1]);
    const signed = /^[0-9a-f]{64}$/.test(signature) && body.length === 4 &&
      await crypto.subtle.verify("HMAC", this.#key, Uint8Array.fromHex(signature), concat(body));
    if (!signed) {
      throw new DataFormatError(
        "Cannot read a message from the kernel: its signature is wrong. Restart the kernel",
      );
    }
    const [header, parent, metadata, content] = body.map((part) =>
      JSON.parse(decoder.decode(part))
    );
    const size = body.reduce((sum, { length }) => sum + length, 0);
    const { msg_id: id, msg_type: type } = header;
    return { id, type, parent: parent.msg_id ?? "", metadata, content, size };
  }
}
