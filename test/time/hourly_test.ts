import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../src/api/errors.ts";
import {
  buildHourlyGrid,
  endOfAxis,
  HOUR,
  placeOnGrid,
  positionAtOrAfter,
} from "../../src/time/hourly.ts";

const START = Date.UTC(2023, 4, 1);
const stamps = (...hours: number[]) => Float64Array.from(hours, (hour) => START + hour * HOUR);

const refused = (values: Float64Array, message: string, firstLine?: number) =>
  assertThrows(
    () => buildHourlyGrid(values, { file: "data.csv", ...(firstLine ? { firstLine } : {}) }),
    DataFormatError,
    `Cannot use data.csv: ${message}`,
  );

describe("buildHourlyGrid()", () => {
  it("places stamps on the hours from the first to the last", () => {
    assertEquals(buildHourlyGrid(stamps(0, 1, 2), { file: "data.csv" }), {
      axis: { start: START, length: 3 },
      positions: Int32Array.of(0, 1, 2),
    });
  });

  it("F38 leaves hours without a stamp empty", () => {
    const grid = buildHourlyGrid(stamps(0, 3, 4), { file: "data.csv" });
    assertEquals(grid.axis.length, 5);
    assertEquals(placeOnGrid(grid, [10, 13, 14]), Float64Array.of(10, NaN, NaN, 13, 14));
  });

  it("accepts hours before 1970", () => {
    assertEquals(buildHourlyGrid(Float64Array.of(-HOUR, 0), { file: "data.csv" }).axis.length, 2);
  });

  it("F38 refuses duplicated stamps, by line", () => {
    refused(
      stamps(0, 1, 1, 2),
      "line 9: 2023-05-01T01:00Z is duplicated. Remove one of the rows",
      7,
    );
  });

  it("F38 refuses stamps that are not sorted, by line, even if one comes back later", () => {
    refused(
      stamps(0, 2, 1),
      "line 4: 2023-05-01T01:00Z comes after 2023-05-01T02:00Z. Sort the rows by time",
      2,
    );
    refused(stamps(0, 1, 2, 1), "line 5: 2023-05-01T01:00Z comes after 2023-05-01T02:00Z", 2);
  });

  it("F38 refuses ten-minute values instead of hours, by line", () => {
    refused(
      stamps(0, 1 / 6, 2 / 6),
      "line 3: 2023-05-01T00:10Z is not a whole hour. Average the values to hours first",
      2,
    );
    refused(stamps(0.5), "line 2: 2023-05-01T00:30Z is not a whole hour", 2);
  });

  it("F36 accepts hours of the clock of a half-hour or quarter-hour zone on request", () => {
    for (const shift of [0.5, 0.25, 0.75]) {
      const grid = buildHourlyGrid(stamps(shift, 1 + shift, 3 + shift), {
        file: "data.csv",
        clockShift: shift * HOUR,
      });
      assertEquals(grid.axis, { start: START + shift * HOUR, length: 4 });
      assertEquals(grid.positions, Int32Array.of(0, 1, 3));
    }
  });

  it("F38 refuses other minutes, and minutes that change, on any clock", () => {
    for (const values of [stamps(1 / 6, 7 / 6), stamps(0, 0.5, 1), stamps(0.5, 1)]) {
      assertThrows(
        () => buildHourlyGrid(values, { file: "data.csv", clockShift: HOUR / 2 }),
        DataFormatError,
        "is not a whole hour",
      );
    }
  });

  it("SI4 advises to sort only if no time is duplicated, and names the clock that repeats an hour", () => {
    refused(
      stamps(0, 1, 2, 0, 1, 2),
      "line 5: 2023-05-01T00:00Z comes after 2023-05-01T02:00Z, and other rows have the same times: the table has " +
        "several series, one below the other, or repeats some rows. Read each series separately, or remove the duplicate rows",
      2,
    );
    const night = (Date.UTC(2023, 9, 29, 2) - START) / HOUR;
    refused(
      stamps(night - 1, night, night),
      "line 4: 2023-10-29T02:00Z is duplicated. The clocks of Europe/Paris repeat that hour, so the times are probably " +
        "local. Export them again in UTC",
      2,
    );
  });

  it("names the row if the source has no lines", () => {
    refused(stamps(0, 1, 1), "row 3: 2023-05-01T01:00Z is duplicated");
  });

  it("refuses a source without rows", () => {
    refused(new Float64Array(0), "it has no rows");
  });
});

describe("positionAtOrAfter() and endOfAxis()", () => {
  const axis = { start: START, length: 24 };

  it("find the first hour that starts at an instant or after it, even outside of the axis", () => {
    const at = (hour: number) => positionAtOrAfter(axis, START + hour * HOUR);
    assertEquals([at(0), at(5), at(5.5), at(24), at(30), at(-2), at(-1.5)], [
      0,
      5,
      6,
      24,
      30,
      -2,
      -1,
    ]);
  });

  it("end after the last hour", () => assertEquals(endOfAxis(axis), START + 24 * HOUR));
});
