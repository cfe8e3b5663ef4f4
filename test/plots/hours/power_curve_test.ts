import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { plotPowerCurve } from "../../../src/plots/hours/power_curve.ts";
import { buildDetails, buildHoursFrame, buildIndicesFrame, buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { attachProvenance } from "../../../src/frames/origin/provenance.ts";

describe("plotPowerCurve()", () => {
  it("shows title, axis titles with units, rated power and control", async () => {
    const svg = await plotPowerCurve(buildDetails(), { source: buildIndicesFrame() }).svg();
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

  it("draws hours behind the curve, leaves out those without a value, and says how many it draws", async () => {
    const few = plotPowerCurve(buildDetails(), { points: buildHoursFrame(200) });
    assertStringIncludes(few.altText, "198 hours");
    assertStringIncludes(
      await few.svg(),
      "Left out: 2 hours without wind speed or power",
    );
    assert(!(await few.svg()).includes("hours drawn"));
    const many = plotPowerCurve(buildDetails(), { points: buildHoursFrame(8760) });
    assertStringIncludes(await many.svg(), "2,891 of 8,672 hours drawn, evenly chosen");
  });

  it("says SYNTHETIC when the hours are from the sample", async () => {
    const svg = await plotPowerCurve(buildDetails(), { points: buildHoursFrame(10, "sample") })
      .svg();
    assertStringIncludes(svg, "SYNTHETIC");
  });

  it("shows the drop to zero above the last point", () => {
    const curve = buildDetails().power_curve!;
    const layers = (chart: ReturnType<typeof plotPowerCurve>) =>
      JSON.stringify(chart.spec).match(/"wind_speed":25,"power":0/g)?.length ?? 0;
    assertEquals(layers(plotPowerCurve(buildDetails())), 1);
    const closed = { ...curve, power: [...curve.power, { wind_speed: 25.1, power: 0 }] };
    assertEquals(layers(plotPowerCurve(buildDetails({ power_curve: closed }))), 0);
  });

  it("refuses details without a curve, and points without a column", () => {
    assertThrows(
      () => plotPowerCurve(buildDetails({ power_curve: null })),
      ArgumentError,
      `power curve of "Example 1"`,
    );
    const points = pl.DataFrame({ wind_speed: [1] });
    assertThrows(() => plotPowerCurve(buildDetails(), { points }), ArgumentError, `column "power"`);
  });

  it("names a turbine without a name by its id", async () => {
    assertStringIncludes(
      await plotPowerCurve(buildDetails({ name: "" })).svg(),
      "Power curve of T1",
    );
  });

  it("draws the same in every time zone", async () => {
    await assertSnapshot(
      "power_curve",
      () => plotPowerCurve(buildDetails(), { points: buildHoursFrame(200) }),
    );
  });

  it("states the source of the details, and SYNTHETIC if they are from the sample", async () => {
    const details = attachProvenance(buildDetails(), buildOrigin("sample", "turbine_details"));
    const svg = await plotPowerCurve(details).svg();
    assertStringIncludes(svg, ">SYNTHETIC</text>");
    assertStringIncludes(svg, "Source: turbine_details from SYNTHETIC");
    const ownDetails = attachProvenance(buildDetails(), buildOrigin("own", "turbine_details"));
    const both = await plotPowerCurve(ownDetails, { points: buildHoursFrame(10) }).svg();
    assertStringIncludes(both, "Source: model_data from own data");
    assertStringIncludes(both, "Also: turbine_details from own data");
  });

  it("sorts the points of a curve, and cuts a name that is too long", () => {
    const { power_control, power } = buildDetails().power_curve!;
    const turned = { power_control, power: power.toReversed() };
    const details = buildDetails({ power_curve: turned, name: "x".repeat(1000) });
    const { altText } = plotPowerCurve(details);
    assertStringIncludes(altText, "From 3.0 to 25.0 m/s");
    assert(altText.length < 200);
  });
});
