import ts from "typescript";

/** A sentence of a text, and the line on which it begins. */
export interface Sentence {
  readonly line: number;
  readonly sentence: string;
}

/** Splits a paragraph at the ends of its sentences. */
const splitSentences = (text: string): string[] =>
  text.split(/(?<=[.!?][)"”]?)\s+(?=[\p{Lu}\p{N}"“`(\[*])/u).map((one) => one.trim()).filter(
    Boolean,
  );

/** Removes code, addresses and marks from markdown. */
const stripMarks = (text: string): string =>
  text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/`[^`]*`/g, "X")
    .replaceAll(/[*_]{1,2}([^*_]+)[*_]{1,2}/g, "$1").replaceAll(/<[^>]+>/g, " ");

/** Lists the sentences of a page: paragraphs, items and cells, without code, headings and comments. */
function listPage(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let [paragraph, start, inCode, inComment] = ["", 0, false, false];
  const end = () => {
    for (const sentence of splitSentences(stripMarks(paragraph))) {
      sentences.push({ line: start, sentence });
    }
    paragraph = "";
  };
  for (const [i, line] of text.split("\n").entries()) {
    if (/^\s*(```|~~~)/.test(line)) {
      end();
      inCode = !inCode;
      continue;
    }
    if (line.startsWith("<!--")) inComment = true;
    if (inCode || inComment) {
      if (line.includes("-->")) inComment = false;
      continue;
    }
    if (/^ {4,}\S/.test(line) && paragraph === "" || /^(#|\s*$|\|[\s:|-]+\|$)/.test(line)) {
      end();
      continue;
    }
    if (line.startsWith("|")) {
      end();
      for (const item of line.split(/(?<!\\)\||; /)) { // a cell may be a list
        for (const sentence of splitSentences(stripMarks(item))) {
          sentences.push({ line: i + 1, sentence });
        }
      }
      continue;
    }
    if (/^\s*([-*]|\d+\.) /.test(line)) end();
    if (paragraph === "") start = i + 1;
    paragraph += ` ${line.replace(/^\s*([-*>]|\d+\.) /, "").trim()}`;
  }
  end();
  return sentences;
}

/** Shorter strings are names, labels and code. */
const MIN_WORDS = 5;

/** Lists the sentences in the strings of a program, with X for each value. */
function listTexts(path: string, text: string): Sentence[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const sentences: Sentence[] = [];
  /** Joins strings that are added up; `undefined` for anything else. */
  const join = (node: ts.Node): string | undefined => {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTemplateExpression(node)) {
      return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join("");
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      const [left, right] = [join(node.left), join(node.right)];
      return left === undefined && right === undefined
        ? undefined
        : `${left ?? "X"}${right ?? "X"}`;
    }
    return ts.isParenthesizedExpression(node) ? join(node.expression) : undefined;
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const joined = join(node);
    if (joined === undefined) return ts.forEachChild(node, visit);
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    for (const sentence of splitSentences(joined)) {
      const words = sentence.split(/\s+/).filter((word) => /^[\p{L}'"(]/u.test(word));
      if (words.length >= MIN_WORDS && !/[{};]\s*$|=>|<\w+/.test(sentence)) {
        sentences.push({ line, sentence });
      }
    }
    ts.forEachChild(node, visitInner);
  };
  // The expressions of a template may have strings, too.
  const visitInner = (node: ts.Node): void => {
    if (ts.isTemplateSpan(node)) visit(node.expression);
    else if (!ts.isStringLiteralLike(node)) ts.forEachChild(node, visitInner);
  };
  visit(source);
  return sentences;
}

/** The prose of a notebook as a page. */
const readNotebook = (text: string): string =>
  JSON.parse(text).cells
    .filter((cell: { cell_type: string }) => cell.cell_type === "markdown")
    .map((cell: { source: string | string[] }) => [cell.source].flat().join("")).join("\n\n");

/** Lists the sentences of a page, a notebook or the strings of a program. */
export function listSentences(path: string, text: string): Sentence[] {
  if (path.endsWith(".md")) return listPage(text);
  return path.endsWith(".ipynb") ? listPage(readNotebook(text)) : listTexts(path, text);
}
