/**
 * The value of production compared with pandas, across both clock changes, with missing and negative prices.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { checkPerformance } from "../../src/analysis/check_performance/check_performance.ts";
import { priceProduction } from "../../src/analysis/price_production/price_production.ts";
import { readPrices } from "../../src/frames/presets/read_prices.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { hoursFrame } from "../analysis/check_performance/_performance_frames.ts";
import { jsonOfPeer, whyWithout } from "./_venv.ts";

const why = whyWithout("pandas");
const group = why ? describe.ignore : describe;

const HOUR = 3_600_000;
const START = "2023-12-31T23:00Z"; // 2024 begins in Copenhagen
const LENGTH = 366 * 24;

group(why ? `values in pandas (${why})` : "values in pandas", () => {
  it("are equal to the cent, in each month and in all steps together", async () => {
    const random = new SeededRandom("values in pandas");
    const at = (i: number) => Date.parse(START) + i * HOUR;
    const draw = (value: (i: number) => number | null) =>
      Array.from({ length: LENGTH }, (_, i) => value(i));
    const expected = draw((i) => 500 + 400 * Math.sin(i / 60) + 50 * random.normal());
    const produced = draw((i) =>
      random.uniform() < 0.02 ? null : 0.97 * expected[i]! * (1 + 0.1 * random.normal())
    );
    const price = draw(() => Number((40 + 60 * random.normal()).toFixed(2)));
    const folder = await Deno.makeTempDir();
    const clock = new Intl.DateTimeFormat("sv-SE", {
      ...{ timeZone: "Europe/Copenhagen", year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit" },
    });
    const [prices, hours] = [`${folder}/prices.csv`, `${folder}/hours.csv`];
    // Rows are missing in May, and cells in June.
    await Deno.writeTextFile(
      prices,
      "Hour,Price\n" +
        price.map((one, i) =>
          i >= 3200 && i < 3210
            ? ""
            : `${clock.format(at(i))},${i >= 4000 && i < 4030 ? "" : one}\n`
        ).join(""),
    );
    await Deno.writeTextFile(
      hours,
      "time,produced,expected\n" +
        produced.map((one, i) => `${new Date(at(i)).toISOString()},${one ?? ""},${expected[i]}\n`)
          .join(""),
    );
    const peer = await jsonOfPeer("value_production.py", {
      args: [prices, hours],
      cwd: folder,
    }) as Record<string, number | string>[];
    const frame = await readPrices(prices, {
      ...{ column: "Price", time: "Hour", resolution: "hour", unit: "EUR/MWh" },
      time_zone: "Europe/Copenhagen",
    });
    await Deno.remove(folder, { recursive: true });
    const zone = "Europe/Copenhagen";
    const production = hoursFrame(START, { power: produced }, zone);
    const predicted = hoursFrame(START, { power: expected }, zone);
    const worth = priceProduction(production, { predicted, price: frame });
    const rows = worth.frames.months.toRecords();
    assertEquals(rows.length, 12);
    assertEquals(peer.length, 12);
    for (const [i, { month, ...figures }] of peer.entries()) {
      assertEquals(new Date(rows[i].month as unknown as Date).toISOString().slice(0, 10), month);
      for (const [name, value] of Object.entries(figures)) {
        assertAlmostEquals(Number(rows[i][name]), Number(value), 0.005, `${month} ${name}`);
      }
    }
    assert(worth.low_hours > 1000);
    const { value } = checkPerformance(production, { predicted, price: frame }).verdict;
    assertAlmostEquals(
      value!.produced!,
      peer.reduce((sum, one) => sum + Number(one.value), 0),
      0.005,
    );
  });
});
