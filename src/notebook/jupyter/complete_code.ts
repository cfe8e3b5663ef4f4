import type { KernelClient } from "../kernel/kernel_client.ts";
import type { Content } from "../wire/kernel_message.ts";
import type { CellDocument } from "./cell_document.ts";
import type { LanguageServer } from "./language_server.ts";

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
export async function completeCode(
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
