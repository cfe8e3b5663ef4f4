import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { exampleFile } from "../../../mod.ts";
import { InputFiles } from "../../../src/cli/init/input_files.ts";
import { askTurbine } from "../../../src/cli/init/turbine_questions.ts";
import { openDialogue } from "./_dialogue.ts";

describe("the turbine that is asked for", () => {
  it("L2: may have any rotor where the power curve is the maker's", async () => {
    const { dialogue } = openDialogue({
      lines: [await exampleFile("power_curve.csv"), "11", "13", "18", "stall", ""],
    });
    const curve = await askTurbine(dialogue, new InputFiles(), 1);
    assertEquals([curve?.power, dialogue.answers.get("rotor-diameter")], ["power", ["13"]]);
  });

  it("L2: must be one of which a power curve can be made otherwise, and says what else helps", async () => {
    const { dialogue, text } = openDialogue({ lines: ["", "2", "100", "4", "18", "", ""] });
    assertEquals(await askTurbine(dialogue, new InputFiles(), 1), undefined);
    assertStringIncludes(text(), "are 0 W/m2");
    assertStringIncludes(
      text().replaceAll(/\s+/g, " "),
      "Correct one of them, or give the maker's power curve as --curve",
    );
    assertEquals(text().includes("maxRotorSpeed"), false);
  });
});
