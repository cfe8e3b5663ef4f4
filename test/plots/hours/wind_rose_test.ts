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
import {
  computeRoseFigures,
  findSector,
  formatSector,
} from "../../../src/plots/hours/rose_figures.ts";
import { plotWindRose } from "../../../src/plots/hours/wind_rose.ts";
import { withProvenance } from "../../../src/frames/origin/provenance.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { buildWindFrame, computeScatter, HOSTILE_NAMES } from "../_wind_frames.ts";

/** Ten hours: six from the west, two from the north, one calm, one without a direction. */
const ten = buildWindFrame({
  speeds: [5, 5, 9, 9, 13, 21, 3, 6, 0.2, 7],
  directions: [270, 265, 275, 270, 284.9, 255, 0, 359, null, null],
  powers: [100, 100, 400, 400, 900, 0, 0, 200, 0, 50],
});

describe("plotWindRose()", () => {
  it("counts sectors and classes as worked by hand", () => {
    const figures = computeRoseFigures({
      speeds: Float64Array.of(5, 5, 9, 9, 13, 21, 3, 6, 0.2, 7),
      directions: Float64Array.of(270, 265, 275, 270, 284.9, 255, 0, 359, NaN, NaN),
      sectors: 12,
      bounds: [4, 8, 12],
      calm: 0.5,
    });
    assertEquals(figures.counted, 9);
    assertEquals(figures.leftOut.direction, 1);
    assertEquals(figures.shares[9], [0, 2 / 9, 2 / 9, 2 / 9]);
    assertEquals(figures.shares[0], [1 / 9, 1 / 9, 0, 0]);
    assertEquals(figures.calm, 1 / 9);
  });

  it("states calm and left-out hours in the picture", async () => {
    const chart = plotWindRose(ten);
    const svg = await chart.svg();
    assertStringIncludes(svg, "Calm (under 0.5 m/s): 11.1 % of hours");
    assertStringIncludes(svg, "1 of 10 hours left out: 1 without a direction");
    assertStringIncludes(chart.altText, "Most of the hours from W: 66.7 %");
    for (const text of [">N<", ">E<", ">S<", ">W<", ">20 %<", "Wind speed (m/s)"]) {
      assertStringIncludes(svg, text);
    }
  });

  it("shows shares of the energy if requested", async () => {
    const chart = plotWindRose(ten, { weight: "energy" });
    assertStringIncludes(chart.altText, "Most of the energy produced from W: 90.5 %"); // 1900 of 2100
    assertStringIncludes(await chart.svg(), "share of the energy produced");
    assertThrows(
      () => plotWindRose(ten.drop("power"), { weight: "energy" }),
      ArgumentError,
      `neither "power" nor "air_density"`,
    );
  });

  it("begins each sector at its lower bound and closes the circle", () => {
    assertEquals([345, 359.9, 0, 14.9, 15, 360].map((d) => findSector(d, 12)), [0, 0, 0, 0, 1, 0]);
    assertEquals([11.2, 11.25, 348.75].map((d) => findSector(d, 16)), [0, 1, 0]);
    assertEquals([4.9, 5, 355].map((d) => findSector(d, 36)), [0, 1, 0]);
    assertEquals([formatSector(9, 12), formatSector(7, 12), formatSector(15, 16)], [
      "W",
      "210 deg",
      "NNW",
    ]);
  });

  it("has shares that add up to 1, for any winds and any number of sectors", () => {
    for (let seed = 0; seed < 40; seed++) {
      const value = (i: number, most: number) =>
        computeScatter(seed * 1000 + i) < 0.1
          ? NaN
          : (computeScatter(seed * 977 + i) - 0.05) * most;
      const speeds = Float64Array.from({ length: 200 }, (_, i) => value(i, 25));
      const directions = Float64Array.from({ length: 200 }, (_, i) => value(i + 500, 400));
      const { shares, calm, counted, leftOut } = computeRoseFigures({
        speeds,
        directions,
        sectors: [12, 16, 36][seed % 3],
        bounds: [4, 8, 12, 16, 20],
        calm: 0.5,
      });
      assertAlmostEquals(shares.flat().reduce((sum, share) => sum + share, calm), 1, 1e-12);
      assertEquals(Object.values(leftOut).reduce((sum, count) => sum + count, counted), 200);
    }
  });

  it("uses the columns at the greatest height of climate data", () => {
    const climate = pl.DataFrame({
      wind_speed_10: [1, 2],
      wind_direction_10: [0, 0],
      wind_speed_100: [5, 6],
      wind_direction_100: [90, 90],
    });
    assertStringIncludes(plotWindRose(climate).altText, "from E: 100.0 %");
    assertStringIncludes(plotWindRose(climate, { speed: "wind_speed_10" }).altText, "from N");
  });

  it("draws calms only, one hour, and values that are not finite", async () => {
    const calm = buildWindFrame({ speeds: [0, 0.1], directions: [null, 20] });
    assertStringIncludes(plotWindRose(calm).altText, "100.0 % of hours");
    await plotWindRose(calm).svg();
    await plotWindRose(buildWindFrame({ speeds: [7], directions: [360] })).svg();
    const odd = buildWindFrame({
      speeds: [NaN, Infinity, 5, -1, 6],
      directions: [1, 2, 3, 4, 400],
    });
    assertStringIncludes(
      plotWindRose(odd).altText,
      "2 without a wind speed, 1 with a wind speed below 0, 1 with a direction outside",
    );
    await plotWindRose(odd, { sectors: 36, width: 200 }).svg();
  });

  it("refuses frames and options that give no rose, and says what to do", () => {
    const one = { speeds: [5], directions: [10] };
    assertThrows(() => plotWindRose(ten.drop("wind_direction")), ArgumentError, `"wind_direction"`);
    assertThrows(() => plotWindRose(ten.head(0)), ArgumentError, "no rows");
    const empty = buildWindFrame({ speeds: [null, 3], directions: [10, null] });
    assertThrows(() => plotWindRose(empty), ArgumentError, "no row can be counted");
    assertThrows(
      () => plotWindRose(buildWindFrame(one), { sectors: 8 as 12 }),
      ArgumentError,
      "12, 16",
    );
    const text = ten.withColumn(pl.col("wind_speed").cast(pl.Utf8));
    assertThrows(() => plotWindRose(text), ArgumentError, "cast(pl.Float64)");
    const two = ten.withColumn(pl.Series("turbine_id", [..."AAAAABBBBB"]));
    assertThrows(() => plotWindRose(two), ArgumentError, "several turbines");
  });

  it("F26 draws hostile, very long and strange names harmlessly", async () => {
    for (const name of HOSTILE_NAMES) {
      const named = ten.withColumn(pl.Series("turbine_id", Array(10).fill(name)));
      const chart = plotWindRose(withProvenance(named, ten));
      const svg = await chart.svg();
      assert(!svg.includes("<script") && !svg.includes("\u0000"));
      assert(svg.length < 100_000 && chart.altText.length < 1000);
    }
  });

  it("says SYNTHETIC for the sample, and stays small for 60 years", async () => {
    const length = 525_960;
    const years = buildWindFrame({
      speeds: Array.from({ length }, (_, i) => 20 * computeScatter(i)),
      directions: Array.from({ length }, (_, i) => 360 * computeScatter(i + 3)),
      world: "sample",
    });
    const chart = plotWindRose(years, { sectors: 36 });
    assert(JSON.stringify(chart.spec).length < 100_000);
    assertStringIncludes(await chart.svg(), ">SYNTHETIC</text>");
  });

  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("wind_rose", () => plotWindRose(ten));
    await assertSnapshot(
      "wind_rose_energy_16",
      () => plotWindRose(ten, { sectors: 16, weight: "energy", width: 360 }),
    );
  });

  it("refuses speeds in another unit", () => {
    const frame = buildWindFrame({ speeds: [36, 180], directions: [90, 90] });
    assertThrows(() => plotWindRose(frame), ArgumentError, "Convert the column to m/s");
  });
});
