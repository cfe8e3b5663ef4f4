import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import type { ProductionFormat } from "../../../src/frames/production/production.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { toHours } from "../../../src/frames/production/to_hours.ts";

const hourly: ProductionFormat = { column: "power", time: "time", resolution: "hour", unit: "kW" };
const HOUR = 3_600_000_000n; // microseconds
const START = BigInt(Date.UTC(2023, 4, 1)) * 1000n;

function buildFrame(micros: readonly bigint[], zoned = true) {
  const stamps = pl.Series("time", BigInt64Array.from(micros) as unknown as bigint[], pl.Int64);
  return pl.DataFrame([
    stamps.cast(zoned ? pl.Datetime("us", "UTC") : pl.Datetime("us")),
    pl.Series("power", micros.map((_, i) => i), pl.Float64),
  ]);
}

/** Message for stamps in a Parquet file. */
async function refusal(
  micros: readonly bigint[],
  how: ProductionFormat = hourly,
): Promise<string> {
  const zoned = how.resolution === "hour" && how.time_zone === undefined;
  const frame = buildFrame(micros, zoned);
  const file = await Deno.makeTempFile();
  await Deno.writeFile(file, new Uint8Array(frame.writeParquet() as unknown as Uint8Array));
  const { message } = await assertRejects(() => readProduction(file, how), DataFormatError);
  assertStringIncludes(message, file);
  await Deno.remove(file);
  return message;
}

describe("readProduction() with odd stamps", () => {
  it("F53 H9: names the row of a stamp that is off by a microsecond", async () => {
    assertStringIncludes(
      await refusal([START, START + HOUR + 1n, START + 2n * HOUR]),
      'row 2, column "time": 2023-05-01T01:00:00.000001Z is not a whole',
    );
    const first = await refusal([START + 1n, START + HOUR], {
      ...hourly,
      time_zone: "Europe/Copenhagen",
    });
    assertStringIncludes(first, 'row 1, column "time"');
  });

  it("F37 F53 H9: names the row of a stamp that no calendar has", async () => {
    for (const stamp of [2n ** 63n - 1n, -(2n ** 63n) + 1n, 253_402_300_800_000_000n]) {
      for (const time_zone of [undefined, "Europe/Copenhagen"]) {
        const how = time_zone ? { ...hourly, time_zone } : hourly;
        const message = await refusal([START, stamp], how);
        assertStringIncludes(message, 'row 2, column "time": ');
        assertStringIncludes(
          message,
          "is not within the years 1800 to 2199. Correct the timestamp",
        );
      }
    }
  });

  it("F37 F53 H9: names the row of a month that is off by a microsecond, or beyond the calendar", async () => {
    const months: ProductionFormat = { ...hourly, resolution: "month", unit: "MWh" };
    const message = await refusal([START, START + 1n], months);
    assertStringIncludes(message, "2023-05-01T00:00:00.000001Z is not the first day of a month");
    const far = await refusal([START, 2n ** 62n], months);
    assertStringIncludes(far, "is not within the years");
  });

  it("F53 H9: does not average a frame with such a stamp twice", () => {
    const frame = buildFrame([START + 1n, START + 1n]);
    const { message } = assertThrows(() => toHours(frame), ArgumentError);
    assertEquals(
      message,
      "Cannot average production to hours: 2023-05-01T00:00:00.000001Z is duplicated. Keep one row per " +
        "step and turbine",
    );
  });
});
