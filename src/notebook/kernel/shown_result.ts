/** Key of the symbol under which our kernel has the function that makes every result one that Deno's kernel shows. */
const SHOWN = "vindkit.shown";

/**
 * Code that gives a kernel that function: Deno's kernel loses NaN, an infinity, null, -0 and BigInts that are the result of
 * a cell, and shows nothing; it cannot send a frame of Polars with 64-bit integers.
 */
export const SHOW_RESULTS = `{
  const { inspect } = Deno;
  const { JSON, Number, Object } = globalThis;
  const display = Symbol.for("Jupyter.display");
  const toNumber = (_, value) =>
    typeof value !== "bigint" ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  globalThis[Symbol.for("${SHOWN}")] = (value) => {
    const isLost = value === null || typeof value === "bigint" || Object.is(value, -0) ||
      typeof value === "number" && !Number.isFinite(value);
    if (isLost) return { [display]: () => ({ "text/plain": inspect(value) }) };
    if (typeof value?._df !== "object" || typeof value[display] !== "function") return value;
    return { [display]: async () => JSON.parse(JSON.stringify(await value[display](), toNumber)) };
  };
}`;

/** Words that begin a line which is no expression of its own. */
const WORDS =
  /^(?:abstract|as|async|break|case|class|const|continue|debugger|declare|default|do|else|enum|export|for|function|if|import|in|instanceof|interface|let|module|namespace|of|return|satisfies|switch|throw|try|type|using|var|while|with|yield)\b/;

/** Texts in quotes that end in their line. */
const QUOTED = /(["'])(?:\\.|(?!\1).)*\1/g;

/** An expression in one line, its texts left out: no comment, no text of several lines, no label, and nothing after it. */
const EXPRESSION = /^(?:[\w$]|-[\w.])(?!.*(?:;|\/[*/]|\*\/|[`"']))(?![\w$]*\s*:)/;

/** The end of a line after which one that begins with a name is a new statement. */
const ENDED = /(?:^|[;}\])\w"'`]|\*\/)$/;

/** Whether all brackets of a text are closed in it. */
function isBalanced(text: string): boolean {
  const pairs: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
  const open: string[] = [];
  for (const character of text) {
    if ("([{".includes(character)) open.push(character);
    else if (character in pairs && open.pop() !== pairs[character]) return false;
  }
  return open.length === 0;
}

/** The code of a cell whose result is shown, whatever its value: where its last line is an expression, and for sure. */
export function showResult(code: string): string {
  const [, before, last, end] = /^([^]*?)([^\n]*?)([\s;]*)$/.exec(code)!;
  const text = last.trim().replaceAll(QUOTED, "");
  if (WORDS.test(text) || !EXPRESSION.test(text) || !isBalanced(text)) return code;
  const above = before.split("\n").map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//")).at(-1) ?? "";
  // A line that begins with an operator goes on with the one above it.
  if (!(text.startsWith("-") ? /^$|;$/ : ENDED).test(above)) return code;
  return `${before}globalThis[Symbol.for("${SHOWN}")]((${last}))${end}`;
}
