import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../src/api/errors.ts";
import { readCsv } from "../../src/frames/csv/csv_reader.ts";
import { column, listColumn, utf8 } from "../frames/_text.ts";

/** Stamps read from the first column of a file, in ISO 8601. */
function parsed(values: (string | null)[], timeZone?: string): string[] {
  const text = ["time,row", ...values.map((value, i) => `${value ?? ""},${i}`)].join("\n");
  const { frame } = readCsv(utf8(text), [column("time", "datetime")], {
    file: "data.csv",
    ...(timeZone ? { timeZone } : {}),
  });
  assertEquals(String(frame.getColumn("time").dtype), "DataType(Datetime(us,UTC))");
  return (listColumn(frame, "time") as Date[]).map((date) =>
    date.toISOString().replace(".000", "")
  );
}

const refused = (values: (string | null)[], message: string, timeZone?: string) =>
  assertThrows(
    () => parsed(values, timeZone),
    DataFormatError,
    `Cannot read data.csv: ${message}`,
  );

describe("stamps in readCsv()", () => {
  it("reads a Z as UTC, with seconds, fractions or neither", () => {
    assertEquals(parsed(["2023-05-01T13:00:00Z"]), ["2023-05-01T13:00:00Z"]);
    assertEquals(parsed(["2023-05-01 13:00Z"]), ["2023-05-01T13:00:00Z"]);
    assertEquals(parsed(["2023-05-01T13:00:00.000Z"]), ["2023-05-01T13:00:00Z"]);
    assertEquals(parsed(["2023-05-01T13:00:00.250Z"]), ["2023-05-01T13:00:00.250Z"]);
  });

  it("applies the offset, even if it changes on the way and whatever zone is named", () => {
    const stamps = ["2023-10-29T02:00:00+02:00", "2023-10-29T02:00:00+01:00"];
    const expected = ["2023-10-29T00:00:00Z", "2023-10-29T01:00:00Z"];
    assertEquals(parsed(stamps), expected);
    assertEquals(parsed(stamps, "Asia/Tokyo"), expected);
  });

  it("reads every form of an offset", () => {
    assertEquals(parsed(["2023-05-01T13:00:00+05:30"]), ["2023-05-01T07:30:00Z"]);
    assertEquals(parsed(["2023-05-01 13:00:00-0330"]), ["2023-05-01T16:30:00Z"]);
    assertEquals(parsed(["2023-05-01T13:00:00+00:00"]), ["2023-05-01T13:00:00Z"]);
  });

  it("reads an offset of hours only, as PostgreSQL writes it", () => {
    assertEquals(parsed(["2023-05-01 13:00:00+02"]), ["2023-05-01T11:00:00Z"]);
  });

  it("reads stamps without offset in the given zone, in winter and summer", () => {
    assertEquals(
      parsed(["2023-01-01T13:00", "2023-07-01T13:00"], "Europe/Copenhagen"),
      ["2023-01-01T12:00:00Z", "2023-07-01T11:00:00Z"],
    );
    assertEquals(parsed(["2023-01-01 13:00:00"], "UTC"), ["2023-01-01T13:00:00Z"]);
    assertEquals(parsed(["2023-01-01 13:00:00"], "Asia/Kolkata"), ["2023-01-01T07:30:00Z"]);
  });

  it("reads dates as midnight in the given zone", () => {
    assertEquals(parsed(["2023-01-01"], "Europe/Copenhagen"), ["2022-12-31T23:00:00Z"]);
    assertEquals(parsed(["2023-01-01"], "UTC"), ["2023-01-01T00:00:00Z"]);
  });

  it("F36 requires the zone if there is no offset", () => {
    refused(
      ["2023-05-01T13:00:00"],
      'line 2, column "time": "2023-05-01T13:00:00" has no offset from UTC. Give its time zone',
    );
  });

  it("F36 reads a duplicated repeated hour as summer time, then winter time", () => {
    const local = ["01:00", "02:00", "02:00", "03:00"].map((clock) => `2023-10-29T${clock}`);
    assertEquals(parsed(local, "Europe/Copenhagen"), [
      "2023-10-28T23:00:00Z",
      "2023-10-29T00:00:00Z",
      "2023-10-29T01:00:00Z",
      "2023-10-29T02:00:00Z",
    ]);
  });

  it("F36 refuses a repeated hour that occurs once, because it may be either", () => {
    refused(
      ["2023-10-29T01:00", "2023-10-29T02:00", "2023-10-29T03:00"],
      'line 3, column "time": 2023-10-29 02:00 may be either of two hours in ' +
        "Europe/Copenhagen, because the clocks go back then and the rows do not have both hours in sequence",
      "Europe/Copenhagen",
    );
  });

  it("F36 refuses an hour that the clocks skip", () => {
    refused(
      ["2023-03-26T01:00", "2023-03-26T02:00", "2023-03-26T03:00"],
      'line 3, column "time": 2023-03-26 02:00 does not exist',
      "Europe/Copenhagen",
    );
  });

  it("F36 recognizes a repeated hour even if later hours come before it", () => {
    const local = ["03:00", "02:00", "02:00"].map((clock) => `2023-10-29T${clock}`);
    assertEquals(parsed(local, "Europe/Copenhagen"), [
      "2023-10-29T02:00:00Z",
      "2023-10-29T00:00:00Z",
      "2023-10-29T01:00:00Z",
    ]);
    refused(local.slice(0, 2), 'line 3, column "time": 2023-10-29 02:00', "Europe/Copenhagen");
  });

  it("F36 refuses an hour that the clocks skip even if it is duplicated", () => {
    refused(
      ["2023-03-26T01:00", "2023-03-26T02:00", "2023-03-26T02:00"],
      'line 3, column "time": 2023-03-26 02:00 does not exist',
      "Europe/Copenhagen",
    );
  });

  it("reads stamps in quotes, and refuses quotes that hold more", () => {
    assertEquals(parsed(['"2023-05-01T13:00Z"', '"2023-05-01T14:00Z"']), [
      "2023-05-01T13:00:00Z",
      "2023-05-01T14:00:00Z",
    ]);
    refused(['"2023-05-01T13:00Z"', '"2023-05-01T14:00Z,,"'], 'line 3, column "time"');
  });

  it("F36 follows rules that have changed", () => {
    // Moscow kept summer time all year from 2011 to 2014, then winter time: UTC+4, later UTC+3.
    assertEquals(
      parsed(["2012-01-01T00:00", "2016-01-01T00:00"], "Europe/Moscow"),
      ["2011-12-31T20:00:00Z", "2015-12-31T21:00:00Z"],
    );
  });

  it("F37 refuses impossible dates and times, by their line", () => {
    for (
      const stamp of [
        "2023-02-29T00:00",
        "2023-13-01T00:00",
        "2023-05-01T24:00",
        "2023-05-01T23:60",
      ]
    ) {
      refused(
        ["2023-02-28T00:00", stamp],
        `line 3, column "time": "${stamp}" is not a valid date and time`,
        "UTC",
      );
    }
    assertEquals(parsed(["2024-02-29T00:00"], "UTC"), ["2024-02-29T00:00:00Z"]);
  });

  it("F37 refuses other forms, a two-digit year and the American order among them", () => {
    for (const stamp of ["05/01/2023 13:00", "01.05.2023", "23-05-01", "1682946000", "today"]) {
      refused([stamp], `line 2, column "time": "${stamp}" does not have the format`, "UTC");
    }
  });

  it("F38 refuses a stamp with fewer parts than the first one", () => {
    refused(
      ["2023-05-01T13:00:00Z", "2023-05-01T14:00:00"],
      'line 3, column "time": "2023-05-01T14:00:00" does not have the format of the first timestamp',
    );
    refused(["2023-05-01T13:00+02:00", "2023-05-01T14:00"], 'line 3, column "time"');
    refused(["2023-05-01T13:00", "2023-05-02"], 'line 3, column "time"', "UTC");
  });

  it("F36 refuses an offset after a first stamp without one, instead of dropping an hour or two", () => {
    for (const seconds of ["00", "00.5"]) {
      for (const offset of ["Z", "+02:00", "-0700"]) {
        const stamps = [`2023-05-01T13:00:${seconds}`, `2023-05-01T14:00:${seconds}${offset}`];
        refused(stamps, 'line 3, column "time"', "Europe/Copenhagen");
      }
    }
    // As long as the first one; a parser of numbers would read it without its Z.
    refused(["2023-05-01T13:00:00", "2023-5-01T14:00:00Z"], 'line 3, column "time"', "Asia/Tokyo");
  });

  it("F38 refuses a stamp with more parts than the first one, instead of dropping them silently", () => {
    const forms = [
      ["2023-05-01", "2023-05-02T13:00"],
      ["2023-05-01T13:00", "2023-05-01T14:30:30"],
      ["2023-05-01T13:00:00", "2023-05-01T14:00:00.5"],
      ["2023-05-01T13:00:00", "2023-05-01T14:00:00 PM"],
      ["2023-05-01T13:00:00", "12023-05-01T14:00:00"],
      ["2023-05-01T13:00:00Z", "2023-05-01T14:00:00Z?"],
      ["2023-05-01T13:00:00+02:00", "2023-05-01T14:00:00+02:00[Europe/Copenhagen]"],
    ];
    for (const stamps of forms) refused(stamps, 'line 3, column "time"', "UTC");
  });

  it("F38 refuses a stamp with any wrong character, and reads any other digit that makes a time", () => {
    const good = "2021-01-21T11:11:11+01:01";
    for (let at = 0; at < good.length; at++) {
      for (const character of "0123456789-+:TZ /x") {
        const stamp = good.slice(0, at) + character + good.slice(at + 1);
        const digits = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(stamp);
        let instant: string | undefined;
        try {
          // A second parser, which accepts 60 as a second, unlike ours.
          const leap = stamp.slice(17, 19) === "60";
          instant = digits && !leap ? Temporal.Instant.from(stamp).toString() : undefined;
        } catch {
          instant = undefined;
        }
        if (instant) assertEquals(parsed([good, stamp])[1], instant, stamp);
        else refused([good, stamp], 'line 3, column "time"');
      }
    }
  });

  it("F38 refuses a missing stamp, by its line", () => {
    refused(
      ["2023-05-01", null, "2023-05-03"],
      'line 3, column "time": the timestamp is missing',
      "UTC",
    );
  });

  it("gives a typed empty series for no stamps", () => assertEquals(parsed([]), []));

  it("F36 knows every time zone that the runtime knows", () => {
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      const expected = Temporal.PlainDateTime.from("2021-01-15T12:00").toZonedDateTime(zone)
        .toInstant().toString();
      assertEquals(parsed(["2021-01-15T12:00"], zone), [expected], zone);
    }
  });
});
