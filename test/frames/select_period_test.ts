import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError, modelData, monthlyIndices, provenance, selectPeriod } from "../../mod.ts";
import type { SelectPeriodOptions } from "../../src/frames/select_period.ts";
import { buildDatetimes, extractEpochs, zoneOf } from "../../src/frames/frame.ts";

const HOUR = 3_600_000;

/** Hours of December 2023 and January 2024 in UTC. */
const hours = pl.DataFrame([
  buildDatetimes(
    "time",
    Float64Array.from({ length: 62 * 24 }, (_, i) => Date.UTC(2023, 11, 1) + i * HOUR),
  ),
]);

function firstStamp(options: SelectPeriodOptions): string {
  return new Date(extractEpochs(selectPeriod(hours, options), "time")[0]).toISOString();
}

describe("selectPeriod()", () => {
  it("includes both ends at their precision", () => {
    const heights = [
      { from: 2024 },
      { to: 2023 },
      { from: "2024-01", to: "2024-01" },
      { from: "2023-12-31", to: "2024-01-01" },
      { from: "2024-01-01T03:00", to: "2024-01-01T04:00" },
      {},
    ].map((range) => selectPeriod(hours, range).height);
    assertEquals(heights, [744, 744, 744, 48, 2, 1488]);
  });

  it("selects months of another zone, and returns stamps in it", () => {
    assertEquals(firstStamp({ from: "2024-01" }), "2024-01-01T00:00:00.000Z");
    const berlin = { from: "2024-01", timeZone: "Europe/Berlin" };
    assertEquals(firstStamp(berlin), "2023-12-31T23:00:00.000Z");
    const time = selectPeriod(hours, berlin).getColumn("time");
    assertEquals(zoneOf(time.dtype), "Europe/Berlin");
  });

  it("selects months of indices, and keeps their origin", async () => {
    const index = await monthlyIndices("T1", { from: "2022-01", to: "2024-12" });
    const year = selectPeriod(index, { from: 2023, to: 2023 });
    assertEquals(year.height, 12);
    assertEquals(provenance(year), provenance(index));
    const model = await modelData("T1", { from: 2023, to: 2023 });
    assertEquals(provenance(selectPeriod(model, { to: "2023-01" })), provenance(model));
  });

  it("refuses a frame without stamps, stamps without a zone, and misspelt options", () => {
    const refused = (frame: pl.DataFrame, options: SelectPeriodOptions, message: string) =>
      assertThrows(() => selectPeriod(frame, options), ArgumentError, message);
    refused(
      pl.DataFrame({ year: [2023] }),
      {},
      'no column "time" or "month". It has year',
    );
    const naive = hours.withColumn(pl.col("time").cast(pl.Datetime("us")).alias("time"));
    refused(naive, { from: 2024 }, 'the column "time" does not contain times with a time zone');
    refused(hours, { form: 2024 } as never, 'Did you mean "from"?');
    refused(hours, { from: "May" }, 'Cannot use "from"');
    refused(hours, { timeZone: "Berlin" }, "is not an IANA time zone");
  });
});
