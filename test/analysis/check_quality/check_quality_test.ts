import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import {
  checkQuality,
  type QualityReport,
} from "../../../src/analysis/check_quality/check_quality.ts";
import {
  completenessColumns,
  findingColumns,
} from "../../../src/analysis/check_quality/summary.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { extractEpochs } from "../../../src/frames/frame.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";
import { buildOrigin } from "../../plots/_frames.ts";
import { drifting } from "../../screening/_series.ts";
import { dataPresent } from "../../validate/_site_data.ts";
import {
  framed,
  HOUR,
  kelmarshPower,
  kelmarshRows,
  kelmarshTurbines,
  kelmarshWind,
  named,
  seriesFrame,
} from "../_series.ts";

const ratedPower = 2000;

const kinds = ({ frames: { problems } }: QualityReport) => problems.getColumn("kind").toArray();
const column = (frame: DataFrame, name: string): unknown[] => frame.getColumn(name).toArray();
const hoursOf = ({ frames: { problems } }: QualityReport) => column(problems, "hours");
const texts = (frame: DataFrame, name: string) =>
  frame.select(pl.col(name).dt.strftime("%Y-%m-%dT%H:%M%:z")).getColumn(name).toArray();

/** Plausible power of hours from 1 January 2022 on. */
const year = drifting(8760, "year").map((power, i) => 350 + 0.6 * power + (i * 379) % 101);

describe("checkQuality()", () => {
  it("finds nothing in a sound year, and lists the checks that were not possible", () => {
    const report = checkQuality(seriesFrame(year), { ratedPower });
    assertEquals(report.frames.problems.height, 0);
    assertEquals(report.frames.problems.columns, findingColumns.map(({ name }) => name));
    assertEquals(report.frames.lags.height, 0);
    assertStringIncludes(report.summary.join(), "The checks found no problems");
    for (const give of ["{ neighbours }", "{ predicted }", "{ timeZone }"]) {
      assert(report.notes.some((note) => note.includes(give)), give);
    }
    assertStringIncludes(checkQuality(seriesFrame(year)).notes.join(), "{ ratedPower }");
  });

  it("finds gap, standstill and impossible power with hours, instants and remedy", () => {
    const power = Array.from(year, (value): number | null => value);
    power.fill(null, 100, 124); // 24 h from 5 January, 04:00 UTC
    power.fill(0, 1000, 1072);
    power[2000] = 2500;
    const report = checkQuality(seriesFrame(power, { zone: "Europe/London" }), { ratedPower });
    assertEquals(kinds(report), ["gap", "standstill", "out_of_range"]);
    assertEquals(hoursOf(report), [24, 72, 1]);
    assertEquals(texts(report.frames.problems, "from")[0], "2022-01-05T04:00+00:00");
    assertEquals(texts(report.frames.problems, "to")[0], "2022-01-06T04:00+00:00");
    assertEquals(column(report.frames.problems, "message")[0], "24 h without a value");
    assertStringIncludes(String(column(report.frames.problems, "remedy")[0]), "never fills gaps");
    // 24 of January's 744 hours are missing.
    assertEquals(column(report.frames.completeness, "jan"), [720 / 744]);
    assertEquals(column(report.frames.completeness, "feb"), [1]);
  });

  it("S10: calls a calm no standstill if the model expects no power", () => {
    const still = year.map((power, i) =>
      i >= 1000 && i < 1080 || i >= 3000 && i < 3080 ? 0 : power
    );
    // A model for one turbine of a park of 20.
    const model = year.map((power, i) => i >= 1000 && i < 1080 ? 2 : power / 20);
    const judge = (predicted?: DataFrame) =>
      checkQuality(seriesFrame(still), { ratedPower, ...(predicted ? { predicted } : {}) });
    assertEquals(hoursOf(judge()), [80, 80]);
    const report = judge(seriesFrame(model));
    assertEquals(kinds(report), ["standstill"]);
    assertEquals(texts(report.frames.problems, "from"), ["2022-05-06T00:00+00:00"]);
    assertEquals(hoursOf(judge(seriesFrame(model, { column: "wind_speed" }))).slice(0, 2), [
      80,
      80,
    ]);
  });

  it("counts the real hours of months with a clock change, and leaves months outside of the record null", () => {
    // From local midnight of 1 March to local midnight of 1 November 2022 in Copenhagen: March has 743 h, October 745
    // h.
    const hours = (Date.parse("2022-10-31T23:00Z") - Date.parse("2022-02-28T23:00Z")) / HOUR;
    const complete = drifting(hours, 5);
    const report = checkQuality(
      seriesFrame(complete, { start: "2022-02-28T23:00Z", zone: "Europe/Copenhagen" }),
    );
    assertEquals(report.frames.completeness.columns, completenessColumns.map(({ name }) => name));
    assertEquals(column(report.frames.completeness, "year"), [2022]);
    for (const month of ["jan", "feb", "nov", "dec"]) {
      assertEquals(column(report.frames.completeness, month), [null], month);
    }
    for (const month of ["mar", "jun", "oct"]) {
      assertEquals(column(report.frames.completeness, month), [1], month);
    }
    const holed = complete.slice();
    holed.fill(NaN, 0, 10);
    holed.fill(NaN, hours - 10);
    const holes = checkQuality(
      seriesFrame(holed, { start: "2022-02-28T23:00Z", zone: "Europe/Copenhagen" }),
    );
    assertEquals(column(holes.frames.completeness, "mar"), [733 / 743]);
    assertEquals(column(holes.frames.completeness, "oct"), [735 / 745]);
  });

  it("gives 0 to months of the record without a value, and keeps years between", () => {
    const stamps = Float64Array.of(
      Date.parse("2019-12-31T23:00Z"),
      Date.parse("2022-01-01T00:00Z"),
    );
    const { frames: { completeness } } = checkQuality(framed(stamps, [500, 600]));
    assertEquals(column(completeness, "year"), [2019, 2020, 2021, 2022]);
    assertEquals(column(completeness, "jan"), [null, 0, 0, 1 / 744]);
    assertEquals(column(completeness, "dec"), [1 / 744, 0, 0, null]);
  });

  it("finds rows out of order, duplicated and off the clock, and repairs none", () => {
    const stamps = Float64Array.from(
      { length: 1000 },
      (_, i) => Date.parse("2022-01-01T00:00Z") + i * HOUR,
    );
    [stamps[10], stamps[11]] = [stamps[11], stamps[10]];
    stamps[51] = stamps[50];
    stamps[700] += 7 * 60_000;
    const frame = framed(stamps, year.subarray(0, 1000));
    const before = frame.toRecords();
    const report = checkQuality(frame);
    assertEquals(kinds(report), ["unsorted", "duplicate", "gap", "clock"]);
    assertEquals(hoursOf(report), [1, 1, 1, 1]);
    assertEquals(frame.toRecords(), before);
  });

  it("finds local time read as UTC, by its timestamps and by its lag in summer", () => {
    const instants = Float64Array.from(
      { length: 8760 },
      (_, i) => Date.parse("2022-01-01T00:00Z") + i * HOUR,
    );
    const scatter = drifting(8760, "scatter");
    const power = year.map((value, i) => value + 0.2 * scatter[i]);
    const local = instants.map((instant) =>
      instant + Temporal.Instant.fromEpochMilliseconds(instant)
          .toZonedDateTimeISO("Europe/London").offsetNanoseconds / 1e6
    );
    const report = checkQuality(framed(local, power), {
      timeZone: "Europe/London",
      predicted: framed(instants, year),
    });
    const changes = report.frames.problems.filter(pl.col("kind").eq(pl.lit("clock_change")));
    const messages = column(changes, "message").join();
    assertStringIncludes(messages, "local time of Europe/London read as UTC");
    assertStringIncludes(messages, "h later in summer than in winter. It lags the model by ");
    assertEquals(report.frames.lags.height, 12);
    assertAlmostEquals(Number(column(report.frames.lags, "lag")[6]), 1, 0.1);
    assertAlmostEquals(Number(column(report.frames.lags, "lag")[0]), 0, 0.1);
    const right = checkQuality(framed(instants, power), {
      timeZone: "Europe/London",
      predicted: framed(instants, year),
    });
    assertEquals(kinds(right), []);
  });

  it("finds a half-hour shift in 10-minute values, and notes that hourly ones cannot show it", () => {
    const fine = drifting(6 * 24 * 90, "fine").map((_, i, all) => {
      // A mean over an hour, so the weather continues from step to step.
      let sum = 0;
      for (let part = 0; part < 6; part++) sum += all[Math.max(0, i - part)];
      return sum / 6;
    });
    const hourly = Float64Array.from(
      { length: fine.length / 6 },
      (_, i) => fine.subarray(6 * i, 6 * i + 6).reduce((a, b) => a + b, 0) / 6,
    );
    const predicted = seriesFrame(hourly);
    const late = (steps: number) => fine.map((_, i) => fine[i - steps] ?? NaN);
    const judged = (steps: number) =>
      checkQuality(seriesFrame(late(steps), { minutes: 10 }), { predicted });
    const [finding] = judged(3).frames.problems.filter(pl.col("kind").eq(pl.lit("shift")))
      .toRecords();
    assertStringIncludes(String(finding.message), "production comes 0.5 h later than the model");
    assertEquals(kinds(judged(0)), []);
    const hours = checkQuality(seriesFrame(hourly), { predicted });
    assertStringIncludes(hours.notes.join(), "Hourly values cannot show a shift of half an hour");
    assertStringIncludes(
      judged(0).notes.join(),
      "Weather moving at 11 m/s needs half an hour to cover 20 km",
    );
  });

  it("counts 10-minute values by their share of the hours", () => {
    const power = year.slice(0, 6 * 24 * 31);
    power.fill(NaN, 60, 63); // half an hour
    const report = checkQuality(seriesFrame(power, { minutes: 10 }), { ratedPower });
    assertEquals(kinds(report), ["gap"]);
    assertEquals(hoursOf(report), [0.5]);
    assertEquals(column(report.frames.completeness, "jan"), [(744 - 0.5) / 744]);
  });

  it("looks for stops next to neighbours, and notes which neighbours it did not use", () => {
    const stopped = year.map((power) => power + 50);
    const frame = seriesFrame(stopped.map((power, i) => i >= 500 && i < 520 ? 0 : power));
    const neighbours = {
      good: seriesFrame(stopped),
      watts: seriesFrame(stopped.map((power) => power * 1000)),
      other: seriesFrame(stopped, { start: "2010-01-01T00:00Z" }),
    };
    const report = checkQuality(frame, { ratedPower, neighbours });
    assertEquals(kinds(report), ["idle"]);
    assertEquals(hoursOf(report), [20]);
    assertStringIncludes(
      report.notes.join("\n"),
      "The check did not use neighbour watts: mean capacity",
    );
    assertStringIncludes(
      report.notes.join("\n"),
      "The check did not use neighbour other: it has no value",
    );
  });

  it("suspects the unit and then judges no value by it", () => {
    const report = checkQuality(seriesFrame(year.map((power) => power / 1000)), { ratedPower });
    assertEquals(kinds(report), ["wrong_unit"]);
    const [{ message, remedy }] = report.frames.problems.toRecords();
    assertStringIncludes(String(message), "probably 1/1000 of the true value");
    assert(!String(message).includes(String(remedy)), "the remedy is a column of its own");
    assertStringIncludes(report.notes.join(), "The unit may be wrong");
  });

  it("does not take a turbine that never ran, or a few calm hours, for a wrong unit", () => {
    const still = checkQuality(seriesFrame(year.map(() => 0)), { ratedPower });
    assertEquals(kinds(still), ["standstill"]);
    assertEquals(hoursOf(still), [8760]);
    assertEquals(kinds(checkQuality(seriesFrame([5, 9, 7]), { ratedPower })), []);
    assertEquals(kinds(checkQuality(seriesFrame([5e6, 9e6, 7e6]), { ratedPower })), ["wrong_unit"]);
    const month = pl.DataFrame([
      pl.Series("month", ["2022-01-01"]).str.strptime(pl.Date, "%Y-%m-%d"),
      pl.Series("energy", [0], pl.Float64),
    ]);
    assertEquals(kinds(checkQuality(month, { ratedPower })), ["standstill"]);
  });

  it("reports months that the record cuts, and calls no incomplete month complete", () => {
    // From 11 January to 23 February; one missing 10-minute value of a whole month would round to 100.0 %.
    const cut = checkQuality(
      seriesFrame(year.subarray(0, 24 * 43), { start: "2022-01-12T00:00Z" }),
    );
    assertEquals(
      cut.summary[0],
      "From the first row to the last, 100.0 % of the hours have a value. The least complete months are " +
        "2022-01 (64.5 %, the record begins there), 2022-02 (82.1 %, the record ends there).",
    );
    const one = Array.from({ length: 31 * 144 }, (_, i) => i === 2000 ? null : year[i]);
    const nearly = checkQuality(seriesFrame(one, { minutes: 10 }));
    assertStringIncludes(nearly.summary[0], "99.9 % of the hours");
    assertStringIncludes(nearly.summary[0], "2022-01 (99.9 %");
  });

  it("describes the checked data in its summary, and the remedy of each kind", () => {
    const power = Array.from(year, (value): number | null => value);
    power.fill(null, 100, 124);
    const report = checkQuality(seriesFrame(power), { ratedPower });
    assertEquals(
      report.summary[1],
      "Gap: 24 h without a value, from 2022-01-05. Request the missing values from the source, because Vindkit never fills gaps.",
    );
    assertStringIncludes(Deno.inspect(report), "Power (kW)");
  });

  it("judges wind by its range and its repeats, the highest of several", () => {
    const wind = Array.from(year, (power, i) => 3 + power / 150 + (i % 7) / 10);
    wind[100] = 99;
    wind.fill(8.5, 200, 206);
    const frame = seriesFrame(year.map(() => 5), { column: "wind_speed_10" })
      .withColumn(pl.Series("wind_speed_100", wind, pl.Float64));
    const report = checkQuality(frame);
    assertEquals(kinds(report), ["out_of_range", "stuck"]);
    assertEquals(hoursOf(report), [1, 6]);
    assertEquals(
      column(report.frames.problems, "remedy")[0],
      "Check the unit and the marks for missing values",
    );
    assertEquals(kinds(checkQuality(frame, { column: "wind_speed_10" })), ["stuck"]);
  });

  it("reports rows that are hours apart", () => {
    const report = checkQuality(seriesFrame(year.subarray(0, 300), { minutes: 180 }));
    assertEquals(kinds(report), ["resolution"]);
    assertStringIncludes(String(column(report.frames.problems, "message")[0]), "rows 3 h apart");
    assertAlmostEquals(Number(column(report.frames.completeness, "jan")[0]), 248 / 744, 1e-12);
  });

  it("SI6: judges days by months, and each day by the rated power", () => {
    const zone = "Europe/Berlin";
    const days = Array.from(
      { length: 90 },
      (_, i) =>
        Temporal.PlainDate.from("2022-03-01").add({ days: i }).toZonedDateTime(zone)
          .epochMilliseconds,
    );
    const power = days.map((_, i) => i === 40 ? -999 : i === 45 ? null : 500 + (i * 37) % 300);
    const frame = framed(Float64Array.from(days), power, zone);
    const report = checkQuality(frame, { ratedPower });
    assertEquals(kinds(report), ["out_of_range"]);
    assertEquals(column(report.frames.problems, "message"), ["2022-04-10: mean power of -999 kW"]);
    assertEquals(texts(report.frames.problems, "from"), ["2022-04-10T00:00+02:00"]);
    assertEquals(column(report.frames.completeness, "mar"), [1]);
    assertAlmostEquals(column(report.frames.completeness, "apr")[0] as number, 29 / 30, 1e-12);
  });

  it("judges monthly and annual energies", () => {
    const months = ["2022-01", "2022-02", "2022-05", "2022-04", "2022-06", "2022-06"];
    const frame = pl.DataFrame([
      pl.Series("month", months.map((month) => `${month}-01`)).str.strptime(pl.Date, "%Y-%m-%d"),
      pl.Series("energy", [500, null, 400, 2, 450, 450], pl.Float64),
    ]);
    const report = checkQuality(frame, { ratedPower, timeZone: "Europe/Copenhagen" });
    assertEquals(kinds(report), ["gap", "gap", "unsorted", "standstill", "duplicate"]);
    // February, March (743 h because the clock goes forward), April twice, June.
    assertEquals(hoursOf(report), [672, 743, 720, 720, 720]);
    assertEquals(column(report.frames.completeness, "feb"), [0]);
    assertEquals(column(report.frames.completeness, "mar"), [0]);
    assertEquals(column(report.frames.completeness, "jun"), [1]);
    assertEquals(column(report.frames.completeness, "jul"), [null]);
    const years = pl.DataFrame([
      pl.Series("year", [2020, 2022], pl.Int32),
      pl.Series("energy", [5000, 90_000], pl.Float64),
    ]);
    const annual = checkQuality(years, { ratedPower });
    assertEquals(kinds(annual), ["wrong_unit", "gap"]);
    assertEquals(column(annual.frames.completeness, "may"), [1, 0, 1]);
  });

  it("S5: judges the energies of months by their valid hours, and counts these as complete", () => {
    const names = Array.from(
      { length: 24 },
      (_, i) => `${Temporal.PlainYearMonth.from("2022-01").add({ months: i })}-01`,
    );
    const at = <T>(given: Record<number, T>, other: T) => names.map((_, i) => given[i] ?? other);
    // 396 h and 5.76 h at rated power: over all hours of the month the first would be possible and the second a
    // standstill.
    const frame = pl.DataFrame([
      pl.Series("month", names).str.strptime(pl.Date, "%Y-%m-%d"),
      pl.Series("energy", at({ 1: 0.396, 2: 0.00576 }, 0.2).map((mw) => mw * ratedPower)),
      pl.Series("valid_hours", at<number | null>({ 0: 360, 1: 336, 2: 74.4 }, null), pl.Float64),
    ]);
    const report = checkQuality(frame, { ratedPower });
    assertEquals(kinds(report), ["out_of_range"]);
    assertEquals(hoursOf(report), [672]);
    assertEquals(column(report.frames.completeness, "jan"), [360 / 744, 1]);
    assertEquals(column(report.frames.completeness, "feb"), [0.5, 1]);
    assertStringIncludes(
      report.notes.join(" "),
      '21 of 24 rows without "valid_hours" count for the whole period.',
    );
    assertEquals(kinds(checkQuality(frame.drop("valid_hours"), { ratedPower })), ["standstill"]);
    assertThrows(
      () => checkQuality(frame.withColumn(pl.col("valid_hours").mul(pl.lit(3)))),
      ArgumentError,
      'column "valid_hours" has 1080 h in row 1, but the period has 744 h',
    );
  });

  it("refuses a frame that is not a series, and names column and remedy", () => {
    const refused = (frame: DataFrame, options = {}) =>
      assertThrows(() => checkQuality(frame, options), ArgumentError).message;
    const frame = seriesFrame(year.subarray(0, 48));
    assertStringIncludes(refused(pl.DataFrame({ power: [1] })), 'it needs "time" with values');
    assertStringIncludes(refused(frame.head(0)), "it has no rows");
    assertStringIncludes(refused(frame.rename({ power: "kw" })), "{ column }");
    assertStringIncludes(refused(frame, { column: "kw" }), 'it has no column "kw"');
    assertStringIncludes(
      refused(frame.withColumn(pl.col("power").cast(pl.Utf8))),
      'column "power" contains String, not numbers',
    );
    assertStringIncludes(
      refused(frame.withColumn(pl.col("time").cast(pl.Datetime("us")).alias("time"))),
      "replaceTimeZone",
    );
    assertStringIncludes(
      refused(frame.withColumn(pl.col("time").cast(pl.Utf8).alias("time"))),
      'column "time" contains String, not datetimes with a time zone. Read the file with readProduction()',
    );
    const turbines = pl.Series("turbine_id", Array.from({ length: 48 }, (_, i) => `T${i % 2}`));
    assertStringIncludes(refused(frame.withColumn(turbines)), "the frame has 2 turbines");
    assertStringIncludes(refused(frame, { ratedPower: 0 }), "a rated power of 0 kW is impossible");
    assertStringIncludes(refused(frame, { timeZone: "CEST" }), "not an IANA time zone");
    assertStringIncludes(
      refused(frame, { predicted: frame.select("time") }),
      'no wind speed and no "power"',
    );
    const far = framed(Float64Array.of(0, Date.parse("2922-01-01T00:00Z")), [1, 2]);
    assertStringIncludes(refused(far), "its timestamps run from 1970-01-01 to 2922-01-01");
  });

  it("judges a series without any value, and rows without a timestamp", () => {
    const nothing = checkQuality(seriesFrame(Array.from({ length: 48 }, () => null)), {
      ratedPower,
    });
    assertEquals(kinds(nothing), ["gap"]);
    assertEquals(hoursOf(nothing), [48]);
    const frame = seriesFrame([1, 3, 2, 4, 5, 6]);
    const nameless = frame.withColumn(
      pl.when(pl.col("power").eq(pl.lit(2))).then(pl.lit(null)).otherwise(pl.col("time"))
        .cast(pl.Datetime("us", "UTC")).alias("time"),
    );
    const report = checkQuality(nameless);
    assertStringIncludes(report.notes.join(), "The check leaves out 1 row without a timestamp");
    assertEquals(kinds(report), ["gap"]);
  });

  it("gives the same for the same seed, shows itself, and stays synthetic", () => {
    const predicted = seriesFrame(year);
    const frame = describeFrame(seriesFrame(drifting(8760, 3)), [], buildOrigin("sample"));
    const [one, two] = [1, 2].map(() => checkQuality(frame, { predicted, seed: "a" }));
    assertEquals(one.frames.lags.toRecords(), two.frames.lags.toRecords());
    const display = (one as unknown as Record<symbol, () => Record<string, string>>)[
      JUPYTER_DISPLAY as unknown as symbol
    ]();
    for (const text of ["Quality of a series", "SYNTHETIC", "Completeness", "Lag behind"]) {
      assertStringIncludes(display["text/plain"], text);
    }
  });

  it("judges any timestamps and values without an error, hours above 0 and shares of 0 to 1", () => {
    const zones = ["UTC", "Europe/London", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia"];
    for (let seed = 0; seed < 60; seed++) {
      const random = new SeededRandom(seed);
      const minutes = [60, 10, 30, 7, 61, 180, 1440][random.below(7)];
      const first = Date.parse("2009-10-01T00:00Z") + random.below(87_600) * 360_000;
      const stamps = Float64Array.from(
        { length: 1 + random.below(1500) },
        (_, i) =>
          first + i * minutes * 60_000 +
          (random.uniform() < 0.02 ? Math.round(3e6 * random.normal()) : 0),
      );
      const values = stamps.map(() =>
        random.uniform() < 0.03 ? [NaN, Infinity, -999][random.below(3)] : 2000 * random.uniform()
      );
      const report = checkQuality(framed(stamps, values, zones[random.below(5)]), {
        ratedPower,
        timeZone: zones[random.below(5)],
        ...(seed % 3 === 0 ? { predicted: seriesFrame(year, { start: "2015-01-01T00:00Z" }) } : {}),
      });
      for (const finding of report.frames.problems.toRecords()) {
        assert(Number(finding.hours) > 0, `hours of seed ${seed}`);
        assert(Number(finding.from) < Number(finding.to), `order of seed ${seed}`);
      }
      for (const { name } of completenessColumns.slice(1)) {
        const shares = column(report.frames.completeness, name) as (number | null)[];
        assert(shares.every((share) => share === null || share >= 0 && share <= 1), `${seed}`);
      }
    }
  });

  const check = dataPresent() ? it : it.ignore;

  check(
    named("finds the 254-hour gap of Kelmarsh at each turbine, and its place in the table"),
    async () => {
      const rows = await kelmarshRows();
      for (const [position, turbine] of kelmarshTurbines.entries()) {
        const report = checkQuality(await kelmarshPower(turbine), {
          ratedPower: 2050,
          timeZone: "Europe/London",
        });
        const start = Date.parse("2018-10-23T02:00Z");
        const [gap] = report.frames.problems.filter(pl.col("kind").eq(pl.lit("gap")))
          .sort("hours", true).toRecords() as unknown as { from: Date; hours: number }[];
        assertEquals(new Date(gap.from).getTime(), start, turbine);
        // The whole site was silent for 254 hours; KWF3 came back a day later.
        assertEquals(gap.hours, turbine === "KWF3" ? 277 : 254);

        // Completeness counted from the text of the file: timestamps of UTC, months of London, from real hours.
        for (let month = 1; month <= 12; month++) {
          const [first, end] = [month, month + 1].map((each) =>
            Temporal.PlainDate.from({ year: 2018, month: 1, day: 1 }).add({ months: each - 1 })
              .toZonedDateTime("Europe/London").epochMilliseconds
          );
          const inMonth = rows.filter(([stamp]) => {
            const instant = Temporal.Instant.from(stamp.replace(" ", "T")).epochMilliseconds;
            return instant >= first && instant < end;
          });
          const filled = inMonth.filter((row) => row[position + 1] !== "").length;
          const name = completenessColumns[month].name;
          assertAlmostEquals(
            Number(column(report.frames.completeness, name)[0]),
            filled / ((end - first) / HOUR),
            1e-12,
            `${turbine} ${name}`,
          );
        }
      }
    },
  );

  check(named("finds no lag between Kelmarsh and ERA5, and two hours in a late copy"), async () => {
    const power = await kelmarshPower("KWF1");
    const options = { ratedPower: 2050, timeZone: "Europe/London", predicted: kelmarshWind() };
    const right = checkQuality(power, options);
    assertEquals(kinds(right).filter((kind) => kind === "shift" || kind === "clock_change"), []);
    const moved = framed(
      extractEpochs(power, "time").map((stamp) => stamp + 2 * HOUR),
      power.getColumn("power").toArray() as (number | null)[],
    );
    const report = checkQuality(moved, options);
    const [{ message }] = report.frames.problems.filter(pl.col("kind").eq(pl.lit("shift")))
      .toRecords();
    assertStringIncludes(String(message), "production comes 1.8 h later than the model");
  });
});
