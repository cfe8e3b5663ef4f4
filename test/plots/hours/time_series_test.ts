import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { buildTimeLabels } from "../../../src/plots/grammar/axes.ts";
import { averageDirections } from "../../../src/plots/grammar/read.ts";
import { computeCompleteness, plotTimeSeries } from "../../../src/plots/hours/time_series.ts";
import { thinSeries } from "../../../src/plots/hours/thin_series.ts";
import { HOUR } from "../../../src/time/hourly.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { listViews } from "../_views.ts";
import { buildWindFrame, computeScatter } from "../_wind_frames.ts";

const parseInstant = (text: string) => Temporal.Instant.from(text).epochMilliseconds;

function buildSeries(values: readonly number[], start = "2023-01-01T00:00Z", step = HOUR) {
  const epochs = Float64Array.from(values, (_, i) => parseInstant(start) + i * step);
  return { epochs, values: Float64Array.from(values), step };
}

/** Ten weeks with a gap of two weeks, in which a single hour has a value. */
function buildTenWeeks() {
  const speeds = Array.from(
    { length: 70 * 24 },
    (_, i) => i > 500 && i < 836 && i !== 700 ? null : 8 + 5 * Math.sin(i / 30) + computeScatter(i),
  );
  return buildWindFrame({
    speeds,
    powers: speeds.map((speed) => speed === null ? null : 100 * speed),
    zone: "Europe/Copenhagen",
    start: "2023-02-28T23:00Z",
    world: "sample",
  });
}

describe("thinSeries()", () => {
  it("hides no extreme, for any series and any width", () => {
    for (let seed = 0; seed < 30; seed++) {
      const values = Array.from(
        { length: 1 + 97 * seed },
        (_, i) => computeScatter(seed + i) < 0.2 ? NaN : 30 * computeScatter(seed * 7 + i),
      );
      const one = buildSeries(values);
      const to = one.epochs[values.length - 1] + HOUR;
      const pieces = thinSeries(one, one.epochs[0], to, 20 + seed * 11);
      const known = values.filter((value) => !Number.isNaN(value));
      const lows = pieces.flatMap(({ low }) => low === null ? [] : [low]);
      const highs = pieces.flatMap(({ high }) => high === null ? [] : [high]);
      assertEquals(Math.min(...lows), Math.min(...known));
      assertEquals(Math.max(...highs), Math.max(...known));
      assert(pieces.length <= Math.max(20 + seed * 11, values.length));
    }
  });

  it("keeps every value if all fit, with gaps as gaps", () => {
    const one = buildSeries([1, NaN, 3]);
    const gapped = {
      ...one,
      epochs: one.epochs.map((epoch, i) => i === 2 ? epoch + 3 * HOUR : epoch),
    };
    const pieces = thinSeries(gapped, gapped.epochs[0], gapped.epochs[2] + HOUR, 100);
    assertEquals(pieces.map(({ mean }) => mean), [1, null, null, 3]);
    assertEquals(pieces.map(({ alone }) => alone), [true, false, false, true]);
  });
});

describe("computeCompleteness()", () => {
  it("counts the hours of each month on the calendar of the zone", () => {
    const start = "2022-12-31T23:00Z"; // midnight in Copenhagen
    const values = Array.from({ length: 90 * 24 }, (_, i) => i < 24 ? NaN : 5);
    const one = buildSeries(values, start);
    const months = computeCompleteness(
      one,
      one.epochs[0] + values.length * HOUR,
      "Europe/Copenhagen",
    );
    // March has 743 hours, so 90 times 24 of them end an hour into April.
    assertEquals(months.map(({ share }) => share), [720 / 744, 1, 1, 1 / 720]);
  });

  it("counts days if the series is short", () => {
    const days = computeCompleteness(
      buildSeries(Array(36).fill(5)),
      parseInstant("2023-01-02T12:00Z"),
      "UTC",
    );
    assertEquals(days.map(({ share }) => share), [1, 0.5]);
  });
});

describe("buildTimeLabels()", () => {
  const texts = (
    from: string,
    to: string,
    zone = "UTC",
    width = 640,
  ) => [...buildTimeLabels(parseInstant(from), parseInstant(to), zone, width).values()];

  it("writes years, months, days or hours, as the span needs", () => {
    assertEquals(texts("1960-01-01T00:00Z", "2020-01-01T00:00Z").slice(0, 3), [
      "1960",
      "1970",
      "1980",
    ]);
    assertEquals(texts("2022-11-15T00:00Z", "2023-04-02T00:00Z"), [
      "Dec",
      "2023",
      "Feb",
      "Mar",
      "Apr",
    ]);
    assertEquals(texts("2023-01-30T00:00Z", "2023-02-02T00:00Z").slice(0, 4), [
      "30 Jan",
      "12:00",
      "31 Jan",
      "12:00",
    ]);
  });

  it("is at full hours of the clock, also at the change to summer time", () => {
    const zone = "Europe/Copenhagen";
    assertEquals(texts("2023-03-25T23:00Z", "2023-03-26T22:00Z", zone, 400), [
      "26 Mar",
      "06:00",
      "12:00",
      "18:00",
      "27 Mar",
    ]);
  });
});

describe("plotTimeSeries()", () => {
  it("shows each column with its unit and completeness", async () => {
    const chart = plotTimeSeries(buildTenWeeks(), { columns: ["wind_speed", "power"] });
    const svg = await chart.svg();
    for (
      const text of [
        "Wind speed and power of T1, Mar to May 2023",
        "Wind speed",
        "Power (kW)",
        "Time, Europe/Copenhagen",
        "1 March 2023 to 10 May 2023",
        ">100 %<",
        "SYNTHETIC",
      ]
    ) assertStringIncludes(svg, text);
    assertStringIncludes(chart.altText, "80.1 % complete"); // 1346 of 1680 hours
  });

  it("F38 sorts rows, and refuses a duplicated timestamp", () => {
    const frame = buildWindFrame({ speeds: [1, 2, 3, 4] });
    const turned = frame.sort("time", true);
    assertStringIncludes(plotTimeSeries(turned).altText, "lowest 1.00 m/s at 2023-01-01 00:00");
    assertThrows(() => plotTimeSeries(frame.vstack(frame)), ArgumentError, "is duplicated");
  });

  it("draws one value, and names a column that is left out", async () => {
    await plotTimeSeries(buildWindFrame({ speeds: [5] })).svg();
    await plotTimeSeries(buildWindFrame({ speeds: [5, Infinity, 5] }), { width: 200 }).svg();
    const frame = buildWindFrame({ speeds: [1, 2], powers: [null, null] });
    const svg = await plotTimeSeries(frame, { columns: ["wind_speed", "power"] }).svg();
    assertStringIncludes(svg, "Power is left out: it has no value");
  });

  it("refuses missing values, too few or too many columns, and input that is not a series", () => {
    const frame = buildWindFrame({ speeds: [1, 2] });
    const assertRefusal = (change: () => unknown, text: string) =>
      assertThrows(change, ArgumentError, text);
    assertRefusal(
      () => plotTimeSeries(buildWindFrame({ speeds: [null, NaN] })),
      "no value in",
    );
    assertRefusal(() => plotTimeSeries(frame, { columns: [] }), "Give 1 to 6");
    assertRefusal(() => plotTimeSeries(frame, { columns: [..."abcdefg"] }), "Give 1 to 6");
    assertRefusal(() => plotTimeSeries(frame, { columns: ["gust"] }), `no column "gust"`);
    assertRefusal(() => plotTimeSeries(frame, { columns: ["time"] }), "not numbers");
    assertRefusal(() => plotTimeSeries(frame.head(0)), "no rows");
    const naive = frame.withColumn(pl.col("time").cast(pl.Datetime("us")));
    assertRefusal(() => plotTimeSeries(naive), "replaceTimeZone");
    assertRefusal(
      () => plotTimeSeries(buildWindFrame({ speeds: [1], start: "0900-01-01T00:00Z" })),
      "1800",
    );
  });

  it("stays below a megabyte for 60 years of hours in six columns", async () => {
    const length = 525_960;
    const speeds = Array.from({ length }, (_, i) => 20 * computeScatter(i));
    const frame = buildWindFrame({ speeds, start: "1960-01-01T00:00Z" });
    const names = [..."abcdef"];
    const wide = frame.withColumns(...names.map((name) => pl.col("wind_speed").alias(name)));
    const chart = plotTimeSeries(wide, { columns: names });
    assert(JSON.stringify(chart.spec).length < 1_000_000);
    assertStringIncludes(await chart.svg(), ">1970<");
  });

  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot(
      "time_series",
      () => plotTimeSeries(buildTenWeeks(), { columns: ["wind_speed", "power"], width: 360 }),
    );
    await assertSnapshot("time_series_days", () => plotTimeSeries(buildTenWeeks().head(72)));
  });

  it("draws directions as points with the mean of their vectors: 350 and 10 deg make 0, not 180", () => {
    const directions = Array.from({ length: 5000 }, (_, i) => i % 2 === 0 ? 350 : 10);
    const frame = buildWindFrame({ speeds: directions.map(() => 8), directions });
    const chart = plotTimeSeries(frame, { columns: ["wind_direction"] });
    const rows = listViews<{ mean: number; low?: number }>(chart)[0].data.values;
    for (const { mean } of rows) assert(Math.min(mean, 360 - mean) < 10, String(mean));
    assertStringIncludes(chart.altText, "Wind direction: mean direction 0 deg, 100.0 % complete");
    const marks = JSON.stringify(chart.spec);
    assert(!marks.includes('"type":"line"'));
    assertStringIncludes(marks, "Points: mean direction in each pixel");
  });

  it("has no mean if directions cancel out", () => {
    assertEquals(averageDirections(Float64Array.of(0, 180, NaN)), null);
    assertAlmostEquals(averageDirections(Float64Array.of(350, 20))!, 5, 1e-9);
  });

  it("widens the axis if all values are equal", async () => {
    const frame = buildWindFrame({ speeds: new Array(100).fill(7) });
    assertStringIncludes(await plotTimeSeries(frame).svg(), ">7.5</text>");
  });

  it("refuses a size that is too small or too large", () => {
    const frame = buildWindFrame({ speeds: [5, 6] });
    for (const width of [0, -10, NaN, 1e6]) {
      assertThrows(
        () => plotTimeSeries(frame, { width }),
        ArgumentError,
        `the width is ${width} pixels. Give 60 to 4000`,
      );
    }
    assertThrows(() => plotTimeSeries(frame, { height: 0 }), ArgumentError, "Give 10 to 8000");
  });
});
