import { toFileUrl } from "../kernel/kernel_files.ts";
import type { KernelClient } from "../kernel/kernel_client.ts";
import { findConfigUrl } from "../kernel/kernel_workspace.ts";
import type { Content, KernelMessage } from "../wire/kernel_message.ts";
import { LanguageServer, type TextPosition } from "./language_server.ts";
import { waitFor } from "../kernel/kernel_process.ts";

/** A declaration at the beginning of a line; the group has its names. */
const DECLARATION =
  /^(?:export\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|interface|type|enum)\s+(\{[^}]*\}|\[[^\]]*\]|[\w$]+)/gm;

/** Names that code declares at the top level. */
function listDeclarations(code: string): string[] {
  return [...code.matchAll(DECLARATION)].flatMap(([, names]) => names.match(/[\w$]+/g) ?? []);
}

/** The executed cells as one text: the context of the code at the cursor. */
class CellDocument {
  #cells: readonly string[] = [];

  /** Adds an executed cell, and removes earlier ones that declared one of its names. */
  add(code: string): void {
    this.#cells = [...this.#select(code), code];
  }

  /**
   * The text of the executed cells, followed by the code at the cursor.
   *
   * @param cursor Position in the code, UTF-16 code units
   */
  textWith(code: string, cursor: number): { text: string; position: TextPosition } {
    const above = this.#select(code).map((cell) => `${cell}\n`).join("");
    const lines = (above + code.slice(0, cursor)).split("\n");
    const position = { line: lines.length - 1, character: lines[lines.length - 1].length };
    return { text: above + code, position };
  }

  /** The cells that do not declare any name of some code, because the language server uses the first of two declarations. */
  #select(code: string): string[] {
    const names = new Set(listDeclarations(code));
    return this.#cells.filter((cell) =>
      cell !== code && !listDeclarations(cell).some((name) => names.has(name))
    );
  }
}

/** Mark in the metadata of the message in which the kernel lists columns. */
const COLUMNS = "vindkit_columns";

/** A name, or a path such as `check.comparison`; calls are not evaluated. */
const PATH = /(?<![\w$.])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;

/** Code that sends the columns of the frames at some paths. It calls no user code and no getters. */
function buildQuery(paths: readonly string[]): string {
  return `{
  const columns = new Set();
  for (const path of ${JSON.stringify(paths)}) {
    try {
      const [first, ...rest] = path.split(".");
      let value = (0, eval)(first);
      for (const name of rest) {
        if (Array.isArray(value?.columns)) break;
        value = Object.getOwnPropertyDescriptor(value, name)?.value;
      }
      if (typeof value?._df !== "object") continue;
      for (const column of value.columns) columns.add(column);
    } catch {
      // not a name of the kernel
    }
  }
  await Deno.jupyter.broadcast("status", { execution_state: "busy" }, {
    metadata: { ${COLUMNS}: [...columns] },
  });
}`;
}

/** Lists the columns of the frames named in code. */
async function listColumnNames(client: KernelClient, code: string): Promise<string[]> {
  const paths = [...new Set(code.match(PATH))];
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const { reply } = await client.executeSilently(buildQuery(paths), ({ metadata }) => {
    const columns = metadata[COLUMNS];
    if (Array.isArray(columns)) resolve(columns.map(String));
  });
  if ((await reply).status !== "ok") return [];
  return await promise; // may arrive after "idle", because the kernel sends from two threads
}

/** Sources of code help. */
interface CodeHelpSources {
  /** The executed cells. */
  readonly cells: CellDocument;
  /** The server that knows their types. */
  readonly server: LanguageServer;
  /** A client of the kernel, which holds the frames. */
  readonly client: KernelClient;
}

/** An item of a language server's completion. */
interface CompletionItem {
  readonly label: string;
  readonly insertText?: string;
  readonly sortText?: string;
  readonly kind?: number;
}

/** Names of the kinds of items in JupyterLab; other kinds have none. */
const KINDS: Readonly<Record<number, string>> = {
  2: "method",
  3: "function",
  5: "property",
  6: "variable",
  7: "class",
  8: "interface",
  9: "module",
  10: "property",
  14: "keyword",
  21: "constant",
};

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const STRING = /(["'`])(?:\\.|(?!\1).)*\1/g;

/** Jupyter counts code points, texts have UTF-16 code units. */
function countCodePoints(text: string): number {
  return [...text].length;
}

/** The text after an unclosed quote, if the position is in a string; complete strings of the line are skipped. */
function findOpenString(before: string): string | undefined {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return /["']([^"']*)$/.exec(line.replace(STRING, (text) => " ".repeat(text.length)))?.[1];
}

async function listItems(
  cells: CellDocument,
  server: LanguageServer,
  code: string,
  cursor: number,
): Promise<CompletionItem[]> {
  const { text, position } = cells.textWith(code, cursor);
  const answer = await server.ask("textDocument/completion", text, position);
  const { items } = (Array.isArray(answer) ? { items: answer } : answer ?? { items: [] }) as {
    items: CompletionItem[];
  };
  return items.toSorted((a, b) => (a.sortText ?? "").localeCompare(b.sortText ?? "", "en"));
}

/**
 * Completes code by its types: names, methods, fields and options; inside a string, the accepted texts or the columns of
 * the frames named in the code.
 *
 * @param codePoints Position of the cursor, code points
 * @returns The content of a reply; `undefined` if nothing is known
 */
async function completeCode(
  { cells, server, client }: CodeHelpSources,
  code: string,
  codePoints: number,
): Promise<Content | undefined> {
  const before = [...code].slice(0, codePoints).join("");
  const open = findOpenString(before);
  const prefix = open ?? /[\p{ID_Continue}$]*$/u.exec(before)![0];
  const items = await listItems(cells, server, code, before.length);
  const typed = items.map(({ label, insertText, kind }) => ({
    text: (insertText ?? label).replace(/\?$/, ""),
    type: KINDS[kind ?? 0] ?? "",
  })).filter(({ text }) =>
    open === undefined ? IDENTIFIER.test(text) : !/["'`]/.test(text) && text !== open
  );
  const candidates = open !== undefined && typed.length === 0
    ? (await listColumnNames(client, code)).map((text) => ({ text, type: "column" }))
    : typed;
  const start = codePoints - countCodePoints(prefix);
  const isOwn = (text: string) => text.startsWith("_") && !prefix.startsWith("_");
  const matches = candidates.filter(({ text }) => text.startsWith(prefix) && !isOwn(text));
  if (matches.length === 0) return undefined;
  return {
    status: "ok",
    matches: matches.map(({ text }) => text),
    cursor_start: start,
    cursor_end: codePoints,
    metadata: {
      _jupyter_types_experimental: matches.map((match) => ({ ...match, start, end: codePoints })),
    },
  };
}

/** Answer of a language server about an unknown name. */
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
 * Documents the name at a position, or the surrounding call.
 *
 * @param codePoints Position of the cursor, code points
 * @returns The content of a reply; `undefined` if nothing is known
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
  // A cursor at the end of a name belongs to the name; after its bracket, to the call.
  const position = /[\p{ID_Continue}$]$/u.test(code.slice(0, cursor)) ? cursor - 1 : cursor;
  const hover = await ask("textDocument/hover", position) as { contents?: unknown } | undefined;
  const hoverText = readMarkdown(hover?.contents).trim();
  const markdown = (hoverText === UNKNOWN ? "" : hoverText) ||
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

/** How long the kernel's reply waits for a better one, ms. */
const PATIENCE = 30_000;

/** The same for a completion while the language server starts: JupyterLab ignores completions after a second. */
const PATIENCE_AT_START = 800;

/** Removes the fields of an error, which Deno's kernel offers to complete an unknown name. */
function dropErrorFields(reply: Content): Content {
  const { matches } = reply;
  const ofError = Array.isArray(matches) && matches[0] === "stack" && matches[1] === "message";
  return ofError ? { ...reply, matches: [] } : reply;
}

/**
 * Completion and documentation of notebook code, by its types and the kernel's values. The language server starts with the
 * first request: it takes some seconds and hundreds of megabytes.
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
   * Improves the kernel's reply to a request, and records executed cells.
   *
   * @returns Better content; `undefined` to keep the kernel's
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
      const better = this.#ask((server) =>
        completeCode({ cells: this.#cells, server, client: this.#client }, code, cursor)
      ).catch(() => undefined);
      const kernelReply = await reply;
      return await waitFor(better, patience) ?? dropErrorFields(kernelReply);
    }
    if (request.type !== "inspect_request") return undefined;
    const better = this.#ask((server) => inspectCode(this.#cells, server, code, cursor));
    return await waitFor(better, PATIENCE);
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
        this.#server = undefined; // the next request starts another
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
