import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MisuseError } from "../../../src/cli/command.ts";
import { checkNumber, type Question } from "../../../src/cli/init/question.ts";
import { openDialogue } from "./_dialogue.ts";

const height: Question = {
  name: "hub-height",
  value: "M",
  about: "Hub height in m",
  check: checkNumber("m", [5, 300]),
};
const columns: Question = { name: "column", value: "NAME", about: "Column", most: 3 };
const questions = [height, columns];

describe("Dialogue", () => {
  it("explains a wrong answer and asks again", async () => {
    const { dialogue, text } = openDialogue({ lines: ["", "x", "500", " 80 "] });
    assertEquals(await dialogue.ask(height), ["80"]);
    assertEquals(
      text(),
      "Hub height in m:   An answer is needed\n" +
        'Hub height in m:   "x" is not a plain number, as 12 or 12.5\n' +
        "Hub height in m:   500 is not from 5 to 300 (m)\nHub height in m: ",
    );
  });

  it("takes a proposal by Enter, and says why it is one", async () => {
    const { dialogue, text } = openDialogue({ lines: [""] });
    const proposal = { answers: ["80"], reason: "as its neighbour" };
    assertEquals(await dialogue.ask(height, proposal), ["80"]);
    assertEquals(text(), "Hub height in m [80 (as its neighbour)]: ");
  });

  it("takes choices by number or name, several with blanks between them", async () => {
    const choices = ["time", "Wind speed, mean", "power"];
    const ask = async (...lines: string[]) => {
      const { dialogue } = openDialogue({ lines });
      return await dialogue.ask(columns, { choices });
    };
    assertEquals(await ask("1 3"), ["time", "power"]);
    assertEquals(await ask("Wind speed, mean"), ["Wind speed, mean"]);
    assertEquals(await ask("9", "power"), ["power"]);
  });

  it("S11: takes the number of a choice also as an option", async () => {
    const { dialogue } = openDialogue({ options: { column: ["3", "1"] } });
    const choices = ["time", "wind", "power"];
    assertEquals(await dialogue.ask(columns, { choices }), ["power", "time"]);
  });

  it("asks for a wrong option, and not for a right one", async () => {
    const { dialogue } = openDialogue({
      lines: ["80"],
      options: { "hub-height": ["8000"], column: ["a"] },
      questions,
    });
    assertEquals(await dialogue.ask(height), ["80"]);
    assertEquals(await dialogue.ask(columns), ["a"]);
    assertEquals(
      dialogue.formatCall(),
      "  deno task init \\\n    --hub-height 80 \\\n    --column a",
    );
  });

  it("proposes what was answered where it is asked once more", async () => {
    const { dialogue, text } = openDialogue({ lines: ["70", ""] });
    await dialogue.ask(height);
    dialogue.forget(["hub-height"]);
    assertEquals(await dialogue.ask(height, { answers: ["80"] }), ["70"]);
    assertEquals(text(), "Hub height in m: Hub height in m [70]: ");
  });

  it("asks nothing without a terminal, and collects all that is missing or wrong", async () => {
    const { dialogue } = openDialogue({ options: { column: ["x"] } });
    await dialogue.ask(height, { answers: ["80"], reason: "as its neighbour" });
    await dialogue.ask(columns, { choices: ["a", "b"] });
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    assertStringIncludes(
      message,
      '\n  --column NAME: "x" is not one of a, b\nAnd these, or --yes:\n' +
        "  --hub-height M: Hub height in m (--yes takes 80 (as its neighbour))",
    );
  });

  it("takes with --yes what is proposed, and nothing else", async () => {
    const { dialogue } = openDialogue({ yes: true });
    assertEquals(await dialogue.ask(height), undefined);
    assertThrows(() => dialogue.assertComplete(), MisuseError, "--hub-height");
  });

  it("ends where the input ends", async () => {
    const { dialogue } = openDialogue({ lines: [] });
    await assertRejects(() => dialogue.ask(height), MisuseError, "the input ended");
  });

  it("quotes answers for a shell", async () => {
    const { dialogue } = openDialogue({
      lines: [],
      options: { column: ["it's", "-1"] },
      questions,
    });
    await dialogue.ask(columns);
    assertEquals(
      dialogue.formatCall(),
      `  deno task init \\\n    --column 'it'\\''s' \\\n    --column=-1`,
    );
  });

  it("S12: does not take with --yes what nothing proves, and says what it would be", async () => {
    const { dialogue } = openDialogue({ yes: true });
    const proposal = { answers: ["80"], reason: "that of its neighbour", unsure: true };
    assertEquals(await dialogue.ask(height, proposal), undefined);
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    assertStringIncludes(message, "(perhaps 80 (that of its neighbour); --yes does not take it)");
  });

  it("M9: checks what --yes takes as any answer", async () => {
    const { dialogue } = openDialogue({ yes: true });
    assertEquals(await dialogue.ask(height, { answers: ["5550"] }), undefined);
    assertThrows(() => dialogue.assertComplete(), MisuseError, "5550 is not from 5 to 300 (m)");
  });

  it("M10: refuses options that no question used", async () => {
    const options = { "hub-height": ["80"], column: ["a"] };
    const { dialogue } = openDialogue({ options, questions });
    await dialogue.ask(height);
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    assertStringIncludes(message, "Leave them out:\n  --column a");
    assertEquals(message.includes("hub-height"), false);
    assertEquals(dialogue.formatCall(), "  deno task init \\\n    --hub-height 80");
  });

  it("S5: asks only for the answers that are wrong once more", async () => {
    const { dialogue, text } = openDialogue({ lines: ["80", "a", "no", "2", "b"] });
    await dialogue.ask(height);
    await dialogue.ask(columns);
    assertEquals(await dialogue.review("Is this right", ["hub-height", "column"]), ["column"]);
    assertEquals([await dialogue.ask(height), await dialogue.ask(columns)], [["80"], ["b"]]);
    assertStringIncludes(text(), "\n   2  column: a\nWhich of these is wrong?");
    assertStringIncludes(text(), "Column [a]: ");
  });

  it("N13: says why an answer to what is wrong is not taken, offers something else, and the way back", async () => {
    const lines = ["80", "no", "-999 means missing", "", "no", "2"];
    const { dialogue, text } = openDialogue({ lines });
    await dialogue.ask(height);
    assertEquals(await dialogue.review("Is this right", ["hub-height"], [columns]), ["column"]);
    assertEquals(await dialogue.ask(height), ["80"]);
    assertStringIncludes(text(), "\n   2  something else: Column\n");
    assertStringIncludes(text(), '  "-999 means missing" is not a number from 1 to 2\n');
    assertEquals(text().match(/Is this right\?/g)?.length, 2);
  });

  it("S7: says how to go on with all answers, and with options that were not reached", async () => {
    const { dialogue } = openDialogue({ lines: ["80"], options: { column: ["a"] }, questions });
    await dialogue.ask(height);
    assertEquals(
      dialogue.formatCall(["--yes"]),
      "  deno task init \\\n    --hub-height 80 \\\n    --column a \\\n    --yes",
    );
  });

  it("L12: proposes earlier answers, but not where another file is asked about", async () => {
    const { dialogue, text } = openDialogue({ lines: ["80", ""], options: {} });
    await dialogue.ask(height);
    dialogue.forget(["hub-height"], false);
    assertEquals(await dialogue.ask(height, { answers: ["70"] }), ["70"]);
    assertStringIncludes(text(), "Hub height in m [70]: ");
  });

  it("shows of many proposed answers the first and the last", async () => {
    const { dialogue, text } = openDialogue({ lines: [""] });
    const answers = Array.from({ length: 30 }, (_, i) => `T${i + 1}`);
    await dialogue.ask({ ...columns, most: 100 }, { answers });
    assertEquals(text(), "Column [T1, T2 … T30, 30 in all]: ");
  });
});
