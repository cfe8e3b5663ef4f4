import { concat } from "../wire/zmtp_socket.ts";
import { findDeno } from "../../disk/home.ts";
import { kill } from "../kernel/kernel_process.ts";

/** A position in a text: line and UTF-16 code unit, from 0. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Folder and configuration of the code that a language server knows. */
interface LanguageServerOptions {
  /** Address of the folder from which imports are resolved, with a slash at the end. */
  readonly folder: string;
  /** Address of its `deno.json`; "" for none. */
  readonly config: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: unknown;
}

/** Name of the document; no such file exists or is written. */
const DOCUMENT = "vindkit_notebook_cells.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Deno's language server (`deno lsp`) in a separate process. It knows the types and the documentation of every imported
 * name, and executes nothing.
 */
export class LanguageServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #settings: Readonly<Record<string, unknown>>;
  readonly #document: string;
  readonly #ready: Promise<unknown>;
  /** Resolves when the server has ended. */
  readonly ended: Promise<void>;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #last: Promise<unknown> = Promise.resolve();
  #requests = 0;
  #versions = 0;
  #ended = false;

  constructor({ folder, config }: LanguageServerOptions) {
    this.#child = new Deno.Command(findDeno(), {
      args: ["lsp"],
      env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#document = folder + DOCUMENT;
    this.#settings = {
      enable: true,
      ...(config === "" ? {} : { config }),
      documentPreloadLimit: 0, // do not load every file of the folder
      lint: false,
      suggest: { autoImports: false, imports: { autoDiscover: false } },
    };
    this.ended = this.#read();
    this.#ready = this.#request("initialize", {
      processId: Deno.pid,
      rootUri: folder,
      workspaceFolders: [{ uri: folder, name: "notebook" }],
      capabilities: { workspace: { configuration: true, workspaceFolders: true } },
      initializationOptions: this.#settings,
    }).then(() => this.#send({ method: "initialized", params: {} }));
  }

  /**
   * Asks about a position of a text.
   *
   * @param method Such as `textDocument/hover`
   * @returns The answer; `undefined` if there is none, or the server has ended
   */
  async ask(method: string, text: string, position: TextPosition): Promise<unknown> {
    // One at a time: the server answers about the latest text, not about the text at the time of the request.
    return await (this.#last = this.#last.then(() => this.#ask(method, text, position)));
  }

  async #ask(method: string, text: string, position: TextPosition): Promise<unknown> {
    await this.#ready;
    const uri = this.#document;
    const version = ++this.#versions;
    await this.#send(
      version === 1
        ? {
          method: "textDocument/didOpen",
          params: { textDocument: { uri, languageId: "typescript", version, text } },
        }
        : {
          method: "textDocument/didChange",
          params: { textDocument: { uri, version }, contentChanges: [{ text }] },
        },
    );
    const context = { triggerKind: 1, isRetrigger: false };
    return await this.#request(method, { textDocument: { uri }, position, context });
  }

  async #request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#requests;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, resolve);
    if (this.#ended) resolve(undefined);
    await this.#send({ id, method, params });
    return await promise;
  }

  async #send(message: Readonly<Record<string, unknown>>): Promise<void> {
    const body = encoder.encode(JSON.stringify({ jsonrpc: "2.0", ...message }));
    const head = encoder.encode(`Content-Length: ${body.length}\r\n\r\n`);
    await this.#input.write(concat([head, body])).catch(() => {}); // the server has ended
  }

  async #read(): Promise<void> {
    await this.#takeAll().catch(() => kill(this.#child)); // its output is unreadable
    this.#ended = true;
    for (const resolve of this.#waiting.values()) resolve(undefined);
  }

  async #takeAll(): Promise<void> {
    let bytes = new Uint8Array();
    for await (const chunk of this.#child.stdout) {
      bytes = concat([bytes, chunk]);
      while (true) {
        const [head, length] = /^(?:[^\r]+\r\n)*?Content-Length: (\d+)\r\n(?:[^\r]+\r\n)*\r\n/.exec(
          decoder.decode(bytes.subarray(0, 200)),
        ) ?? [];
        if (head === undefined || bytes.length < head.length + Number(length)) break;
        const body = bytes.subarray(head.length, head.length + Number(length));
        bytes = bytes.slice(head.length + Number(length));
        await this.#take(JSON.parse(decoder.decode(body)));
      }
    }
  }

  async #take({ id, method, params, result }: Message): Promise<void> {
    if (id === undefined) return; // a notification
    if (method === undefined) {
      this.#waiting.get(id)?.(result ?? undefined);
      this.#waiting.delete(id);
      return;
    }
    const settings = params?.items?.map(() => this.#settings);
    await this.#send({ id, result: method === "workspace/configuration" ? settings : null });
  }

  /** Ends the server. */
  async [Symbol.asyncDispose](): Promise<void> {
    kill(this.#child);
    await this.#child.status;
    await this.ended;
    await this.#input.abort().catch(() => {}); // closed with the process
  }
}
