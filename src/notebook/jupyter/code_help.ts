import { toFileUrl } from "../kernel/kernel_files.ts";
import type { KernelClient } from "../kernel/kernel_client.ts";
import { findConfigUrl } from "../kernel/kernel_workspace.ts";
import type { Content, KernelMessage } from "../wire/kernel_message.ts";
import { LanguageServer, type TextPosition } from "./language_server.ts";
import { waitFor } from "../kernel/kernel_process.ts";

/** A declaration at the beginning of a line; the group has its names. */
const DECLARATION =
  /^(?:export\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|interface|type|enum)\s+(\{[^}]*\}|\[[^\]]*\]|[\w$]+)/gm;

/** Names that code declares at the top. */
function listDeclarations(code: string): string[] {
  return [...code.matchAll(DECLARATION)].flatMap(([, names]) => names.match(/[\w$]+/g) ?? []);
}

/** The cells that have run, as one text: what is known where code is being written. */
class CellDocument {
  #cells: readonly string[] = [];

  /** Adds a cell that has run, in place of those that declared one of its names before. */
  add(code: string): void {
    this.#cells = [...this.#select(code), code];
  }

  /**
   * The text of the cells with code that is being written, after those that have run.
   *
   * @param cursor Position in it, UTF-16 code units
   */
  textWith(code: string, cursor: number): { text: string; position: TextPosition } {
    const above = this.#select(code).map((cell) => `${cell}\n`).join("");
    const lines = (above + code.slice(0, cursor)).split("\n");
    const position = { line: lines.length - 1, character: lines[lines.length - 1].length };
    return { text: above + code, position };
  }

  /** The cells that declare none of the names in some code: of two declarations the language server takes the first. */
  #select(code: string): string[] {
    const names = new Set(listDeclarations(code));
    return this.#cells.filter((cell) =>
      cell !== code && !listDeclarations(cell).some((name) => names.has(name))
    );
  }
}

/** Mark in the metadata of the message by which the kernel lists columns. */
const COLUMNS = "vindkit_columns";

/** A name, or a path such as `check.comparison`; calls are not followed. */
const PATH = /(?<![\w$.])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;

/** Code that sends the columns of the frames at some paths. It calls nothing of the user, and getters are not read. */
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

/** Lists the columns of the frames that code names. */
async function listColumnNames(client: KernelClient, code: string): Promise<string[]> {
  const paths = [...new Set(code.match(PATH))];
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const { reply } = await client.executeSilently(buildQuery(paths), ({ metadata }) => {
    const columns = metadata[COLUMNS];
    if (Array.isArray(columns)) resolve(columns.map(String));
  });
  if ((await reply).status !== "ok") return [];
  return await promise; // it may come after the kernel is idle: the kernel sends them from two threads
}

/** What knows about code that is being written. */
interface CodeHelpSources {
  /** The cells that have run. */
  readonly cells: CellDocument;
  /** Knows their types. */
  readonly server: LanguageServer;
  /** A client of the kernel, which has the frames. */
  readonly client: KernelClient;
}

/** An item of a language server's completion. */
interface CompletionItem {
  readonly label: string;
  readonly insertText?: string;
  readonly sortText?: string;
  readonly kind?: number;
}

/** Names of the kinds of items as JupyterLab shows them; others have none. */
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

/** The text from the open quote on, if a position is in a string: complete strings of the line are skipped. */
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
 * Completes code by its types: names, methods, fields, options, and in a string the texts that are accepted there, or the
 * columns of the frames that the code names.
 *
 * @param codePoints Position of the cursor, code points
 * @returns The content of a reply; `undefined` where nothing is known
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
  const found = open !== undefined && typed.length === 0
    ? (await listColumnNames(client, code)).map((text) => ({ text, type: "column" }))
    : typed;
  const start = codePoints - countCodePoints(prefix);
  const isOwn = (text: string) => text.startsWith("_") && !prefix.startsWith("_");
  const matches = found.filter(({ text }) => text.startsWith(prefix) && !isOwn(text));
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
