import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { HOUR } from "../../../src/time/hourly.ts";
import {
  computeDailyCycle,
  computeYearlyCycle,
} from "../../../src/plots/wind_cycles/cycle_figures.ts";
import { readLocalClock } from "../../../src/plots/parts/values.ts";
import { extractNumbers } from "../../../src/frames/frame.ts";
import { plotWindCycles } from "../../../src/plots/wind_cycles/wind_cycles.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { buildWindFrame, computeScatter } from "../_wind_frames.ts";

const ZONE = "Europe/Copenhagen";

/** Two years in which the speed is the hour of the clock in Copenhagen. */
function buildClockFrame() {
  const start = "2021-12-31T23:00Z";
  const first = Temporal.Instant.from(start).toZonedDateTimeISO(ZONE);
  const speeds = Array.from({ length: 2 * 8760 }, (_, i) => first.add({ hours: i }).hour);
  return buildWindFrame({ speeds, start, zone: ZONE });
}

/** Three years with a daily and a yearly cycle. */
function buildYears() {
  const speeds = Array.from(
    { length: 3 * 8760 },
    (_, i) =>
      8 + 2 * Math.cos(i / 8760 * 2 * Math.PI) + Math.sin(i / 24 * 2 * Math.PI) + computeScatter(i),
  );
  return buildWindFrame({ speeds, start: "2020-12-31T23:00Z", zone: ZONE, world: "sample" });
}

describe("plotWindCycles()", () => {
  it("takes hours from the clock of the frame's zone, summer time included", () => {
    const frame = buildClockFrame();
    const means = computeDailyCycle(
      extractNumbers(frame, "wind_speed"),
      readLocalClock(frame, ZONE),
    );
    assertEquals(means.length, 4 * 24);
    for (const { hour, mean } of means) assertEquals(mean, hour);
  });

  it("takes months from the calendar of the zone, and leaves out those with few values", () => {
    const frame = buildWindFrame({
      speeds: [...Array(31 * 24).fill(10), ...Array(28 * 24).fill(6), ...Array(300).fill(99)],
      start: "2022-12-31T23:00Z",
      zone: ZONE,
    });
    const clock = readLocalClock(frame, ZONE);
    const { months, leftOut } = computeYearlyCycle(
      extractNumbers(frame, "wind_speed"),
      clock,
      ZONE,
      HOUR,
    );
    assertEquals(months.map(({ month, mean }) => [month, mean]), [[1, 10], [2, 6]]);
    assertEquals(leftOut, 1);
  });

  it("shows the spread between years", () => {
    const frame = buildWindFrame({
      speeds: [...Array(8760).fill(6), ...Array(8760).fill(8)],
      start: "2021-01-01T00:00Z",
    });
    const { months } = computeYearlyCycle(
      extractNumbers(frame, "wind_speed"),
      readLocalClock(frame, "UTC"),
      "UTC",
      HOUR,
    );
    assertEquals(months.length, 12);
    for (const { mean, low, high, years } of months) {
      assertEquals([mean, low, high, years], [7, 6, 8, 2]);
    }
  });

  it("names the zone, seasons and units", async () => {
    const chart = plotWindCycles(buildYears());
    const svg = await chart.svg();
    for (
      const text of [
        "Hour of the day, Europe/Copenhagen",
        "Wind speed (m/s)",
        ">Dec to Feb<",
        ">Jun to Aug<",
        "Lowest to highest year",
        "SYNTHETIC",
      ]
    ) assertStringIncludes(svg, text);
    assertEquals(svg.match(/>Dec to Feb</g)?.length, 1, "one legend");
    assertStringIncludes(chart.altText, "over 3 years at most");
  });

  it("draws a week, one value and other columns", async () => {
    const week = buildWindFrame({ speeds: Array.from({ length: 168 }, (_, i) => i % 24) });
    assertStringIncludes(plotWindCycles(week).altText, "no yearly cycle");
    await plotWindCycles(week, { width: 200 }).svg();
    await plotWindCycles(buildWindFrame({ speeds: [5] })).svg();
    await plotWindCycles(buildWindFrame({ speeds: [5, null, NaN, Infinity] })).svg();
    const power = buildWindFrame({ speeds: [1, 2], powers: [100, 200] });
    assertStringIncludes(await plotWindCycles(power, { column: "power" }).svg(), "Power (kW)");
  });

  it("refuses frames without a daily cycle, without a zone or with several", () => {
    const frame = buildWindFrame({ speeds: [5, 6] });
    const assertRefusal = (change: () => unknown, text: string) =>
      assertThrows(change, ArgumentError, text);
    assertRefusal(
      () => plotWindCycles(buildWindFrame({ speeds: [5, 6], step: 24 * HOUR })),
      "no daily cycle",
    );
    assertRefusal(() => plotWindCycles(buildWindFrame({ speeds: [null, NaN] })), "no value");
    assertRefusal(() => plotWindCycles(frame.drop("time")), `no column "time"`);
    assertRefusal(() => plotWindCycles(frame.head(0)), "no rows");
    assertRefusal(() => plotWindCycles(frame.vstack(frame)), "2023-01-01T00:00 is duplicated");
    const naive = frame.withColumn(pl.col("time").cast(pl.Datetime("us")));
    assertRefusal(() => plotWindCycles(naive), "replaceTimeZone");
    const zones = frame.withColumn(pl.Series("time_zone", ["Europe/Berlin", "Asia/Tokyo"]));
    assertRefusal(() => plotWindCycles(zones), "2 time zones");
    const texts = frame.withColumn(pl.Series("time", ["2023-01-01", "2023-01-02"]));
    assertRefusal(() => plotWindCycles(texts), "not datetimes with a time zone");
  });

  it("stays small for 60 years, and draws the same picture as before in every time zone", async () => {
    const length = 525_960;
    const speeds = Array.from({ length }, (_, i) => 20 * computeScatter(i));
    const chart = plotWindCycles(buildWindFrame({ speeds, start: "1960-01-01T00:00Z" }));
    assert(JSON.stringify(chart.spec).length < 50_000);
    await assertSnapshot("wind_cycles", () => plotWindCycles(buildYears()));
  });

  it("refuses directions: their means by hour and month are meaningless", () => {
    const frame = buildWindFrame({ speeds: [5, 6], directions: [350, 10] });
    assertThrows(
      () => plotWindCycles(frame, { column: "wind_direction" }),
      ArgumentError,
      "plotWindRose()",
    );
  });

  it("shows a spread between the years only if there are several", async () => {
    const svg = async (hours: number) =>
      await plotWindCycles(
        buildWindFrame({ speeds: Array.from({ length: hours }, (_, i) => 9 * computeScatter(i)) }),
      ).svg();
    assert(!(await svg(8760)).includes("Lowest to highest year"));
    assertStringIncludes(await svg(2 * 8760), "Lowest to highest year");
  });
});
