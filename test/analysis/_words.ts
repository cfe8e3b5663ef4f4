import { assert, assertEquals } from "@std/assert";
import { type FindingOf, putIntoWords } from "../../src/analysis/series/answer.ts";

type Words = Parameters<typeof putIntoWords>[0];

/**
 * Compares the sentences of an analysis with a golden file, at least one for each code. `deno task test ... --
 * --update` writes the file: read it before you commit it.
 *
 * @param examples A finding for each code, several for some
 * @param form Pattern that each line must match
 */
export async function assertWords<Table extends Words>(
  words: Table,
  examples: readonly FindingOf<Table>[],
  golden: URL,
  form = /\.$/,
): Promise<void> {
  const findings = putIntoWords(words, {}, "result", examples);
  const sentences = findings.map(({ code, text }) => `${code}: ${text}`);
  if (Deno.args.includes("--update")) {
    await Deno.writeTextFile(golden, JSON.stringify(sentences, null, 2) + "\n");
  }
  assertEquals(
    sentences,
    JSON.parse(await Deno.readTextFile(golden)),
    "the sentences of the golden file; -- --update writes it",
  );
  for (const text of sentences) assert(form.test(text) && !/undefined|NaN/.test(text), text);
  const codes = new Set(findings.map(({ code }) => code));
  assertEquals(Object.keys(words).filter((code) => !codes.has(code)), []);
}
