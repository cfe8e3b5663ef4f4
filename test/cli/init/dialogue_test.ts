import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MisuseError } from "../../../src/cli/command.ts";
import {
  productionFields as production,
  turbineFields as turbine,
} from "../../../src/cli/init/fields.ts";
import { StoppedError } from "../../../src/cli/init/terminal.ts";
import { openDialogue } from "./_dialogue.ts";

const { hub_height: height } = turbine;
const { column, unit } = production;
const fields = [height, column, unit];
const proven = { value: 80, reason: "as its neighbour", trust: "proven" } as const;

describe("Dialogue", () => {
  it("explains a wrong answer and asks again", async () => {
    const { dialogue, text } = openDialogue({ answers: { hub: ["", "x", "500", " 80 "] } });
    assertEquals(await dialogue.ask(height), 80);
    assertStringIncludes(text(), "An answer is needed");
    assertStringIncludes(text(), 'hub-height is "x". Give the height of the hub above ground in m');
    assertStringIncludes(text(), "hub-height is 500. Give");
  });

  it("takes what files prove without asking, says why, and asks for all else", async () => {
    const { dialogue, text, asked } = openDialogue({ answers: { hub: "" } });
    assertEquals(await dialogue.ask(height, proven), 80);
    assertEquals([text(), asked.length], ["hub-height: 80 (as its neighbour)", 0]);
    const { dialogue: other, text: said } = openDialogue({ answers: { hub: "" } });
    assertEquals(await other.ask(height, { ...proven, trust: "usual" }), 80);
    assertEquals(said(), `${height.about} (as its neighbour)`);
  });

  it("takes choices by their codes, in a terminal and as options", async () => {
    const choices = ["time", "Wind speed, mean", "power"].map((value) => ({ value }));
    const { dialogue } = openDialogue({ answers: { column: "time|power" } });
    assertEquals(await dialogue.ask(column, { choices }), ["time", "power"]);
    const { dialogue: option } = openDialogue({ options: { [column.name]: ["3"] } });
    assertEquals(await option.ask(column, { choices }), undefined);
    assertThrows(
      () => option.assertComplete(),
      MisuseError,
      '--production-column TEXT: "3" is not one of time, Wind speed, mean, power',
    );
  });

  it("asks for a wrong option, and not for a right one", async () => {
    const { dialogue } = openDialogue({
      answers: { hub: "80" },
      options: { [height.name]: ["8000"], [column.name]: ["a"] },
      fields,
    });
    assertEquals(await dialogue.ask(height), 80);
    assertEquals(await dialogue.ask(column), "a");
    assertEquals(
      dialogue.formatCall(),
      "  deno task init \\\n    --hub-height 80 \\\n    --production-column a",
    );
  });

  it("L12: proposes what was answered where it is asked once more, but not of another file", async () => {
    const { dialogue } = openDialogue({ answers: { hub: ["70", "", "90"] } });
    await dialogue.ask(height);
    dialogue.askAgain([height]);
    assertEquals(await dialogue.ask(height, proven), 70);
    dialogue.forget([height]);
    assertEquals(await dialogue.ask(height, proven), 80);
  });

  it("asks nothing without a terminal, and collects all that is missing or wrong", async () => {
    const { dialogue } = openDialogue({ options: { [column.name]: ["x"] } });
    await dialogue.ask(height, { ...proven, trust: "usual" });
    await dialogue.ask(column, { choices: [{ value: "a" }, { value: "b" }] });
    await dialogue.ask(unit, { value: "kW", reason: "perhaps", trust: "unsure" });
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    assertStringIncludes(
      message,
      '\n  --production-column TEXT: "x" is not one of a, b\n' +
        "  --production-unit kW|MW|kWh|MWh|W|GW|Wh|GWh: The unit of the production (perhaps kW (perhaps); --yes does not " +
        "take it)\nAnd these, or --yes:\n" +
        "  --hub-height NUMBER: The height of the hub above ground in m (--yes takes 80 (as its neighbour))",
    );
  });

  it("S12, M9: takes with --yes what is usual and right, and nothing else", async () => {
    const { dialogue } = openDialogue({ yes: true });
    assertEquals(await dialogue.ask(unit), undefined);
    assertEquals(await dialogue.ask(column, { value: "a", trust: "unsure" }), undefined);
    assertEquals(await dialogue.ask(height, { value: 80 }, () => "too high"), undefined);
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    assertEquals(message.match(/^ {2}--[\w-]+/gm)?.length, 3);
    assertStringIncludes(message, "--hub-height NUMBER: too high");
    const { dialogue: usual } = openDialogue({ yes: true });
    assertEquals(await usual.ask(height, { value: 80 }), 80);
  });

  it("M10: refuses options that nothing asked for", async () => {
    const options = { [height.name]: ["80"], [column.name]: ["a"] };
    const { dialogue } = openDialogue({ options, fields });
    await dialogue.ask(height);
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    assertStringIncludes(message, "Leave them out:\n  --production-column a");
    assertEquals(dialogue.formatCall(), "  deno task init \\\n    --hub-height 80");
  });

  it("S5, N13: asks only for the answer that is wrong once more, or for what was not asked", async () => {
    const { dialogue, text } = openDialogue({
      answers: { hub: "80", column: ["a", "b"], review: [column.name, unit.name], unit: "kW" },
    });
    await dialogue.ask(height);
    await dialogue.ask(column);
    assertEquals(await dialogue.review("Is this right?", fields), false);
    assertEquals([await dialogue.ask(height), await dialogue.ask(column)], [80, "b"]);
    assertEquals(await dialogue.review("Is this right?", fields), false);
    assertEquals([dialogue.wants(unit), await dialogue.ask(unit)], [true, "kW"]);
    assertEquals(await dialogue.review("Is this right?", fields), true);
    assertEquals(text().match(/Is this right\?/g)?.length, 3);
  });

  it("S7: says how to go on with all answers, quoted for a shell, and with options that were not reached", async () => {
    const { dialogue } = openDialogue({
      answers: { column: "it's|-1" },
      options: { [unit.name]: ["kW"] },
      fields,
    });
    await dialogue.ask(column, { choices: [{ value: "it's" }, { value: "-1" }] });
    assertEquals(
      dialogue.formatCall(["--yes"]),
      `  deno task init \\\n    --production-column 'it'\\''s' \\\n    --production-column=-1 \\\n` +
        "    --production-unit kW \\\n    --yes",
    );
  });

  it("ends at Ctrl-C", async () => {
    const { dialogue } = openDialogue({ answers: {} });
    await assertRejects(() => dialogue.ask(height), StoppedError, "Stopped by Ctrl-C");
  });

  it("shows of many proposed answers the first and the last", async () => {
    const { dialogue, text } = openDialogue({ answers: {} });
    const value = Array.from({ length: 30 }, (_, i) => `T${i + 1}`);
    await dialogue.ask(column, { value, reason: "all", trust: "proven" });
    assertEquals(text(), "production-column: T1, T2 … T30, 30 in all (all)");
  });
});
