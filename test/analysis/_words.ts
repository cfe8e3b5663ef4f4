import { assert, assertEquals } from "@std/assert";
import { type Found, putIntoWords } from "../../src/analysis/series/answer.ts";

type Words = Parameters<typeof putIntoWords>[0];

/**
 * Compares the sentences of an analysis with a golden file, one of each code at least: `deno task test ... -- --update` writes
 * it, to be read before it is committed.
 *
 * @param examples A finding of each code, and of some more than one
 * @param form What each line matches
 */
export async function assertWords<Table extends Words>(
  words: Table,
  examples: readonly Found<Table>[],
  golden: URL,
  form = /\.$/,
): Promise<void> {
  const found = putIntoWords(words, {}, "result", examples);
  const said = found.map(({ code, text }) => `${code}: ${text}`);
  if (Deno.args.includes("--update")) {
    await Deno.writeTextFile(golden, JSON.stringify(said, null, 2) + "\n");
  }
  assertEquals(
    said,
    JSON.parse(await Deno.readTextFile(golden)),
    "the sentences of the golden file; -- --update writes it",
  );
  for (const text of said) assert(form.test(text) && !/undefined|NaN/.test(text), text);
  const codes = new Set(found.map(({ code }) => code));
  assertEquals(Object.keys(words).filter((code) => !codes.has(code)), []);
}
