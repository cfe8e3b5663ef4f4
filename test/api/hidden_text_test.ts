import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findHidden, HIDDEN_CHARACTERS } from "../../src/api/error_text.ts";
import { ArgumentError, ConfigurationError, DataFormatError } from "../../src/api/errors.ts";
import { readCsv } from "../../src/frames/csv/csv_reader.ts";
import { readFrame } from "../../src/frames/storage/read_frame.ts";
import { fleetReport } from "../../src/report/mod.ts";
import { readPublicSettings } from "../../src/service/running/service.ts";

describe("SV5: a text from a person", () => {
  it("has no character that hides or moves others; the refusal names its kind and place", () => {
    const cases: [string, string | null][] = [
      ["Møllevej 1, Ærø", null],
      ["می\u200cخواهم \u{1f468}\u200d\u{1f469}", null], // joiners belong to scripts and emoji
      ["a\u202eb", "a mark of the direction of text at character 2"],
      ["a\u061c", "a mark of the direction of text at character 2"],
      ["\u{1f32c}\r", "a line break at character 2"],
      ["a\u2029", "a line break at character 2"],
      ["\u0085", "a line break at character 1"],
      ["\u009b1m", "a control character at character 1"],
      ["\u0000", "a control character at character 1"],
      ["a\udc00", "half of a character at character 2"],
    ];
    for (const [text, problem] of cases) assertEquals(findHidden(text), problem);
    const published = new RegExp(`[${HIDDEN_CHARACTERS}]`); // the pattern in openapi.json
    for (let code = 0; code < 0xd800; code++) {
      const character = String.fromCharCode(code);
      assertEquals(published.test(character), findHidden(character) !== null);
    }
  });

  it("is refused in the same words as a title, a contact and the name of a column", async () => {
    const words = "has a mark of the direction of text at character 2";
    const report = fleetReport([], { month: "2024-01", fleet: "A\u202e" });
    await assertRejects(
      () => report.next(),
      ArgumentError,
      `fleet ${words}. Remove this character`,
    );
    const settings = () => readPublicSettings({ contact: "A\u2066" });
    assertThrows(settings, ConfigurationError, `it ${words}. Remove this character`);
    const text = "time,P\u200f\n2024-01-01T00:00Z,1\n";
    const read = () => readCsv(new TextEncoder().encode(text), [], { file: "t.csv" });
    const column = `line 1: the name of column 2 ${words}. Rename the column`;
    assertThrows(read, DataFormatError, column);
    const file = await Deno.makeTempFile({ suffix: ".csv" });
    await Deno.writeTextFile(file, text);
    await assertRejects(() => readFrame(file), DataFormatError, column.slice("line 1: ".length));
    await Deno.writeTextFile(file, text.replace("\u200f", "")); // as the message advises
    assertEquals((await readFrame(file)).columns, ["time", "P"]);
    await Deno.remove(file);
  });
});
