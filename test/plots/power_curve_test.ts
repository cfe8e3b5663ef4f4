import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../src/api/errors.ts";
import { plotPowerCurve } from "../../src/plots/power_curve.ts";
import { detailsOf, hoursFrame, indicesFrame } from "./_frames.ts";

describe("plotPowerCurve()", () => {
  it("shows title, axis titles with units, rated power and control", async () => {
    const svg = await plotPowerCurve(detailsOf(), { source: indicesFrame() }).svg();
    for (
      const text of [
        "Power curve of Example 1",
        "Wind speed (m/s)",
        "Power (kW)",
        "Rated power 2,000 kW",
        "Pitch-controlled",
        "from own data",
      ]
    ) assertStringIncludes(svg, text);
  });

  it("draws hours under the curve, leaves out those that miss a value, and says how many it draws", async () => {
    const few = plotPowerCurve(detailsOf(), { points: hoursFrame(200) });
    assertStringIncludes(few.altText, "198 hours");
    assertStringIncludes(
      await few.svg(),
      "2 hours without a wind speed or a power left out",
    );
    assert(!(await few.svg()).includes("hours drawn"));
    const many = plotPowerCurve(detailsOf(), { points: hoursFrame(8760) });
    assertStringIncludes(await many.svg(), "2,891 of 8,672 hours drawn, evenly chosen");
  });

  it("says SYNTHETIC when the hours are from the sample", async () => {
    const svg = await plotPowerCurve(detailsOf(), { points: hoursFrame(10, "sample") }).svg();
    assertStringIncludes(svg, "SYNTHETIC");
  });

  it("shows the fall to zero above the last point", () => {
    const curve = detailsOf().power_curve!;
    const layers = (chart: ReturnType<typeof plotPowerCurve>) =>
      JSON.stringify(chart.spec).match(/"wind_speed":25,"power":0/g)?.length ?? 0;
    assertEquals(layers(plotPowerCurve(detailsOf())), 1);
    const closed = { ...curve, power: [...curve.power, { wind_speed: 25.1, power: 0 }] };
    assertEquals(layers(plotPowerCurve(detailsOf({ power_curve: closed }))), 0);
  });

  it("refuses details without a curve, and points without a column", () => {
    assertThrows(
      () => plotPowerCurve(detailsOf({ power_curve: null })),
      ArgumentError,
      `power curve of "Example 1"`,
    );
    const points = pl.DataFrame({ wind_speed: [1] });
    assertThrows(() => plotPowerCurve(detailsOf(), { points }), ArgumentError, `column "power"`);
  });

  it("names a turbine without a name by its id", async () => {
    assertStringIncludes(await plotPowerCurve(detailsOf({ name: "" })).svg(), "Power curve of T1");
  });
});
