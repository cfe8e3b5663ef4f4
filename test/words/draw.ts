/**
 * Draws sentences of docs, error messages and findings by seed, for an editor who judges how many to rewrite:
 * `deno run --allow-read --allow-env test/words/draw.ts SEED`. With paths instead of a seed, it lists all their sentences.
 *
 * @module
 */
import ts from "typescript";
import { listSentences } from "./sentences.ts";

/** A sentence, its place, and the sentence before it in the same paragraph. */
interface Drawn {
  readonly place: string;
  readonly text: string;
  readonly after?: string;
}

/** Mulberry32: the same seed draws the same sentences. */
function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function* listFiles(folder: string, pattern: RegExp): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    if (isDirectory) yield* listFiles(`${folder}/${name}`, pattern);
    else if (pattern.test(name)) yield `${folder}/${name}`;
  }
}

/** Shorter sentences are labels. */
const MIN_WORDS = 4;

/** Lists the sentences of a page with their code; cells without an end of sentence are labels. */
function listDocs(path: string): Drawn[] {
  const marked = Deno.readTextFileSync(path).replaceAll(
    /`([^`\n]*)`/g,
    (_, code: string) => `‹${code.replaceAll("_", "∕").replaceAll("*", "∗")}›`,
  );
  const all = listSentences(path, marked).map(({ line, sentence }) => ({
    line,
    text: sentence.replaceAll(/[‹›]/g, "`").replaceAll("∕", "_").replaceAll("∗", "*")
      .replaceAll(/\s+/g, " "),
  }));
  return all.flatMap(({ line, text }, i) => {
    const words = text.split(" ").filter((word) => /\p{L}/u.test(word)).length;
    if (words < MIN_WORDS || !/[.:!?][)"]?$/.test(text)) return [];
    const before = all[i - 1];
    return [{
      place: `${path}:${line}`,
      text,
      ...before?.line === line && { after: before.text },
    }];
  });
}

/** Lists the messages "Cannot ..." of a program, with the expressions of their values and the hint that follows them. */
function listMessages(path: string): Drawn[] {
  const source = ts.createSourceFile(
    path,
    Deno.readTextFileSync(path),
    ts.ScriptTarget.Latest,
    true,
  );
  const join = (node: ts.Node): string => {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isParenthesizedExpression(node)) return join(node.expression);
    if (ts.isTemplateExpression(node)) {
      return node.head.text +
        node.templateSpans.map(({ expression, literal }) =>
          `{${expression.getText()}}${literal.text}`
        ).join("");
    }
    return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
      ? join(node.left) + join(node.right)
      : `{${node.getText()}}`;
  };
  const hintOf = (node: ts.Node): string => {
    const { parent } = node;
    const options = ts.isNewExpression(parent) || ts.isCallExpression(parent)
      ? parent.arguments?.find(ts.isObjectLiteralExpression)
      : undefined;
    const hint = options?.properties.find((one) => one.name?.getText() === "hint");
    return hint && ts.isPropertyAssignment(hint) ? `. ${join(hint.initializer)}` : "";
  };
  const messages: Drawn[] = [];
  const visit = (node: ts.Node): void => {
    const text = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ||
        ts.isBinaryExpression(node)
      ? join(node)
      : "";
    if (!/^Cannot ./.test(text)) return ts.forEachChild(node, visit);
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    messages.push({
      place: `${path}:${line}`,
      text: (text + hintOf(node)).replaceAll(/\s+/g, " "),
    });
  };
  visit(source);
  return messages;
}

/** Lists the findings of a golden file. */
const listFindings = (path: string): Drawn[] =>
  (JSON.parse(Deno.readTextFileSync(path)) as string[]).map((text) => ({
    place: path.split("/")[2]!,
    text: text.replace(/^\w+: /, ""),
  }));

function print(title: string, all: readonly Drawn[], count: number, random: () => number) {
  const left = [...all];
  console.log(`\n## ${count} of ${all.length} ${title}\n`);
  for (let i = 1; i <= count; i++) {
    const [{ place, text, after }] = left.splice(Math.floor(random() * left.length), 1) as [Drawn];
    console.log(`${i}. [${place}]${after === undefined ? "" : ` (after: ${after})`} ${text}`);
  }
}

if (import.meta.main) {
  if (/^\d+$/.test(Deno.args[0] ?? "")) {
    const random = makeRandom(Number(Deno.args[0]));
    const pages = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md"];
    print(
      "sentences of docs",
      [...pages, ...listFiles("docs", /\.md$/)].flatMap(listDocs),
      60,
      random,
    );
    print("messages", [...listFiles("src", /\.ts$/)].flatMap(listMessages), 30, random);
    print(
      "findings",
      [...listFiles("test/analysis", /words\.json$/)].flatMap(listFindings),
      30,
      random,
    );
  }
  for (const path of Deno.args.filter((arg) => !/^\d+$/.test(arg))) {
    const list = path.endsWith(".ts")
      ? listMessages
      : path.endsWith(".json")
      ? listFindings
      : listDocs;
    for (const { place, text } of list(path)) console.log(`[${place}] ${text}`);
  }
}
