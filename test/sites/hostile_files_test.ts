/**
 * Files that would exhaust memory, never end, or be unreachable after the import. Each is rejected with its place.
 *
 * @module
 */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { ArgumentError, DataFormatError } from "../../src/api/errors.ts";
import { parseJsonFile } from "../../src/frames/files/json.ts";
import { parseSite } from "../../src/sites/declaration/site_file.ts";
import { readSite } from "../../src/sites/import_site.ts";
import { netcdfFile } from "../frames/netcdf/_netcdf.ts";
import { makeSite, type TestSite } from "./_site.ts";

/** Returns the error of an import of a changed site. */
async function failure(change: (site: TestSite) => void | Promise<void>): Promise<Error> {
  const site = await makeSite();
  try {
    await change(site);
    const path = await site.siteFile();
    return await assertRejects(async () => readSite(await readSiteFile(path)), Error);
  } finally {
    await Deno.remove(site.folder, { recursive: true });
  }
}

/** Returns the message for a site file with another value in its first turbine or dataset. */
async function refusal(
  change: (declared: Record<string, unknown>, turbine: Record<string, unknown>) => void,
): Promise<string> {
  const site = await makeSite();
  const declared = JSON.parse(JSON.stringify(site.declared));
  change(declared, declared.turbines[0]);
  await Deno.remove(site.folder, { recursive: true });
  return assertThrows(
    () => parseSite(parseJsonFile(JSON.stringify(declared), "s.json"), "import s.json"),
    ArgumentError,
  )
    .message;
}

describe("a site file", () => {
  it("F55 H6: must be UTF-8, with or without a byte order mark", async () => {
    const file = await Deno.makeTempFile();
    await Deno.writeFile(file, new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]));
    await assertRejects(() => readSiteFile(file), ArgumentError, "site: is missing");
    await Deno.writeFile(file, new Uint8Array([0x7b, 0x22, 0x54, 0xf8, 0x22, 0x7d]));
    await assertRejects(
      () => readSiteFile(file),
      DataFormatError,
      `Cannot read ${file}: byte 3 is not UTF-8. Save it as UTF-8`,
    );
    await Deno.remove(file);
  });

  it("F28 F55 H6: is rejected with a duplicate key or if nested too deeply", () => {
    for (
      const [text, problem] of [
        ['{"site":"a","site":"b"}', 'the key "site" is duplicated in one object'],
        ["[".repeat(10_000), "arrays and objects are more than 100 deep"],
      ]
    ) {
      const { message } = assertThrows(
        () => parseSite(parseJsonFile(text, "s.json"), "import s.json"),
        ArgumentError,
      );
      assertStringIncludes(
        message,
        `Cannot read s.json: it is not valid JSON (${problem}`,
      );
    }
  });

  it("F55 H6: may have only identifiers that are valid in requests and visible", async () => {
    for (
      const id of [
        "..",
        ".",
        "a\0b",
        "",
        " ",
        " T1",
        "T1 ",
        "\u202eT1",
        "T\u200e1",
        "\ud800",
        "x".repeat(129),
      ]
    ) {
      const message = await refusal((_, turbine) => turbine.id = id);
      assertStringIncludes(message, "Cannot import s.json: turbines[0].id: ");
      assert(message.isWellFormed() && !/[\p{Cc}\p{Cf}]/u.test(message), message);
    }
  });

  it("F55 H6: must have well-formed texts, and attributions that fit a header", async () => {
    const cases: [string, unknown][] = [
      ["attribution[0]", ["a\ud800"]],
      ["attribution[0]", ["a\0"]],
      ["attribution[0]", ["x".repeat(301)]],
      ["attribution", Array(21).fill("line")],
      ["attribution", Array.from({ length: 20 }, () => "ø".repeat(300))],
    ];
    for (const [place, attribution] of cases) {
      const message = await refusal((declared) =>
        Object.assign(declared.dataset as object, { attribution })
      );
      assertStringIncludes(message, `Cannot import s.json: dataset.${place}: `);
    }
    const name = await refusal((_, turbine) => turbine.name = "T\udc00");
    assertStringIncludes(name, "turbines[0].name: has half of a character at character 2. Give");
  });

  it("SV5: must have texts on one line, without direction marks", async () => {
    const cases: [string, string][] = [
      ["Hill\u202e1", "a mark of the direction of text at character 5"],
      ["\u2066Hill", "a mark of the direction of text at character 1"],
      ["\ud83c\udf2c\u200f", "a mark of the direction of text at character 2"],
      ["Hi\nll", "a line break at character 3"],
      ["Hi\u2028ll", "a line break at character 3"],
      ["Hi\u0085ll", "a line break at character 3"],
      ["Hi\tll", "a control character at character 3"],
    ];
    const part = (owner: string) => [{ owner, percent: 10 }];
    const excluded = (reason: string) => [{ from: "2023-05-01", to: "2023-05-02", reason }];
    for (const [text, problem] of cases) {
      for (
        const [place, wanted, message] of [
          [
            "turbines[0].name",
            "the name of the turbine",
            await refusal((_, turbine) => turbine.name = text),
          ],
          [
            "turbines[0].ownership[0].owner",
            "the name of the owner",
            await refusal((_, turbine) => turbine.ownership = part(text)),
          ],
          [
            "turbines[0].exclude[0].reason",
            "the reason, in a few words",
            await refusal((_, turbine) => turbine.exclude = excluded(text)),
          ],
          [
            "dataset.attribution[0]",
            "an attribution, 300 characters at most",
            await refusal((site) => Object.assign(site.dataset as object, { attribution: [text] })),
          ],
        ]
      ) {
        assertStringIncludes(message, `Cannot import s.json: ${place}: has ${problem}. Give `);
        assertStringIncludes(message, wanted.split(",")[0]);
      }
    }
    const header = await refusal((_, turbine) =>
      Object.assign((turbine.production as object[])[0], { column: "Power\u202e" })
    );
    assertStringIncludes(
      header,
      "has a mark of the direction of text at character 6. Use a name without it",
    );
  });

  it("F55 H11: has at most two hundred problems listed", async () => {
    const message = await refusal((declared, turbine) =>
      declared.turbines = Array.from({ length: 1000 }, () => ({ ...turbine, name: 1 }))
    );
    assert(message.endsWith("\n  and 801 more"), message.slice(-200));
    assertEquals(message.split("\n").length, 202);
  });
});

describe("a file that a site file names", () => {
  it("F52 H7 H11: must be a regular file, not a pipe or a device", async () => {
    const device = await failure((site) => void (site.declared.climate[0].files = ["/dev/zero"]));
    assert(device instanceof ArgumentError);
    const format = await failure((site) => {
      site.declared.climate[0].files = ["/dev/zero"];
      site.declared.climate[0].format = "csv";
    });
    assertStringIncludes(
      format.message,
      "/dev/zero: it is a pipe or a device. Give the path of a file",
    );
    const pipe = await failure(async (site) => {
      await new Deno.Command("mkfifo", { args: [site.path("pipe.csv")] }).output();
      site.declared.climate[0].files = ["pipe.csv"];
    });
    assertStringIncludes(
      pipe.message,
      "pipe.csv: it is a pipe or a device. Give the path of a file",
    );
  });

  it("F37 F53 H7: is rejected for a timestamp in the year 1 or 9999, not for the unit of its values", async () => {
    for (const [year, line] of [["0001", 2], ["9999", 500]] as const) {
      const error = await failure((site) =>
        site.editLines(
          "climate.csv",
          (lines) => lines.map((text, i) => i === line - 1 ? text.replace(/^\d{4}/, year) : text),
        )
      );
      assert(error instanceof DataFormatError);
      assertStringIncludes(error.message, `Cannot use climate.csv: line ${line}: ${year}-`);
      assertStringIncludes(
        error.message,
        "is not within the years 1800 to 2199. Correct the timestamp",
      );
    }
  });

  it("F33 F53 H9: is rejected with the line of a timestamp that is off by a microsecond", async () => {
    for (const file of ["climate.csv", "production.csv"]) {
      const error = await failure((site) =>
        site.edit(file, (text) => text.replaceAll(/:00Z,/g, ":00.000001Z,"))
      );
      assert(error instanceof DataFormatError, String(error));
      assertStringIncludes(error.message, `Cannot use ${file}: line 2: 202`);
      assertStringIncludes(error.message, ":00:00.000001Z is not a whole hour");
    }
  });

  it("F53 H7: is rejected if few rows span centuries and exceed the limit of values", async () => {
    const points = Float64Array.from({ length: 10 }, (_, i) => i);
    const wind = {
      data: new Float32Array(200),
      shape: [2, 10, 10],
      dimensions: ["time", "latitude", "longitude"],
      attributes: { units: "m s**-1" },
    };
    const error = await failure(async (site) => {
      const bytes = await netcdfFile({
        time: {
          data: Float64Array.of(0, 1_900_000),
          attributes: { units: "hours since 1800-01-01" },
        },
        latitude: { data: points },
        longitude: { data: points },
        u10: wind,
        v10: wind,
      });
      await Deno.writeFile(site.path("few.nc"), bytes);
      const { dataset } = site.declared;
      Object.assign(site.declared, {
        dataset,
        climate: [{ files: ["few.nc"], stamp: "instant" }],
      });
    });
    assert(error instanceof DataFormatError, String(error));
    assertStringIncludes(
      error.message,
      "Cannot use few.nc: 1900001 hours of 300 series are more than the limit",
    );
  });

  it("F56 H11: may have at most ten thousand points of a power curve", async () => {
    const error = await failure((site) =>
      Deno.writeTextFile(
        site.path("power_curve.csv"),
        "wind_speed,power\n" +
          Array.from({ length: 1_000_000 }, (_, i) => `${i / 1e5},100\n`).join(""),
      )
    );
    assert(error instanceof DataFormatError, String(error));
    assertStringIncludes(
      error.message,
      "Cannot read power_curve.csv: line 10002: the power curve has more than 10000 points",
    );
    const listed = await refusal((_, turbine) =>
      turbine.power_curve = Array.from(
        { length: 10_001 },
        (_, i) => ({ wind_speed: i / 1000, power: 1 }),
      )
    );
    assertStringIncludes(listed, "turbines[0].power_curve");
  });
});
