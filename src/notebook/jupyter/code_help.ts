import { toFileUrl } from "../kernel/file_url.ts";
import type { KernelClient } from "../kernel/kernel_client.ts";
import { findConfigUrl } from "../kernel/kernel_workspace.ts";
import type { Content, KernelMessage } from "../wire/kernel_message.ts";
import { CellDocument } from "./cell_document.ts";
import { completeCode } from "./complete_code.ts";
import { inspectCode } from "./inspect_code.ts";
import { LanguageServer } from "./language_server.ts";
import { waitFor } from "../kernel/wait_for.ts";

/** How long the kernel's own reply waits for a better one, ms. */
const PATIENCE = 30_000;

/** The same for a completion while the language server starts: JupyterLab ignores completions after a second. */
const PATIENCE_AT_START = 800;

/** Deno's kernel completes a name that it does not know by the fields of the error. */
function dropErrorFields(reply: Content): Content {
  const { matches } = reply;
  const ofError = Array.isArray(matches) && matches[0] === "stack" && matches[1] === "message";
  return ofError ? { ...reply, matches: [] } : reply;
}

/**
 * Completion and documentation of the code of a notebook, by its types and by what the kernel has. The language server
 * starts with the first question: it takes some seconds and hundreds of megabytes.
 */
export class CodeHelp implements AsyncDisposable {
  readonly #client: KernelClient;
  readonly #folder: string;
  readonly #cells = new CellDocument();
  #server: Promise<LanguageServer> | undefined;
  #answered = false;

  /** @param folder Folder in which the kernel has started */
  constructor(client: KernelClient, folder: string) {
    this.#client = client;
    this.#folder = folder;
  }

  /**
   * Improves the kernel's reply to a request, and takes note of the cells that run.
   *
   * @returns A better content; `undefined` for the kernel's own
   */
  async improve(request: KernelMessage, reply: Promise<Content>): Promise<Content | undefined> {
    const { code, cursor_pos: cursor, silent } = request.content;
    if (typeof code !== "string") return undefined;
    if (request.type === "execute_request" && silent !== true) {
      if ((await reply).status === "ok") this.#cells.add(code);
    }
    if (typeof cursor !== "number") return undefined;
    if (request.type === "complete_request") {
      const patience = this.#answered ? PATIENCE : PATIENCE_AT_START;
      const found = this.#complete(code, cursor).catch(() => undefined);
      const own = await reply;
      return await waitFor(found, patience) ?? dropErrorFields(own);
    }
    if (request.type !== "inspect_request") return undefined;
    return await waitFor(this.#inspect(code, cursor), PATIENCE);
  }

  async #complete(code: string, cursor: number): Promise<Content | undefined> {
    const sources = { cells: this.#cells, server: await this.#start(), client: this.#client };
    const content = await completeCode(sources, code, cursor);
    this.#answered = true;
    return content;
  }

  async #inspect(code: string, cursor: number): Promise<Content | undefined> {
    const content = await inspectCode(this.#cells, await this.#start(), code, cursor);
    this.#answered = true;
    return content;
  }

  #start(): Promise<LanguageServer> {
    return this.#server ??= findConfigUrl(this.#folder).then((config) => {
      const server = new LanguageServer({ folder: toFileUrl(this.#folder + "/").href, config });
      void server.ended.then(() => {
        this.#server = undefined; // the next question starts another
        return server[Symbol.asyncDispose]();
      });
      return server;
    });
  }

  /** Ends the language server. */
  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#server)?.[Symbol.asyncDispose]();
  }
}
