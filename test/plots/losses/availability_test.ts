import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { plotAvailability } from "../../../src/plots/losses/availability.ts";
import { computeDifference } from "../_color_vision.ts";
import { buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";

const MONTHS = Array.from({ length: 12 }, (_, i) => `2024-${String(i + 1).padStart(2, "0")}-01`);
const TIME = [99.5, 98.7, 92.4, 99.9, 99.8, null, 95.2, 99.1, 99.4, 97.3, 98.8, 99.6];

/** A year without figures for June; energies are known unless `energies` is false. */
function buildYear(energies = true) {
  const dates = (months: readonly string[]) =>
    pl.Series("month", [...months]).str.strptime(pl.Date, "%Y-%m-%d");
  const number = (name: string, values: readonly (number | null)[]) =>
    pl.Series(name, [...values], pl.Float64);
  const shift = (by: number) =>
    TIME.map((time, i) => energies && time !== null ? time - 0.3 * (i % 4) + by : null);
  const months = pl.DataFrame([
    dates(MONTHS),
    number("time_availability", TIME),
    number("production_availability", shift(0)),
    number("production_availability_low", shift(-0.5)),
    number("production_availability_high", shift(0.4)),
  ]);
  const names = ["Forced Outage", "Scheduled Maintenance", "Out of Environmental Specification"];
  const known = MONTHS.filter((_, i) => TIME[i] !== null);
  const parts = pl.concat(names.map((name, k) =>
    pl.DataFrame([
      dates(known),
      pl.Series("category", known.map(() => name), pl.Utf8),
      pl.Series("counts", known.map(() => k < 2 ? "unavailable" : "available"), pl.Utf8),
      number("hours", known.map((_, i) => 10 + i + k)),
      number("lost", known.map((_, i) => energies ? 5 + (i * 7 + k) % 9 : null)),
    ])
  ));
  const origin = buildOrigin("own");
  return {
    frames: {
      months: describeFrame(months, [], origin),
      monthCategories: describeFrame(parts, [], origin),
    },
  };
}

describe("plotAvailability()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("availability", () => plotAvailability(buildYear()));
  });

  it("names the lowest month, and the loss in each category", () => {
    assertStringIncludes(
      plotAvailability(buildYear()).altText,
      "January 2024 to December 2024. Lowest by time: 92.4 % in March 2024; Forced Outage 98.0 MWh; " +
        "Scheduled Maintenance 100.0 MWh",
    );
    assertEquals(plotAvailability(buildYear()).altText.includes("Environmental"), false);
  });

  it("shows hours if energies are unknown, and lists only visible marks in its legend", async () => {
    const chart = plotAvailability(buildYear(false));
    assertStringIncludes(chart.altText, "Forced Outage 165 h");
    const svg = await chart.svg();
    assertStringIncludes(svg, "Lost (h)");
    assertEquals(svg.includes("By production"), false);
  });

  it("AN11 gives every category a different lightness for grey prints", async () => {
    const { months, monthCategories } = buildYear().frames;
    const first = monthCategories.filter(pl.col("category").eq(pl.lit("Forced Outage")));
    const names = [
      "Forced Outage",
      "Unclassified Stop",
      "Planned Corrective Action",
      "Scheduled Maintenance",
      "Requested Shutdown",
      "Out of Electrical Specification",
      "Partial Performance",
      "Technical Standby",
      "Suspended",
      "Force Majeure",
    ];
    const all = pl.concat(names.map((name) => first.withColumn(pl.lit(name).alias("category"))));
    const chart = plotAvailability({
      frames: { months, monthCategories: describeFrame(all, [], buildOrigin("own")) },
    });
    const svg = await chart.svg();
    const bars = svg.slice(svg.indexOf("mark-rect role-mark"), svg.indexOf("role-legend"));
    const colors = [
      ...new Set([...bars.matchAll(/fill="(#\w{6})" stroke=/g)].map(([, fill]) => fill)),
    ];
    assertEquals(colors.length, names.length);
    colors.forEach((a, i) =>
      colors.slice(i + 1).forEach((b) => {
        const apart = computeDifference(a, b, "grey");
        assert(apart >= 5, `${a} and ${b} are ${apart.toFixed(1)} apart`);
      })
    );
  });

  it("AN11 refuses months without any figure, and draws months with unknown losses", async () => {
    const { months, monthCategories } = buildYear().frames;
    const clear = (frame: pl.DataFrame, names: readonly string[]) =>
      describeFrame(
        frame.withColumns(...names.map((name) => pl.lit(null).cast(pl.Float64).alias(name))),
        [],
        buildOrigin("own"),
      );
    const losses = clear(monthCategories, ["hours", "lost"]);
    const chart = plotAvailability({ frames: { months, monthCategories: losses } });
    assertStringIncludes(await chart.svg(), "Availability");
    const empty = clear(months, [
      "time_availability",
      "production_availability",
      "production_availability_low",
      "production_availability_high",
    ]);
    assertThrows(
      () => plotAvailability({ frames: { months: empty, monthCategories: losses } }),
      ArgumentError,
      "Cannot plot the availability: no month has an availability, and no category a loss. Give",
    );
  });

  it("names the missing column", () => {
    const { months, monthCategories } = buildYear().frames;
    assertThrows(
      () =>
        plotAvailability({ frames: { months: months.drop("time_availability"), monthCategories } }),
      ArgumentError,
      'no column "time_availability"',
    );
  });
});
