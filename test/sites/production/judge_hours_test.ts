/** Faults of production shown by the wind, and faults of power curves shown by their shape: each is rejected with a remedy. */
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { refuseLateDays, refuseLevels } from "../../../src/sites/production/judge_hours.ts";
import { checkProduction } from "../../../src/sites/production/training_inputs.ts";
import { importFile, withSite } from "../_site.ts";
import { turbine } from "../_turbine.ts";

const HOUR = 3_600_000;
const DAYS = 120;

/** Expected power, kW, which varies from day to day between zero and rated power. */
const expected = Float64Array.from(
  { length: 24 * DAYS },
  (_, i) =>
    turbine.ratedPower * Math.max(0, Math.min(1, 0.6 + 0.8 * Math.sin(1.7 * Math.floor(i / 24)))),
);
const refuse = (problem: string): never => {
  throw new Error(problem);
};
const axis = { start: Date.UTC(2023, 0, 1), length: expected.length };
const format = { unit: "kW", resolution: "15min" } as const;

describe("SI6 refuseLateDays()", () => {
  it("SI6 rejects days that follow the wind of the day before, but not once they are shifted", () => {
    const late = expected.map((_, i) => expected[i - 24]);
    assertThrows(() => refuseLateDays(late, expected, refuse), Error, 'Declare stamp "end"');
    refuseLateDays(expected, expected, refuse);
  });
});

describe("SI3 refuseLevels()", () => {
  const judge = (power: Float64Array) =>
    refuseLevels(power, expected, axis, turbine, { format }, refuse);
  const power = expected.map((value, i) => value * (0.97 + 0.05 * Math.sin(7 * i)));

  it("SI3 names the unit for a quarter of rated power, and for nights in MW", () => {
    assertThrows(() => judge(power.map((value) => value / 4)), Error, 'Declare unit "kWh"');
    const nights = power.map((value, i) => i % 24 < 6 ? value / 1000 : value);
    assertThrows(() => judge(nights), Error, "probably in MW. Correct these values in the file");
    judge(power);
  });
});

describe("SI5 days equal to others", () => {
  const periods = Array.from({ length: DAYS }, (_, i) => ({
    label: `day ${i}`,
    start: Date.UTC(2023, 0, 1 + i),
    end: Date.UTC(2023, 0, 2 + i),
    energy: 9.173 * 24 * (20 + 15 * Math.sin(1.7 * i)),
  }));
  const utc = { ...turbine, timeZone: "UTC" };
  const check = (days: typeof periods) =>
    checkProduction([{ kind: "periods", periods: days }], utc).doubts.join("\n");

  it("SI5 are reported, and clean ones are not", () => {
    assertEquals(periods[0].end - periods[0].start, 24 * HOUR);
    assertEquals(check(periods), "");
    const copied = periods.map((day, i) =>
      i >= 31 && i < 59 ? { ...day, energy: periods[i - 31].energy } : day
    );
    assertStringIncludes(check(copied), "copied, 28 days, the first day 31: exactly the energy of");
  });
});

describe("SI2 the shape of a power curve in a file", () => {
  for (
    const [name, change, problem] of [
      ["a mistyped point", (line: string) => line.replace(/^9,.*/, "9,13"), "Correct that point"],
      [
        "an end before its cut-out",
        (line: string) => /^(1[5-9]|2\d),/.test(line) ? "" : line,
        "Add points up to the wind speed at which the turbine stops",
      ],
    ] as const
  ) {
    it(`SI2 ${name} is rejected`, async () => {
      await withSite(async (site, data) => {
        await site.editLines(
          "power_curve.csv",
          (lines) => lines.map(change).filter((one) => one !== ""),
        );
        const path = await site.siteFile();
        const { message } = await assertRejects(() => importFile(path, data), Error);
        assertStringIncludes(message, problem);
      });
    });
  }
});

describe("SI3 production that never reaches rated power", () => {
  it("SI3 is a problem to check at half of rated power, and none at full power", async () => {
    await withSite(async (site, data) => {
      const doubts = async (folder: string) => {
        const { turbines: [one] } = await importFile(await site.siteFile(), data + folder);
        return one.doubts.map(({ text }) => text).join("\n");
      };
      assertEquals((await doubts("/whole")).includes("of its rated power"), false);
      await site.editColumn(
        "production.csv",
        "power",
        (power) => power && String(Number(power) / 2),
      );
      assertStringIncludes(await doubts("/half"), "Its largest power is 50 % of its rated power");
    });
  });
});
