import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../src/api/errors.ts";
import { describeFrame } from "../../src/frames/provenance.ts";
import { plotMonthOfYears } from "../../src/plots/month_of_years.ts";
import { buildOrigin } from "./_frames.ts";
import { assertSnapshot } from "./_snapshot.ts";

function buildYears(energies: readonly (number | null)[], first = 2019): DataFrame {
  return pl.DataFrame([
    pl.Series("year", energies.map((_, i) => first + i), pl.Int32),
    pl.Series("energy", [...energies], pl.Float64),
    pl.Series("in_reference", energies.map((_, i) => i < 4), pl.Bool),
  ]);
}

const buildFiveYears = () => buildYears([900, 1100, null, 1000, 800]);

describe("plotMonthOfYears()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot(
      "month_of_years",
      () => plotMonthOfYears(buildFiveYears(), { year: 2023 }),
    );
  });

  it("compares the selected year with the mean of the reference period", () => {
    const { altText } = plotMonthOfYears(buildFiveYears(), { year: 2023 });
    assertStringIncludes(altText, "2023: 800.0 MWh, 80.0 % of the normal 1,000 MWh");
  });

  it("draws a year without a value as missing, not as zero", async () => {
    const svg = await plotMonthOfYears(buildFiveYears()).svg();
    assertStringIncludes(svg, "Not complete");
    const whole = await plotMonthOfYears(buildYears([900, 1100])).svg();
    assertEquals(whole.includes("Not complete"), false);
  });

  it("needs neither a selected year nor a reference period", () => {
    const none = pl.DataFrame([
      pl.Series("year", [2020, 2021], pl.Int32),
      pl.Series("energy", [null, null], pl.Float64),
      pl.Series("in_reference", [false, false], pl.Bool),
    ]);
    assertEquals(plotMonthOfYears(none).altText.includes("normal"), false);
  });

  it("says in the picture that figures are invented", async () => {
    const sample = describeFrame(buildFiveYears(), [], buildOrigin("sample"));
    assertStringIncludes(await plotMonthOfYears(sample).svg(), "SYNTHETIC");
  });

  it("refuses a frame without its columns", () => {
    assertThrows(
      () => plotMonthOfYears(buildFiveYears().drop("in_reference")),
      ArgumentError,
      'no column "in_reference"',
    );
  });
});
