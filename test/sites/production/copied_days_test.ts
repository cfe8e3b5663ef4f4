/**
 * Days copied over others, for example a month exported again under the name of the next: found by an import and by
 * `checkQuality()`, and not fitted.
 *
 * @module
 */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import { checkQuality, readProduction } from "../../../mod.ts";
import { findOutages } from "../../../src/screening/values/hourly_power.ts";
import { factorOf, importFile, type TestSite, wholeExample, withSite } from "../_site.ts";

const RATED = 2300;
const DAY = 24;

/** Reads the hourly production of the sample. */
async function readPower(): Promise<Float64Array> {
  const { "production.csv": text } = await wholeExample();
  const rows = text.trim().split("\n").slice(1).map((row) => row.split(",")[1]);
  return Float64Array.from(rows, (power) => power === "" ? NaN : Number(power));
}

const findCopies = (power: Float64Array) =>
  findOutages(power, RATED).filter(({ kind }) => kind === "copied")
    .map(({ from, to, message }) => [from, to, message]);

describe("SI5 hours that equal earlier ones", () => {
  let power: Float64Array;

  beforeAll(async () => {
    power = await readPower();
    assert(power.length > 3 * 365 * DAY);
  });

  /** Returns the production with copied hours. */
  function copy(from: number, to: number, length: number): Float64Array {
    const copied = power.slice();
    copied.set(power.subarray(from, from + length), to);
    return copied;
  }

  /** The first hours from a position on that vary. */
  const isWind = (value: number) => value > 0.01 * RATED && value < 0.9 * RATED;

  it("SI5 are not found in years of production, even if it is rounded", () => {
    for (const digit of [0, 1, 10, 50, 100]) {
      const rounded = digit === 0 ? power : power.map((value) => Math.round(value / digit) * digit);
      assertEquals(findCopies(rounded), [], `${digit} kW`);
    }
  });

  it("SI5 are found for a copied month, week or day, at day limits and across clock changes", () => {
    const begin = power.findIndex((_, i) => power.subarray(i, i + DAY).every(isWind));
    for (const days of [1, 7, 28, 31]) {
      for (const later of [31 * DAY, 31 * DAY - 1, 31 * DAY + 1, 365 * DAY]) {
        const length = days * DAY;
        const copies = findCopies(copy(begin, begin + later, length));
        assertEquals(copies.length, 1, `${days} days, ${later} h later`);
        const [from, to, message] = copies[0] as [number, number, string];
        // Calms and full load at the ends may be excluded.
        assert(from >= begin + later && from < begin + later + DAY, `from ${from - begin - later}`);
        assert(to <= begin + later + length && to > begin + later + length - 3 * DAY, `to ${to}`);
        assertEquals(
          message,
          `${to - from} h equal to the hours ${Math.round(later / DAY)} days before`,
        );
      }
    }
  });

  it("SI5 are found around missing hours, in parts", () => {
    const copied = copy(100 * DAY, 131 * DAY, 28 * DAY);
    copied.fill(NaN, 140 * DAY, 140 * DAY + 5);
    const copies = findCopies(copied);
    assert(copies.length >= 2);
    const isIn = ([from, to]: (string | number)[]) =>
      Number(from) < 140 * DAY && Number(to) > 140 * DAY;
    assertEquals(copies.filter(isIn), []);
    const hours = copies.reduce((sum, [from, to]) => sum + Number(to) - Number(from), 0);
    assert(hours > 26 * DAY, `${hours} h`);
  });

  it("SI5 are not found in calms, standstill, full load, a power limit or a repeating series", () => {
    for (const value of [0, -8, RATED, RATED * 1.01, 0.5 * RATED]) {
      const blocks = power.slice();
      for (const at of [50, 81, 112, 300]) blocks.fill(value, at * DAY, (at + 20) * DAY);
      assertEquals(findCopies(blocks), [], `${value} kW`);
    }
    // At full load with calms between, and between two limits.
    for (
      const values of [
        [0, RATED],
        [0.4 * RATED, 0.6 * RATED],
        [0.2, 0.4, 0.6].map((x) => x * RATED),
      ]
    ) {
      const blocks = power.slice();
      for (const at of [50, 81, 112]) {
        for (let i = 0; i < 20 * DAY; i++) blocks[at * DAY + i] = values[i % values.length];
      }
      assertEquals(findCopies(blocks), []);
    }
    assertEquals(findCopies(Float64Array.from({ length: 8760 }, (_, i) => 300 + i % 100)), []);
    assertEquals(findCopies(new Float64Array(8760).fill(NaN)), []);
    assertEquals(findCopies(new Float64Array(10)), []);
  });
});

describe("SI5 a month copied over the next", () => {
  /** Copies January 2023 over February. */
  function copyMonth(site: TestSite): Promise<void> {
    return site.editLines("production.csv", (lines) => {
      const january = new Map(
        lines.filter((line) => line.startsWith("2023-01")).map((line) => {
          const [time, power] = line.split(",");
          return [time.slice(8), power];
        }),
      );
      return lines.map((line) => {
        const [time] = line.split(",");
        return time.startsWith("2023-02") ? `${time},${january.get(time.slice(8))}` : line;
      });
    });
  }

  const LINE =
    "copied, 672 h: 2023-02 (671 h), 2023-03 (1 h). The same values occur earlier in the record, so these are " +
    "probably a copy: ask for the original records. The fit excludes them.";

  it("SI5 is found by an import, and not fitted", async () => {
    const results: [string[], number][] = [];
    for (const change of [undefined, copyMonth]) {
      await withSite(async (site, data) => {
        await change?.(site);
        const result = await importFile(await site.siteFile(), data);
        results.push([[...result.turbines[0].findings], factorOf(result)]);
      });
    }
    const [[plain, k], [copied, other]] = results;
    assertEquals(plain.filter((line) => line.startsWith("copied")), []);
    const copies = copied.filter((line) => line.startsWith("copied"));
    assertEquals(copies.length, 1);
    assertEquals(copies[0].replaceAll(/\d+ h\b/g, "… h"), LINE.replaceAll(/\d+ h\b/g, "… h"));
    assertNotEquals(k, other);
    assert(Math.abs(other / k - 1) < 0.01, `${k} ${other}`);
  });

  it("SI5 is found by checkQuality()", async () => {
    await withSite(async (site) => {
      await copyMonth(site);
      const production = await readProduction(site.path("production.csv"), {
        column: "power",
        time: "time",
        resolution: "hour",
        unit: "kW",
      });
      const rows = checkQuality(production, { ratedPower: RATED }).frames.problems.toRecords();
      const copied = rows.filter(({ kind }) => kind === "copied");
      assert(copied.length > 0 && copied.every(({ hours }) => Number(hours) >= DAY));
      assertStringIncludes(String(copied[0].message), " h equal to the hours 31 days before");
    });
  });
});
