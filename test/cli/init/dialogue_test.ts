import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MisuseError } from "../../../src/cli/command/command.ts";
import {
  productionFields as production,
  turbineFields as turbine,
} from "../../../src/cli/init/fields.ts";
import { StoppedError } from "../../../src/cli/init/terminal.ts";
import { openDialogue } from "./_dialogue.ts";

const { hub_height: height } = turbine;
const { column, unit } = production;
const proposal = { value: 80, reason: "as its neighbour" };
const proven = { ...proposal, trust: "proven" } as const;
const unsure = { ...proposal, trust: "unsure" } as const;

/** The message about missing, wrong or unused options. */
async function refuse(
  { find }: ReturnType<typeof openDialogue>,
  ask: () => Promise<unknown>,
): Promise<string> {
  return (await assertRejects(() => find(ask), MisuseError)).message;
}

describe("Dialogue", () => {
  it("explains a wrong answer and asks again", async () => {
    const { dialogue, text } = openDialogue({ answers: { hub: ["", "x", "500", " 80 "] } });
    assertEquals(await dialogue.ask(height), 80);
    assertStringIncludes(text(), "Give an answer");
    assertStringIncludes(text(), 'hub-height is "x". Give the height of the hub above ground in m');
    assertStringIncludes(text(), "hub-height is 500. Give");
  });

  it("shows all proven and assumed values on one screen, with the reasons, without asking for them", async () => {
    for (
      const [known, line] of [
        [proven, "hub-height: 80 (as its neighbour)"],
        [proposal, "hub-height: 80 (assumed: as its neighbour)"],
        [unsure, "hub-height: 80 (assumed: as its neighbour)"],
      ] as const
    ) {
      const { dialogue, find, text, asked } = openDialogue({ answers: { column: "a" } });
      await find(async () => {
        await dialogue.ask(height, known);
        await dialogue.ask(column);
        dialogue.note("Left out: notes.csv");
      });
      assertStringIncludes(
        text(),
        `From your files and answers:\n  production-column: a\n  ${line}\nLeft out: notes.csv`,
      );
      assertEquals(asked, [column.about, "Is this right?"]);
    }
  });

  it("accepts choices by their codes, in a terminal and as options", async () => {
    const choices = ["time", "Wind speed, mean", "power"].map((value) => ({ value }));
    const { dialogue } = openDialogue({ answers: { column: "time|power" } });
    assertEquals(await dialogue.ask(column, { choices }), ["time", "power"]);
    const option = openDialogue({ options: { [column.name]: ["3"] } });
    assertStringIncludes(
      await refuse(option, () => option.dialogue.ask(column, { choices })),
      '--production-column TEXT: "3" is not one of time, Wind speed, mean, power',
    );
  });

  it("asks for a wrong option, but not for a right one", async () => {
    const { dialogue } = openDialogue({
      answers: { hub: "80" },
      options: { [height.name]: ["8000"], [column.name]: ["a"] },
    });
    assertEquals(await dialogue.ask(height), 80);
    assertEquals(await dialogue.ask(column), "a");
    assertEquals(
      dialogue.formatCall([]),
      "  deno task init \\\n    --production-column a \\\n    --hub-height 80",
    );
  });

  it("asks nothing without a terminal, and collects all missing or wrong options", async () => {
    const setting = openDialogue({ options: { [column.name]: ["x"] } });
    const { dialogue } = setting;
    const message = await refuse(setting, async () => {
      await dialogue.ask(height, proposal);
      await dialogue.ask(column, { choices: [{ value: "a" }, { value: "b" }] });
      await dialogue.ask(unit, { value: "kW", reason: "perhaps", trust: "unsure" });
    });
    assertStringIncludes(
      message,
      "\n  --hub-height NUMBER: The height of the hub above ground in m (--yes accepts 80 (as its neighbour))" +
        '\n  --production-column TEXT: "x" is not one of a, b' +
        "\n  --production-unit kW|MW|kWh|MWh|W|GW|Wh|GWh: The unit of the production (perhaps kW (perhaps), but too uncertain " +
        "for --yes)",
    );
  });

  it("S12, M9: accepts with --yes only usual and right values", async () => {
    const setting = openDialogue({ yes: true });
    const { dialogue } = setting;
    const message = await refuse(setting, async () => {
      assertEquals(await dialogue.ask(unit), undefined);
      assertEquals(await dialogue.ask(column, { value: "a", trust: "unsure" }), undefined);
      assertEquals(await dialogue.ask(height, proposal, () => "too high"), undefined);
    });
    assertEquals(message.match(/^ {2}--[\w-]+/gm)?.length, 3);
    assertStringIncludes(message, "--hub-height NUMBER: too high");
    const { dialogue: usual } = openDialogue({ yes: true });
    assertEquals(await usual.ask(height, proposal), 80);
    const person = openDialogue({ yes: true, answers: { hub: "70" } });
    assertEquals(await person.dialogue.ask(height, unsure), 70);
  });

  it("M10: refuses unused options", async () => {
    const setting = openDialogue({ options: { [height.name]: ["80"], [column.name]: ["a"] } });
    const message = await refuse(setting, () => setting.dialogue.ask(height));
    assertStringIncludes(message, "Omit them:\n  --production-column a");
    assertEquals(setting.dialogue.formatCall([]), "  deno task init \\\n    --hub-height 80");
  });

  it("S5, L12: asks again only for the wrong line, with the old answer as the proposal", async () => {
    const { dialogue, find, text, asked } = openDialogue({
      answers: {
        hub: "70",
        column: ["a", "b", ""],
        review: [column.name, height.name, column.name],
      },
    });
    const answers = await find(async () => [
      await dialogue.ask(height, proven),
      await dialogue.ask(column),
    ]);
    assertEquals(answers, [70, "b"]);
    assertEquals(text().match(/Is this right\?/g)?.length, 4);
    assertEquals(asked.filter((about) => about.startsWith(height.about)).length, 1);
  });

  it("forgets values that depend on an answer taken back", async () => {
    const { dialogue, find } = openDialogue({
      answers: {
        "production: a file": ["a.csv", "b.csv"],
        "unit of": ["kW", "MW"],
        review: "production",
      },
    });
    const answers = await find(async () => [
      await dialogue.ask(production.file),
      await dialogue.ask(unit),
    ]);
    assertEquals(answers, ["b.csv", "MW"]);
  });

  it("S7: says how to resume with all answers, quoted for a shell, and with options not reached yet", async () => {
    const { dialogue } = openDialogue({
      answers: { column: "it's|-1" },
      options: { [unit.name]: ["kW"] },
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

  it("shows only the first and the last of many values", async () => {
    const { dialogue, find, text } = openDialogue({ answers: {} });
    const value = Array.from({ length: 30 }, (_, i) => `T${i + 1}`);
    await find(() => dialogue.ask(column, { value, reason: "all", trust: "proven" }));
    assertStringIncludes(text(), "production-column: T1, T2 … T30, 30 in all (all)");
  });
});
