import pl, { type DataFrame } from "nodejs-polars";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { buildDatetimes, buildNumbers } from "../../../src/frames/frame.ts";
import { describeFrame, provenance } from "../../../src/frames/origin/provenance.ts";
import { parseProductionText } from "./_production_text.ts";
import { toHours } from "../../../src/frames/production/to_hours.ts";
import { displayOf } from "../../../src/show/check_frame.ts";
import { listColumn, utf8 } from "../_text.ts";

const MINUTE = 60_000;

/** Power in steps from a stamp on; NaN is missing, `null` has no row. */
function steps(
  start: string,
  values: readonly (number | null)[],
  { minutes = 10, zone = "UTC" } = {},
): DataFrame {
  const first = Temporal.Instant.from(start).epochMilliseconds;
  const rows = values.flatMap((value, i) =>
    value === null ? [] : [[first + i * minutes * MINUTE, value]]
  );
  return pl.DataFrame([
    buildDatetimes("time", Float64Array.from(rows, ([stamp]) => stamp), zone),
    buildNumbers("power", Float64Array.from(rows, ([, value]) => value)),
  ]);
}

const powers = (frame: DataFrame) => listColumn(frame, "power");
const times = (frame: DataFrame) =>
  (listColumn(frame, "time") as Date[]).map((time) => time.toISOString().slice(0, 16) + "Z");
const refused = (frame: DataFrame, message: string) =>
  assertThrows(() => toHours(frame), ArgumentError, message);

describe("toHours()", () => {
  it("is the mean of the valid steps of an hour", () => {
    const frame = toHours(steps("2023-05-01T00:00Z", [1, 2, 3, 4, 5, 6, 7, NaN, 9, null, 11, 13]));
    assertEquals(times(frame), ["2023-05-01T00:00Z", "2023-05-01T01:00Z"]);
    assertEquals(powers(frame), [3.5, 10]);
    const dtype = frame.getColumn("power").dtype;
    assert(dtype.equals(pl.Float64), String(dtype));
  });

  it("makes hours with fewer valid steps than required null", () => {
    const frame = steps("2023-05-01T00:00Z", [
      1,
      2,
      3,
      NaN,
      null,
      NaN,
      1,
      2,
      NaN,
      NaN,
      NaN,
      NaN,
      5,
    ]);
    assertEquals(powers(toHours(frame)), [2, null, null]);
    assertEquals(powers(toHours(frame, { minShare: 0.51 })), [null, null, null]);
    assertEquals(powers(toHours(frame, { minShare: 2 / 6 })), [2, 1.5, null]);
    assertEquals(powers(toHours(frame, { minShare: 0 })), [2, 1.5, 5]);
    assertThrows(() => toHours(frame, { minShare: 60 }), ArgumentError, "share from 0 to 1");
  });

  it("has a row for an hour without any step", () => {
    const gap = Array<null>(12).fill(null);
    const six = [6, 6, 6, 6, 6, 6];
    assertEquals(powers(toHours(steps("2023-05-01T00:00Z", [...six, ...gap, ...six]))), [
      6,
      null,
      null,
      6,
    ]);
  });

  it("accepts quarters and minutes as well, and keeps hours unchanged", () => {
    const quarters = steps("2023-05-01T00:00Z", [1, 2, 3, 4, 5, 6, 7, 8], { minutes: 15 });
    assertEquals(powers(toHours(quarters)), [2.5, 6.5]);
    const minutes = steps("2023-05-01T00:00Z", Array(120).fill(4), { minutes: 1 });
    assertEquals(powers(toHours(minutes)), [4, 4]);
    const hours = toHours(steps("2023-05-01T00:00Z", [1, NaN, null, 4], { minutes: 60 }));
    assertEquals(powers(hours), [1, null, null, 4]);
    assertEquals(powers(toHours(hours)), [1, null, null, 4]);
  });

  it("keeps turbines apart, with status and availability", () => {
    const text = "time,A,B,a,b\n" +
      Array.from(
        { length: 6 },
        (_, i) =>
          `2023-05-01T00:${i}0Z,${i},${10 * i},${i < 3 ? "Run" : "Stop"},${i < 5 ? "" : "50"}\n`,
      )
        .join("");
    const frame = parseProductionText(utf8(text), "park.csv", {
      column: { T1: "A", T2: "B" },
      status: { T1: "a" },
      availability: { T2: "b" },
      availability_unit: "%",
      time: "time",
      resolution: "10min",
      unit: "kW",
    });
    const hours = toHours(frame);
    const names = ["turbine_id", "time", "power", "status", "availability", "valid_share"];
    assertEquals(hours.columns, names);
    assertEquals(listColumn(hours, "turbine_id"), ["T1", "T2"]);
    assertEquals(powers(hours), [2.5, 25]);
    assertEquals(listColumn(hours, "status"), ["Run, Stop", null]);
    // One of six steps has an availability.
    assertEquals(listColumn(hours, "availability"), [null, null]);
    assertEquals(listColumn(toHours(frame, { minShare: 0 }), "availability"), [null, 0.5]);
  });

  it("F36 has hours of UTC in half-hour zones, and hours of the clock if steps need them", () => {
    const six = [1, 1, 1, 1, 1, 1];
    const kolkata = steps("2023-05-01T00:00Z", [...six, ...six], { zone: "Asia/Kolkata" });
    assertEquals(times(toHours(kolkata)), ["2023-05-01T00:00Z", "2023-05-01T01:00Z"]);
    // At an offset of 05:45, ten minutes of the clock begin at 5, 15, 25 ... minutes of UTC.
    const nepal = steps("2023-05-01T00:15Z", six, { zone: "Asia/Kathmandu" });
    assertEquals(times(toHours(nepal)), ["2023-05-01T00:15Z"]);
  });

  it("F36 counts both passes of the hour that the clock repeats", () => {
    const frame = toHours(
      steps("2023-10-28T23:00Z", Array(24).fill(2), { zone: "Europe/Copenhagen" }),
    );
    assertEquals(powers(frame), [2, 2, 2, 2]);
    assertEquals(times(frame)[3], "2023-10-29T02:00Z");
  });

  it("says how many hours are null, and keeps the origin of the figures", () => {
    const frame = steps("2023-05-01T00:00Z", [1, 2, 3, 4, 5, 6, 7, ...Array(11).fill(null), 8]);
    const note =
      "Vindkit averaged 10-minute values to 4 hourly values. 3 hours have no mean, because fewer than 3 of the 6 " +
      "values are valid. This includes 1 h without a valid value";
    assertEquals(displayOf(toHours(frame))?.caption, [note]);
    assertEquals(provenance(toHours(frame)), []);
    const origin = {
      operation: "readProduction",
      parameters: {},
      fetchedAt: "2023-06-01T00:00:00Z",
      sha256: [],
      world: "sample",
      attribution: [],
      notes: ["before"],
    } as const;
    const hours = toHours(describeFrame(frame, [], origin));
    assertEquals(provenance(hours)[0]?.notes, ["before", note]);
    assertEquals(displayOf(hours)?.synthetic, true);
    assertEquals(displayOf(hours)?.columns.map(({ unit }) => unit), [undefined, "kW", undefined]);
  });

  it("has the valid share of each hour, even of hours that are null or were averaged before", () => {
    const hours = toHours(steps("2023-05-01T00:00Z", [1, 2, 3, 4, 5, 6, 7, NaN, null, null, 8, 9]));
    assertEquals(listColumn(hours, "valid_share"), [1, 0.5]);
    const few = toHours(steps("2023-05-01T00:00Z", [1, ...Array(17).fill(NaN), 8]));
    assertEquals(powers(few), [null, null, null, null]);
    assertEquals(listColumn(few, "valid_share"), [1 / 6, 0, 0, 1 / 6]);
    assertEquals(listColumn(toHours(hours), "valid_share"), [1, 0.5]);
  });

  it("names the columns it left out", () => {
    const frame = steps("2023-05-01T00:00Z", [1, 2, 3]).withColumn(pl.lit(8).alias("wind_speed"));
    assertEquals(
      displayOf(toHours(frame))?.caption[1],
      "Columns left out of the hours: wind_speed",
    );
  });

  it("refuses a frame that it cannot average, and says what to do", () => {
    const six = steps("2023-05-01T00:00Z", [1, 2, 3, 4, 5, 6]);
    refused(
      pl.concat([six, six]),
      "Cannot average production to hours: 2023-05-01T00:00Z is duplicated. Keep one row",
    );
    refused(six.drop("power"), 'it has no column "power". It has time');
    refused(steps("2023-05-01T00:00Z", [1, 2, 3], { minutes: 7 }), "7 minutes do not fill an hour");
    refused(steps("2023-05-01T00:05Z", [1, 2, 3]), "2023-05-01T00:05Z is not a whole step of 10");
    refused(six.head(1), "it has only one row, so its step is unknown");
    const offStep = pl.concat([six, steps("2023-05-01T01:03Z", [1])]);
    refused(offStep, "2023-05-01T01:03Z is not a whole step of 10 minutes");
  });

  it("returns no rows for a frame without rows", () => {
    const frame = toHours(steps("2023-05-01T00:00Z", []));
    assertEquals([frame.height, frame.columns], [0, ["time", "power", "valid_share"]]);
  });
});
