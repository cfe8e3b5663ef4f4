/**
 * Holds the prose of docs and messages against test/words/avoid.json: words and patterns to avoid, sentences that are too long,
 * and "what ..." as a subject.
 *
 * @module
 */
import { listSentences } from "./sentences.ts";

/** A word or a pattern, and what to write instead. */
interface Avoided {
  readonly find: string;
  readonly write: string;
}

/** The list: what to avoid, where the check is strict, and false alarms. */
interface WordList {
  readonly patterns: readonly Avoided[];
  /** Words of a sentence at most. */
  readonly longest: number;
  /** Files, or beginnings of their paths, in which nothing of it may be. */
  readonly done: readonly string[];
  /** Sentences that are right, as they stand in the text, each with its file. */
  readonly except: readonly {
    readonly file: string;
    readonly has: string;
    readonly because: string;
  }[];
}

/** A sentence that breaks a rule. */
export interface Breach {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly sentence: string;
}

/** Fewest words of a sentence that is checked. */
const MIN_WORDS = 4;

const countWords = (sentence: string) =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Whether a sentence that is no question begins with "what ..." as its subject. */
const hasHeadlessSubject = (sentence: string) =>
  /^(?:What|Who|Whatever|Which) /.test(sentence) && !sentence.trimEnd().endsWith("?");

/** Finds what a text breaks of the rules. */
export function findBreaches(file: string, text: string, list: WordList): Breach[] {
  const patterns = list.patterns.map(({ find, write }) => ({
    find: new RegExp(find, "iu"),
    write,
  }));
  const isExcused = (sentence: string) =>
    list.except.some((one) => one.file === file && sentence.includes(one.has));
  return listSentences(file, text).flatMap(({ line, sentence }) => {
    if (isExcused(sentence)) return [];
    const words = countWords(sentence);
    if (words < MIN_WORDS) return []; // a heading in bold, or a cell
    const rules = [
      ...patterns.flatMap(({ find, write }) => {
        const [found] = find.exec(sentence) ?? [];
        return found === undefined ? [] : [`"${found.trim()}": ${write}`];
      }),
      ...(words > list.longest ? [`${words} words: make two sentences`] : []),
      ...(hasHeadlessSubject(sentence) ? ['"What ..." as a subject: name it'] : []),
    ];
    return rules.map((rule): Breach => ({ file, line, rule, sentence }));
  });
}

/** Lists the files that have prose. */
export function* proseFiles(folder = "."): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = folder === "." ? name : `${folder}/${name}`;
    if (isDirectory) {
      if (["docs", "src"].includes(path.split("/")[0]) && name !== "snapshots") {
        yield* proseFiles(path);
      }
    } else if (/^src\/.*\.ts$|^(?:docs\/.*|[A-Z]+)\.md$/.test(path)) yield path;
  }
}

if (import.meta.main) {
  const list: WordList = JSON.parse(
    await Deno.readTextFile(new URL("avoid.json", import.meta.url)),
  );
  const all = Deno.args.includes("--all");
  const only = Deno.args.filter((arg) => !arg.startsWith("--"));
  const counts = new Map<string, number>();
  let strict = 0;
  for (const file of [...proseFiles()].sort()) {
    const isDone = list.done.some((path) => file.startsWith(path));
    const isWanted = only.length > 0 ? only.some((path) => file.startsWith(path)) : all || isDone;
    const breaches = findBreaches(file, await Deno.readTextFile(file), list);
    counts.set(file, breaches.length);
    if (isDone) strict += breaches.length;
    if (!isWanted) continue;
    for (const { line, rule, sentence } of breaches) {
      console.log(`${file}:${line} ${rule}\n    ${sentence.slice(0, 240)}`);
    }
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${total} breaches in all prose, ${strict} in what is done`);
  if (strict > 0) Deno.exit(1);
}
