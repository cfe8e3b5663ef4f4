import { toFileUrl } from "../kernel/kernel_files.ts";
import type { KernelClient } from "../kernel/kernel_client.ts";
import { findConfigUrl } from "../kernel/kernel_workspace.ts";
import type { Content, KernelMessage } from "../wire/kernel_message.ts";
import { CellDocument } from "./cell_document.ts";
import { completeCode } from "./complete_code.ts";
import { LanguageServer } from "./language_server.ts";
import { waitFor } from "../kernel/wait_for.ts";

/** What a language server says of a name that it does not know. */
const UNKNOWN = "```tsx\nany\n```";

/** Text of a language server: plain, or an object with it. */
function readMarkdown(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null && "value" in value ? `${value.value}` : "";
}

/** The signature of the call around the cursor, with its documentation, as Markdown. */
function readSignature(answer: unknown): string {
  const { signatures = [], activeSignature = 0 } = (answer ?? {}) as {
    signatures?: readonly {
      label: string;
      documentation?: unknown;
      parameters?: readonly { label: string; documentation?: unknown }[];
    }[];
    activeSignature?: number;
  };
  const signature = signatures[activeSignature];
  if (!signature) return "";
  const parameters = (signature.parameters ?? []).map(({ label, documentation }) =>
    `- \`${label}\` ${readMarkdown(documentation).trim()}`
  );
  return [
    `\`\`\`ts\n${signature.label}\n\`\`\``,
    readMarkdown(signature.documentation),
    parameters.join("\n"),
  ].join("\n\n").trim();
}

/**
 * Documents the name at a position, or the call around it.
 *
 * @param codePoints Position of the cursor, code points
 * @returns The content of a reply; `undefined` where nothing is known
 */
async function inspectCode(
  cells: CellDocument,
  server: LanguageServer,
  code: string,
  codePoints: number,
): Promise<Content | undefined> {
  const cursor = [...code].slice(0, codePoints).join("").length;
  const ask = (method: string, at: number) => {
    const { text, position } = cells.textWith(code, at);
    return server.ask(method, text, position);
  };
  // A cursor at the end of a name is beside it; one after its bracket asks for the call.
  const beside = /[\p{ID_Continue}$]$/u.test(code.slice(0, cursor)) ? cursor - 1 : cursor;
  const hover = await ask("textDocument/hover", beside) as { contents?: unknown } | undefined;
  const known = readMarkdown(hover?.contents).trim();
  const markdown = (known === UNKNOWN ? "" : known) ||
    readSignature(await ask("textDocument/signatureHelp", cursor));
  if (markdown === "") return undefined;
  const plain = markdown.replaceAll(/^```\w*\n?/gm, "");
  return {
    status: "ok",
    found: true,
    data: { "text/markdown": markdown, "text/plain": plain },
    metadata: {},
  };
}

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
      const found = this.#ask((server) =>
        completeCode({ cells: this.#cells, server, client: this.#client }, code, cursor)
      ).catch(() => undefined);
      const own = await reply;
      return await waitFor(found, patience) ?? dropErrorFields(own);
    }
    if (request.type !== "inspect_request") return undefined;
    const found = this.#ask((server) => inspectCode(this.#cells, server, code, cursor));
    return await waitFor(found, PATIENCE);
  }

  async #ask(
    question: (server: LanguageServer) => Promise<Content | undefined>,
  ): Promise<Content | undefined> {
    const content = await question(await this.#start());
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
