import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { askClimate, type ClimateInput } from "../../../src/cli/init/ask_climate.ts";
import { placeQuestions } from "../../../src/cli/init/place_questions.ts";
import { InputFiles } from "../../../src/cli/init/input_files.ts";
import { MisuseError } from "../../../src/cli/command.ts";
import { openDialogue } from "./_dialogue.ts";

/** The declaration of climate that was read of files. */
function filesOf(found: ClimateInput | undefined) {
  return found && !("source" in found.source) ? found.source : undefined;
}

describe("climate that is asked for", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** Writes three hours of climate, and gives its path. */
  async function write(name: string, columns: string): Promise<string> {
    const values = columns.split(",").map((_, i) => 10 + i).join(",");
    const rows = [0, 1, 2].map((hour) => `2020-01-01 0${hour}:00,${values}`);
    await Deno.writeTextFile(`${folder}/${name}`, [`time,${columns}`, ...rows, ""].join("\n"));
    return `${folder}/${name}`;
  }

  it("S12, L1: needs zone and point where nothing proves them, and says all that is missing", async () => {
    const file = await write("one.csv", "wind_speed_100,wind_direction_100");
    const { dialogue } = openDialogue({ options: { climate: [file] }, yes: true });
    assertEquals(await askClimate(dialogue, new InputFiles()), undefined);
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    assertEquals(message.match(/^ {2}--[\w-]+/gm), [
      "  --climate-zone",
      "  --climate-latitude",
      "  --climate-longitude",
    ]);
  });

  it("may be fetched: it asks for the first year and the points, and reads no file", async () => {
    const { dialogue, text } = openDialogue({
      lines: ["cds", "1930", "2005", "2", "4", "no", "1", "open-meteo", ""],
    });
    assertEquals(await askClimate(dialogue, new InputFiles()), {
      source: { source: "open-meteo", points: 4, from: "2005" },
      oneHeight: false,
    });
    assertStringIncludes(text(), "1930 is not from 1940 to ");
    assertStringIncludes(text(), '"2" is not 1 or 4');
    assertStringIncludes(text(), "needs a free key");
    assertStringIncludes(text(), "for non-commercial use");
  });

  it("is fetched by an option with --yes, from twenty years before", async () => {
    const { dialogue } = openDialogue({ options: { climate: ["cds"] }, yes: true });
    const first = new Date().getUTCFullYear() - 20;
    assertEquals(await askClimate(dialogue, new InputFiles()), {
      source: { source: "cds", points: 1, from: `${first}` },
      oneHeight: false,
    });
    dialogue.assertComplete();
  });

  it("is fetched or read, not both", async () => {
    const file = await write("both.csv", "wind_speed_100,wind_direction_100");
    const { dialogue } = openDialogue({ options: { climate: ["cds", file] }, yes: true });
    assertEquals(await askClimate(dialogue, new InputFiles()), undefined);
    assertThrows(
      () => dialogue.assertComplete(),
      MisuseError,
      "--climate FILE: cds fetches ERA5, which takes no files. Give one of them",
    );
  });

  it("M11: lists also the exponent of wind at one height before the climate can be read", async () => {
    const file = await write("two.csv", "wind_speed_100,wind_direction_100");
    const { dialogue } = openDialogue({ options: { climate: [file] } });
    await askClimate(dialogue, new InputFiles());
    assertThrows(() => dialogue.assertComplete(), Error, "--shear EXPONENT");
  });

  it("M9: shows a unit that is not read, and --yes does not take the rest without it", async () => {
    const columns = "wind_speed_100m (mp/h),wind_speed_10,wind_direction_10,temperature_2m (°F)";
    const file = await write("N55.5_E8.csv", columns);
    const { dialogue } = openDialogue({ options: { climate: [file] }, yes: true });
    await askClimate(dialogue, new InputFiles());
    assertThrows(
      () => dialogue.assertComplete(),
      Error,
      'those above with a unit, without "wind_speed_100m (mp/h)",',
    );
    const { dialogue: asked, text } = openDialogue({
      lines: [
        file,
        "",
        "",
        "UTC",
        "",
        "",
        "",
        "",
        "",
        "no",
        "4",
        "wind_speed_10=wind_speed_10 m/s, " +
        "wind_direction_10=wind_direction_10 deg",
        "",
        "",
      ],
    });
    const found = await askClimate(asked, new InputFiles());
    assertStringIncludes(text(), "\n  temperature        temperature_2m (°F)     ?\n");
    assertEquals(Object.keys(filesOf(found)?.variables ?? {}), [
      "wind_speed_10",
      "wind_direction_10",
    ]);
    assertEquals([filesOf(found)?.latitude, found?.oneHeight], [55.5, true]);
  });

  it("M9: asks again for the places where the climate is too far away", async () => {
    const file = await write("N55.5_E8.csv", "wind_speed_100,wind_direction_100");
    const { dialogue, text } = openDialogue({
      lines: ["55.6", "-7.9", file, "", "", "UTC", "", "", "", "", "0.14", "", "7.9", "", "", ""],
    });
    await dialogue.ask(placeQuestions.latitude);
    await dialogue.ask(placeQuestions.longitude);
    const found = await askClimate(dialogue, new InputFiles());
    assertStringIncludes(
      text().replaceAll(/\s+/g, " "),
      "km away, more than 50 km. Check the signs",
    );
    assertEquals([filesOf(found)?.longitude, dialogue.answers.get("longitude")], [8, ["7.9"]]);
  });
});
