import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { askPlace, findZone, placeQuestions } from "../../../src/cli/init/place_questions.ts";
import { openDialogue } from "./_dialogue.ts";

describe("the time zone of a place", () => {
  it("N1: is read of its city", () => {
    assertEquals(["Paris", "buenos aires", "UTC", "Europe/Oslo", "Nowhere"].map(findZone), [
      "Europe/Paris",
      "America/Buenos_Aires",
      "UTC",
      "Europe/Oslo",
      "Nowhere",
    ]);
  });

  it("N1: is not proposed where that of the computer does not fit the longitude", async () => {
    for (const longitude of ["-100", "150"]) {
      const { dialogue, text } = openDialogue({ lines: ["Hill", "0", longitude, "0", "Paris"] });
      await askPlace(dialogue, placeQuestions.name);
      assertStringIncludes(text(), "in which its months begin: ");
      assertEquals(dialogue.answers.get("time-zone"), ["Europe/Paris"]);
    }
  });
});
