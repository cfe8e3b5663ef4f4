import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findBreaches, type WordList } from "./check_words.ts";

const list: WordList = {
  patterns: [{ find: "\\bso that\\b", write: "so" }],
  longest: 6,
  code: "\\bSELECT\\b",
  except: [{ file: "docs/a.md", has: "so that it fits", because: "a quotation" }],
};

const rulesOf = (file: string, text: string) =>
  findBreaches(file, text, list).map(({ line, rule }) => [line, rule]);

describe("the check of words", () => {
  it("finds words to avoid and long sentences in the prose of a page, not in its code", () => {
    const page = "# Title\n\nOpen it\nso that `code so that` runs.\n\n```ts\n// so that\n```\n";
    assertEquals(rulesOf("docs/b.md", page), [[3, '"so that": so']]);
    assertEquals(rulesOf("docs/b.md", "One two three four five six seven.\n"), [
      [1, "7 words: make two sentences"],
    ]);
  });

  it('finds "what ..." as a subject, but not in a question', () => {
    assertEquals(rulesOf("docs/b.md", "What fails is named.\n\nWhat does it cost?\n"), [
      [1, '"What ..." as a subject: name the thing'],
    ]);
  });

  it("reads strings that are added up as one, and skips code in strings", () => {
    const program = 'const text = "Open it so " +\n  "that it runs.";\n';
    assertEquals(rulesOf("src/a.ts", program), [[1, '"so that": so']]);
    assertEquals(rulesOf("src/a.ts", "const sql = `SELECT a, b, c so that d FROM e`;\n"), []);
  });

  it("reads the prose of a notebook", () => {
    const cells = [
      { cell_type: "markdown", source: ["Run it so\n", "that it plots."] },
      { cell_type: "code", source: ["// so that it is not prose"] },
    ];
    assertEquals(rulesOf("notebooks/a.ipynb", JSON.stringify({ cells })), [[1, '"so that": so']]);
  });

  it("excuses a sentence that the list names", () => {
    assertEquals(rulesOf("docs/a.md", "Cut it so that it fits.\n"), []);
  });
});
