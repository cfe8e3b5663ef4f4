/**
 * Checks the prose of docs, notebooks and messages against test/words/avoid.json: words and patterns to avoid, long sentences,
 * and "what ..." as a subject.
 *
 * @module
 */
import { listSentences } from "./sentences.ts";

/** The list: what to avoid and what to write instead, and the excused false alarms. */
export interface WordList {
  readonly patterns: readonly { readonly find: string; readonly write: string }[];
  /** Most words of a sentence. */
  readonly longest: number;
  /** Strings that are code, such as SQL. */
  readonly code: string;
  /** Sentences to excuse, by a part of their text. */
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

/** Shorter sentences are headings in bold, or cells. */
const MIN_WORDS = 4;

const countWords = (sentence: string) =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const hasHeadlessSubject = (sentence: string) =>
  /^(?:What|Who|Whatever|Which) /.test(sentence) && !sentence.trimEnd().endsWith("?");

/** Lists the sentences of a file that break a rule of the list. */
export function findBreaches(file: string, text: string, list: WordList): Breach[] {
  const patterns = list.patterns.map(({ find, write }) => ({
    find: new RegExp(find, "iu"),
    write,
  }));
  const code = new RegExp(list.code, "u");
  const excuses = list.except.filter((excuse) => excuse.file === file);
  return listSentences(file, text).flatMap(({ line, sentence }) => {
    const words = countWords(sentence);
    if (words < MIN_WORDS || code.test(sentence)) return [];
    if (excuses.some(({ has }) => sentence.includes(has))) return [];
    const rules = patterns.flatMap(({ find, write }) => {
      const match = find.exec(sentence);
      return match === null ? [] : [`"${match[0].trim()}": ${write}`];
    });
    if (words > list.longest) rules.push(`${words} words: make two sentences`);
    if (hasHeadlessSubject(sentence)) rules.push('"What ..." as a subject: name the thing');
    return rules.map((rule): Breach => ({ file, line, rule, sentence }));
  });
}

const PROSE = /^(?:src|site)\/.*\.ts$|^docs\/.*\.md$|^[A-Z]+\.md$|^notebooks\/[^/]*\.ipynb$/;

function* listProseFiles(folder = ""): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder || ".")) {
    const path = `${folder}${name}`;
    if (!isDirectory) {
      if (PROSE.test(path)) yield path;
    } else if (folder !== "" || ["docs", "notebooks", "site", "src"].includes(name)) {
      yield* listProseFiles(`${path}/`);
    }
  }
}

if (import.meta.main) {
  const list: WordList = JSON.parse(
    await Deno.readTextFile(new URL("avoid.json", import.meta.url)),
  );
  const breaches: Breach[] = [];
  for (const file of [...listProseFiles()].sort()) {
    if (Deno.args.length > 0 && !Deno.args.some((path) => file.startsWith(path))) continue;
    breaches.push(...findBreaches(file, await Deno.readTextFile(file), list));
  }
  for (const { file, line, rule, sentence } of breaches) {
    console.log(`${file}:${line} ${rule}\n    ${sentence.slice(0, 240)}`);
  }
  if (breaches.length > 0) {
    console.error(
      `${breaches.length} sentences to rewrite. Excuse a false alarm in test/words/avoid.json.`,
    );
    Deno.exit(1);
  }
}
