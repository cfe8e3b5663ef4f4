import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MisuseError } from "../../../src/cli/command.ts";
import { Dialogue } from "../../../src/cli/init/dialogue.ts";
import { checkNumber, type Question } from "../../../src/cli/init/question.ts";

const height: Question = {
  name: "hub-height",
  value: "M",
  about: "Hub height in m",
  check: checkNumber("m", [5, 300]),
};
const columns: Question = { name: "column", value: "NAME", about: "Column", most: 3 };

/** A dialogue with a terminal that answers lines, or without one; and what was printed. */
function open(
  lines: readonly string[] | undefined,
  options: Readonly<Record<string, readonly string[]>> = {},
  yes = false,
) {
  const printed: string[] = [];
  const waiting = [...lines ?? []];
  const dialogue = new Dialogue({
    given: (name) => options[name] ?? [],
    yes,
    terminal: lines && {
      write: (text) => void printed.push(text),
      readLine: () => Promise.resolve(waiting.shift()),
    },
    signal: new AbortController().signal,
  });
  return { dialogue, text: () => printed.join("") };
}

describe("Dialogue", () => {
  it("explains a wrong answer and asks again", async () => {
    const { dialogue, text } = open(["", "x", "500", " 80 "]);
    assertEquals(await dialogue.ask(height), ["80"]);
    assertEquals(
      text(),
      'Hub height in m:   An answer is needed\nHub height in m:   "x" is not a number from 5 to 300 (m); ' +
        'its decimal mark is a point\nHub height in m:   "500" is not a number from 5 to 300 (m); ' +
        "its decimal mark is a point\nHub height in m: ",
    );
  });

  it("takes a proposal by Enter, and says why it is one", async () => {
    const { dialogue, text } = open([""]);
    const proposal = { answers: ["80"], reason: "as its neighbour" };
    assertEquals(await dialogue.ask(height, proposal), ["80"]);
    assertEquals(text(), "Hub height in m [80 (as its neighbour)]: ");
  });

  it("takes choices by number or name, several with blanks between them", async () => {
    const choices = ["time", "Wind speed, mean", "power"];
    const { dialogue } = open(["1 3", "Wind speed, mean", "9", "power"]);
    assertEquals(await dialogue.ask(columns, { choices }), ["time", "power"]);
    assertEquals(await dialogue.ask(columns, { choices }), ["Wind speed, mean"]);
    assertEquals(await dialogue.ask(columns, { choices }), ["power"]);
  });

  it("asks for a wrong option, and not for a right one", async () => {
    const { dialogue } = open(["80"], { "hub-height": ["8000"], column: ["a"] });
    assertEquals(await dialogue.ask(height), ["80"]);
    assertEquals(await dialogue.ask(columns), ["a"]);
    assertEquals(dialogue.formatCall(), "deno task init --hub-height 80 --column a");
  });

  it("proposes what was answered where it is asked once more", async () => {
    const { dialogue, text } = open(["70", ""]);
    await dialogue.ask(height);
    dialogue.forget(["hub-height"]);
    assertEquals(await dialogue.ask(height, { answers: ["80"] }), ["70"]);
    assertEquals(text(), "Hub height in m: Hub height in m [70]: ");
  });

  it("asks nothing without a terminal, and collects all that is missing or wrong", async () => {
    const { dialogue } = open(undefined, { column: ["x"] });
    await dialogue.ask(height, { answers: ["80"], reason: "as its neighbour" });
    await dialogue.ask(columns, { choices: ["a", "b"] });
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    assertStringIncludes(
      message,
      "\n  --hub-height M: Hub height in m (--yes takes 80 (as its neighbour))\n" +
        '  --column NAME: "x" is not one of a, b',
    );
  });

  it("takes with --yes what is proposed, and nothing else", async () => {
    const { dialogue } = open(undefined, {}, true);
    assertEquals(await dialogue.ask(height), undefined);
    assertThrows(() => dialogue.assertComplete(), MisuseError, "--hub-height");
  });

  it("ends where the input ends", async () => {
    const { dialogue } = open([]);
    await assertRejects(() => dialogue.ask(height), MisuseError, "the input ended");
  });

  it("quotes answers for a shell", async () => {
    const { dialogue } = open([], { column: ["it's", "-1"] });
    await dialogue.ask(columns);
    assertEquals(dialogue.formatCall(), `deno task init --column 'it'\\''s' --column=-1`);
  });
});
