import type { Content } from "../wire/kernel_message.ts";
import type { CellDocument } from "./cell_document.ts";
import type { LanguageServer } from "./language_server.ts";

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
export async function inspectCode(
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
