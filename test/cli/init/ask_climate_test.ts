import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { askClimate, type ClimateInput } from "../../../src/cli/init/ask_climate.ts";
import { climateFields as f, placeFields } from "../../../src/cli/init/fields.ts";
import { InputFiles, shortPath } from "../../../src/cli/init/input_files.ts";
import { MisuseError } from "../../../src/cli/command/command.ts";
import { openDialogue } from "./_dialogue.ts";

/** The declaration of climate read from files. */
function filesOf(input: ClimateInput | undefined) {
  return input && !("source" in input.source) ? input.source : undefined;
}

const CLIMATE = "Reanalysis data";

describe("questions about the climate", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** Writes three hours of climate, and returns the path. */
  async function write(name: string, columns: string): Promise<string> {
    const values = columns.split(",").map((_, i) => 10 + i).join(",");
    const rows = [0, 1, 2].map((hour) => `2020-01-01 0${hour}:00,${values}`);
    await Deno.writeTextFile(`${folder}/${name}`, [`time,${columns}`, ...rows, ""].join("\n"));
    return `${folder}/${name}`;
  }

  /** Missing or wrong options without a terminal. */
  async function listMissing(options: Record<string, string[]>, yes = true): Promise<string> {
    const { dialogue, find } = openDialogue({ options, yes });
    const ask = () => find(() => askClimate(dialogue, new InputFiles()));
    return (await assertRejects(ask, MisuseError)).message;
  }

  it("S12, L1: require zone and point unless the files prove them, and list everything missing", async () => {
    const file = await write("one.csv", "wind_speed_100,wind_direction_100");
    assertEquals((await listMissing({ climate: [file] })).match(/^ {2}--[\w-]+/gm), [
      "  --climate-time-zone",
      "  --climate-position",
    ]);
  });

  it("allow fetching: they ask for the first year and the points, and read no file", async () => {
    const { dialogue, text, find } = openDialogue({
      answers: {
        [CLIMATE]: ["cds", "open-meteo"],
        "year, month or day": ["1930", "2005"],
        review: [f.from.name, f.files.name],
      },
    });
    assertEquals(await find(() => askClimate(dialogue, new InputFiles())), {
      source: { source: "open-meteo", points: 1, from: `${new Date().getUTCFullYear() - 20}` },
      oneHeight: false,
    });
    assertStringIncludes(text(), "1940 or later");
    assertStringIncludes(text(), "needs a free key");
    assertStringIncludes(text(), "for non-commercial use");
  });

  it("accept a source as an option with --yes, from twenty years before", async () => {
    const { dialogue, find } = openDialogue({ options: { climate: ["cds"] }, yes: true });
    const first = new Date().getUTCFullYear() - 20;
    assertEquals(await find(() => askClimate(dialogue, new InputFiles())), {
      source: { source: "cds", points: 1, from: `${first}` },
      oneHeight: false,
    });
  });

  it("allow fetching or reading, not both", async () => {
    const file = await write("both.csv", "wind_speed_100,wind_direction_100");
    assertStringIncludes(
      await listMissing({ climate: ["cds", file] }),
      "--climate FILE: With cds, init fetches ERA5 and does not read files. Give either cds or files",
    );
  });

  it("M11: list also the exponent of wind at one height before the climate can be read", async () => {
    const file = await write("two.csv", "wind_speed_100,wind_direction_100");
    assertStringIncludes(
      await listMissing({ climate: [file] }, false),
      "--shear TEXT: Wind shear up to hub height",
    );
  });

  it("M9: show an unknown unit, and --yes does not accept the rest without it", async () => {
    const columns = "wind_speed_100m (mp/h),wind_speed_10,wind_direction_10,temperature_2m (°F)";
    const file = await write("N55.5_E8.csv", columns);
    assertStringIncludes(
      await listMissing({ climate: [file] }),
      'the unit of "wind_speed_100m (mp/h)" is unknown',
    );
    const wind = "wind_speed_10=wind_speed_10 m/s, wind_direction_10=wind_direction_10 deg";
    const { dialogue, text, find } = openDialogue({
      answers: {
        [CLIMATE]: file,
        "longitude of the point of the climate": "55.5, 8",
        review: f.variables.name,
        "climate variables": ["wind_speed_10=wind_speed_10", "cloud=x", wind],
        "time zone": "UTC",
        "what a value is of": "",
        "hub height": "",
      },
    });
    const input = await find(() => askClimate(dialogue, new InputFiles()));
    assertStringIncludes(text(), "The unit of wind_speed_10 is missing. End with m/s or");
    assertStringIncludes(text(), "is not a climate variable");
    assertEquals(Object.keys(filesOf(input)?.variables ?? {}), [
      "wind_speed_10",
      "wind_direction_10",
    ]);
    assertEquals([filesOf(input)?.latitude, input?.oneHeight], [55.5, true]);
  });

  for (
    const [name, point, reason] of [
      ["cl_cds_ts.csv", "55.5, 8", 'from its columns "latitude" and "longitude"'],
      ["cl_om.csv", "55.5, 8", "from the lines above its table"],
    ] as const
  ) {
    it(`SI9: use the point in ${name}, and show its distance`, async () => {
      const file = new URL(`ugly/${name}`, import.meta.url).pathname;
      const { dialogue, text, find } = openDialogue({
        options: {
          climate: [file],
          position: ["55.6, 7.92"],
          "climate-time-zone": ["UTC"],
        },
        yes: true,
      });
      const input = await find(async () => {
        await dialogue.ask(placeFields.position);
        return await askClimate(dialogue, new InputFiles());
      });
      const { latitude, longitude } = filesOf(input)!;
      assertEquals([latitude, longitude], [55.5, 8]);
      assertStringIncludes(text(), `climate-position: ${point} (${reason})`);
      assertStringIncludes(text(), "55.5 N, 8 E (12.2 km from the turbine): 2020-06-01T00:00Z to ");

      const refused = `--climate-position LAT,LON: ${
        shortPath(file)
      } has the point 55.5, 8 (${reason})`;
      const other = { climate: [file], "climate-position": ["55.6, 7.92"] };
      assertStringIncludes(await listMissing(other), refused);
    });
  }

  it("SI9: use no point from a file with several", async () => {
    const rows = ["55.5,8", "55.5,8.25"].flatMap((point) =>
      [0, 1].map((hour) => `2020-01-01 0${hour}:00Z,5,200,${point}`)
    ).sort();
    await Deno.writeTextFile(
      `${folder}/several.csv`,
      ["time,wind_speed_100,wind_direction_100,lat,lon", ...rows, ""].join("\n"),
    );
    assertEquals(
      (await listMissing({ climate: [`${folder}/several.csv`] })).match(/^ {2}--[\w-]+/gm),
      ["  --climate-position"],
    );
  });

  it("M9: ask again for the places if the climate is too far away", async () => {
    const file = await write("N55.5_E8.csv", "wind_speed_100,wind_direction_100");
    const { dialogue, text, find } = openDialogue({
      options: { "climate-position": ["55.5, 8"] },
      answers: {
        "longitude of the turbine": ["55.6, -7.9", "55.6, 7.9"],
        "longitude of the point of the climate": "",
        [CLIMATE]: file,
        "time zone": "UTC",
        "what a value is of": "",
        "hub height": "",
      },
    });
    const input = await find(async () => {
      await dialogue.ask(placeFields.position);
      return await askClimate(dialogue, new InputFiles());
    });
    assertStringIncludes(
      text().replaceAll(/\s+/g, " "),
      "km away, more than 50 km. Check the signs",
    );
    assertEquals([filesOf(input)?.longitude, dialogue.value(placeFields.position)], [8, {
      latitude: 55.6,
      longitude: 7.9,
    }]);
  });
});
