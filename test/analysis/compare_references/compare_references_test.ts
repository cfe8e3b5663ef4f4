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
  compareReferences,
  type ReferenceCandidate,
} from "../../../src/analysis/compare_references/compare_references.ts";
import { referenceColumns } from "../../../src/analysis/compare_references/fit.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { extractEpochs, extractNumbers } from "../../../src/frames/frame.ts";
import { readNetcdf } from "../../../src/frames/netcdf/netcdf.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { describeFrame, provenance } from "../../../src/frames/origin/provenance.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";
import { buildOrigin } from "../../plots/_frames.ts";
import { drifting } from "../../screening/_series.ts";
import { dataPresent } from "../../validate/_site_data.ts";
import {
  framed,
  HOUR,
  kelmarshPower,
  kelmarshTurbines,
  kelmarshWind,
  named,
  seriesFrame,
} from "../_series.ts";

const list = (frame: DataFrame, name: string): unknown[] => frame.getColumn(name).toArray();

/** Wind of three years from 2020 on, m/s, instantaneous. */
const wind = drifting(26_304, "wind").map((value, i) =>
  2 + value / 250 + 2 * Math.cos(2 * Math.PI * i / 8766)
);

/** Production of the hours between the instants. */
const power = wind.map((value, i) => Math.min(2000, 4 * ((value + (wind[i + 1] ?? NaN)) / 2) ** 3));

const start = "2020-01-01T00:00Z";
const production = seriesFrame(power, { start });
const climate = (values: ArrayLike<number | null>, column = "wind_speed_100") =>
  seriesFrame(values, { start, column });

function noisy(size: number, name = "noise"): Float64Array {
  const random = new SeededRandom(name);
  return wind.map((value) => Math.max(0, value + size * random.normal()));
}

function months(values: readonly (number | null)[], column: string, first = "2020-01"): DataFrame {
  const start = Temporal.PlainYearMonth.from(first);
  const names = values.map((_, i) => `${start.add({ months: i })}-01`);
  return pl.DataFrame([
    pl.Series("month", names).str.strptime(pl.Date, "%Y-%m-%d"),
    pl.Series(column, values as number[], pl.Float64),
  ]);
}

describe("compareReferences()", () => {
  it("ranks by monthly r if all have two years in common, and says so", () => {
    const { frames: { references }, summary } = compareReferences(production, {
      worse: climate(noisy(30, "much")),
      best: climate(wind),
    });
    assertEquals(references.columns, referenceColumns.map(({ name }) => name));
    assertEquals(list(references, "name"), ["best", "worse"]);
    assertEquals(list(references, "rank"), [1, 2]);
    assertEquals(list(references, "months"), [36, 36]);
    assertStringIncludes(
      summary.at(-1)!,
      "The ranking uses monthly r, rounded to three decimals, and then the distance",
    );
    assertStringIncludes(summary[0], "best fits best: hourly r 0.9");
  });

  it("ranks by hourly r in a short record: noisy or late copies come after the original", () => {
    const year = production.head(8784);
    const late = wind.map((_, i) => wind[i - 3] ?? NaN);
    const { frames: { references }, summary } = compareReferences(year, [
      { name: "noisy", frame: climate(noisy(3)) },
      { name: "late", frame: climate(late) },
      { name: "good", frame: climate(wind) },
    ]);
    assertEquals(list(references, "name"), ["good", "late", "noisy"]);
    assertStringIncludes(
      summary.at(-1)!,
      "The ranking uses hourly r, rounded to three decimals, and then the distance",
    );
  });

  it("gives r of months by hand, with its interval and distance, and no figures that need hours", () => {
    // Powers of 100 to 600 kW over the real hours of the months: ranks 1 to 6 against 1, 3, 2, 5, 4, 6, r = 1 - 24 / 210.
    const hours = [744, 696, 744, 720, 744, 720];
    const energies = hours.map((each, i) => 100 * (i + 1) * each / 1000);
    const { frames: { references }, notes } = compareReferences(months(energies, "energy"), [
      {
        name: "neighbour",
        frame: months([1, 3, 2, 5, 4, 6], "energy"),
        latitude: 56,
        longitude: 8,
      },
    ], { place: { latitude: 55, longitude: 8 } });
    const [row] = references.toRecords();
    assertAlmostEquals(Number(row.monthly_r), 1 - 24 / 210, 1e-12);
    // One degree of latitude on a sphere of 6,371 km.
    assertAlmostEquals(Number(row.distance_to_request_location), 6371 * Math.PI / 180, 1e-9);
    for (const name of ["hourly_r", "bias", "hours", "trend", "years"]) {
      assertEquals(row[name], null, name);
    }
    assertEquals(row.months, 6);
    assertStringIncludes(
      String(row.notes),
      "no hourly r and no trend, because its values are monthly",
    );
    assertStringIncludes(notes.join(), "season");
  });

  it("S5: takes the mean power of a month over the hours that its energy covers", () => {
    const hours = [744, 696, 744, 720, 744, 720, 744];
    const shares = [1, 0.5, 0.75, 1, 0.25, 1, 1];
    const energies = hours.map((each, i) => 100 * (i + 1) * each * shares[i] / 1000);
    const valid = hours.map((each, i) => each * (i === 2 ? 1 : shares[i]));
    const frame = months(energies, "energy").withColumns(
      pl.Series("valid_hours", valid, pl.Float64),
      pl.Series("availability", hours.map((_, i) => i === 2 ? 0.75 : 1), pl.Float64),
    );
    const { frames: { references }, notes } = compareReferences(frame, {
      neighbour: months([1, 2, 3, 4, 50, 6, 7], "energy"),
    });
    const [row] = references.toRecords();
    assertAlmostEquals(Number(row.monthly_r), 1, 1e-12);
    assertEquals(row.months, 6);
    assertStringIncludes(
      notes.join(" "),
      "3 of 7 energies cover only 25 % to 75 % of their hours",
    );
    assertStringIncludes(
      notes.join(" "),
      "The comparison leaves out 2020-05, because less than half of the hours have values.",
    );
  });

  it("compares monthly production with hours, by the zone of the months", () => {
    const monthly = months([...Array(36).keys()].map((i) => 300 + 100 * Math.cos(i)), "energy");
    const { frames: { references } } = compareReferences(monthly, { wind: climate(wind) }, {
      timeZone: "Europe/Copenhagen",
    });
    // December 2022 lacks only its hour after 23:00 UTC, January 2020 its first: both have 98 %.
    assertEquals(list(references, "months"), [36]);
    assertEquals(list(references, "hourly_r"), [null]);
  });

  it("averages instantaneous wind over the hour, and takes hourly means as they are", () => {
    const fit = (candidate: Partial<ReferenceCandidate>) =>
      compareReferences(production, [{ name: "a", frame: climate(wind), ...candidate }])
        .frames.references.toRecords()[0];
    assert(Number(fit({}).hourly_r) > Number(fit({ stamp: "start" }).hourly_r));
    const reference = { frame: production, column: "power" };
    assertAlmostEquals(Number(fit(reference).hourly_r), 1, 1e-12);
    assertEquals(fit(reference).trend, null);
  });

  it("chooses the highest wind and names it, or takes the named column", () => {
    const frame = climate(wind, "wind_speed_10")
      .withColumn(pl.Series("wind_speed_100", Array.from(wind), pl.Float64))
      .withColumn(pl.Series("other", Array.from(wind), pl.Float64));
    const columnOf = (column?: string) =>
      list(
        compareReferences(production, [{ name: "a", frame, ...(column ? { column } : {}) }])
          .frames.references,
        "column",
      )[0];
    assertEquals(columnOf(), "wind_speed_100");
    assertEquals(columnOf("wind_speed_10"), "wind_speed_10");
    assertEquals(columnOf("other"), "other");
  });

  it("counts the months and hours with values on both sides, by the real hours of the months", () => {
    const holed = Array.from(power, (value): number | null => Number.isNaN(value) ? null : value);
    holed.fill(null, 744 + 100, 744 + 100 + 14); // 14 of February's 696 h: 98 % are left
    holed.fill(null, 1440 + 100, 1440 + 100 + 15); // 15 of March's 744: more than 2 %
    const { frames: { references } } = compareReferences(
      seriesFrame(holed, { start }),
      { wind: climate(wind) },
    );
    assertEquals(list(references, "months"), [34]);
    // The mean of the last hour is unknown, because no instant follows.
    assertEquals(list(references, "hours"), [26_304 - 1 - 14 - 15]);
  });

  it("warns of a trend larger than chance, but does not rank by it", () => {
    // 0.5 m/s more each year around 8.5 m/s: 58.8 % per decade of the mean of three years.
    const rising = Float64Array.from(
      wind,
      (_, i) => {
        const year = new Date(Date.parse(start) + i * HOUR).getUTCFullYear() - 2021;
        return 8.5 + 0.5 * year + 0.01 * Math.cos(i) + 0.001 * wind[i];
      },
    );
    const { frames: { references } } = compareReferences(production, {
      steady: climate(noisy(60)),
      rising: climate(rising),
    });
    const row = references.toRecords().find(({ name }) => name === "rising")!;
    assertEquals(row.years, 3);
    assertAlmostEquals(Number(row.trend), 58.8, 0.2);
    assertStringIncludes(String(row.notes), "its wind has a trend of +58.8 % per decade (90 %");
    assertStringIncludes(String(row.notes), "so its long-term mean depends on the years");
    const steady = references.toRecords().find(({ name }) => name === "steady")!;
    assert(Number(steady.trend_low) < 0 && Number(steady.trend_high) > 0);
    assert(!String(steady.notes).includes("its wind has a trend"));
  });

  it("keeps a candidate without overlap as a row of nulls, and refuses if none overlaps", () => {
    const old = seriesFrame(wind.subarray(0, 8760), {
      start: "2001-01-01T00:00Z",
      column: "wind_speed_100",
    });
    const { frames: { references }, summary } = compareReferences(production, {
      old,
      now: climate(wind),
    });
    assertEquals(list(references, "name"), ["now", "old"]);
    const [, row] = references.toRecords();
    for (const name of ["rank", "monthly_r", "monthly_r_low", "hourly_r", "bias"]) {
      assertEquals(row[name], null, name);
    }
    assertEquals([row.hours, row.months], [0, 0]);
    assertStringIncludes(
      String(row.notes),
      "it does not overlap the production, because its record is from 2001-01-01 to 2001-12-31",
    );
    assertStringIncludes(
      summary.join(),
      "Candidates that do not overlap the production come last: old.",
    );
    const { message } = assertThrows(() => compareReferences(production, { old }), ArgumentError);
    assertStringIncludes(message, "no candidate has a value in the hours of the production");
    assertStringIncludes(message, "2020-01-01 to 2022-12-31");
    assertStringIncludes(message, "old 2001-01-01 to 2001-12-31");
  });

  it("takes the points and turbines of one frame one by one, with their places", () => {
    const point = (latitude: number, values: Float64Array) =>
      climate(values).withColumns(
        pl.lit(latitude).cast(pl.Float64).alias("latitude"),
        pl.lit(8).cast(pl.Float64).alias("longitude"),
      );
    const frame = pl.concat([point(55, noisy(20)), point(56, wind)]);
    const { frames: { references } } = compareReferences(production, { era5: frame }, {
      place: { latitude: 56, longitude: 8 },
    });
    assertEquals(list(references, "name"), ["era5 56 N 8 E", "era5 55 N 8 E"]);
    assertAlmostEquals(Number(list(references, "distance_to_request_location")[0]), 0, 1e-9);
    const turbines = pl.concat(
      ["T1", "T2"].map((id) => production.withColumn(pl.lit(id).alias("turbine_id"))),
    );
    const park = compareReferences(production, { park: turbines }).frames.references;
    assertEquals(list(park, "name"), ["park T1", "park T2"]);
  });

  it("ranks equal references by distance", () => {
    const { frames: { references } } = compareReferences(production, [
      { name: "unknown", frame: climate(wind) },
      { name: "far", frame: climate(wind), latitude: 57, longitude: 8 },
      { name: "near", frame: climate(wind), latitude: 56, longitude: 8 },
    ], { place: { latitude: 55.9, longitude: 8 } });
    assertEquals(list(references, "name"), ["near", "far", "unknown"]);
    assertEquals(list(references, "distance_to_request_location")[2], null);
  });

  it("gives the bias of power in the hours with values on both sides, and none for wind", () => {
    const half = Array.from(power, (value, i) => i < 8760 ? null : value / 2);
    const { frames: { references } } = compareReferences(production, {
      half: seriesFrame(half, { start }),
      wind: climate(wind),
    });
    assertEquals(list(references, "name"), ["half", "wind"]);
    const [bias, ofWind] = list(references, "bias");
    assertAlmostEquals(Number(bias), -50, 1e-9);
    assertEquals(ofWind, null);
  });

  it("gives no r for an overlap that is too short, and notes it", () => {
    const { frames: { references } } = compareReferences(production.head(100), {
      wind: climate(wind),
    });
    const [row] = references.toRecords();
    assertEquals([row.monthly_r, row.hourly_r, row.hours], [null, null, 100]);
    assertStringIncludes(
      String(row.notes),
      "it has no hourly r, because it has fewer than 240 hours in common",
    );
    assertStringIncludes(String(row.notes), "fewer than 6 months");
  });

  it("does not rank a short overlap before a long one, nor by it", () => {
    const { frames: { references }, summary } = compareReferences(production, {
      short: climate(wind.slice(0, 400)),
      long: climate(noisy(3)),
    });
    assertEquals(list(references, "name"), ["long", "short"]);
    assert(
      Number(list(references, "hourly_r")[1]) > Number(list(references, "hourly_r")[0]),
      "the short one goes better",
    );
    assertStringIncludes(summary.at(-1)!, "The ranking uses monthly r");
    assertStringIncludes(summary.at(-1)!, "less than half of the longest overlap");
    assertStringIncludes(
      String(list(references, "notes")[1]),
      "its overlap with the production is less than half of the longest overlap, so its r is for a different period",
    );
  });

  it("notes that a candidate does not vary, and does not add that hours are too few", () => {
    const { frames: { references } } = compareReferences(production, {
      wind: climate(wind),
      constant: climate(wind.map(() => 8)),
    });
    assertEquals(list(references, "name"), ["wind", "constant"]);
    assertEquals(
      list(references, "notes")[1],
      "it has no monthly r, because its monthly values or the monthly production do not vary; " +
        "it has no hourly r, because its hourly values or the hourly production do not vary",
    );
  });

  it("refuses a frame that is not a reference, and names it, its column and the remedy", () => {
    const refused = (
      candidates: Record<string, DataFrame> | ReferenceCandidate[],
      ownProduction = production,
    ) => assertThrows(() => compareReferences(ownProduction, candidates), ArgumentError).message;
    assertStringIncludes(refused({}), "the list of candidates is empty");
    const frame = climate(wind);
    assertStringIncludes(
      refused({ a: frame.rename({ wind_speed_100: "ws" }) }),
      'Cannot use "a" as a reference: it has no wind speed and no "power"',
    );
    assertStringIncludes(refused([{ name: "a", frame, column: "ws" }]), 'it has no column "ws"');
    assertStringIncludes(refused({ a: frame.head(0) }), "it has no rows");
    assertStringIncludes(refused({ a: pl.concat([frame, frame]) }), "it repeats an hour");
    assertStringIncludes(
      refused({ a: seriesFrame(wind, { minutes: 7, column: "wind_speed_100" }) }),
      'Cannot use "a" as a reference: its steps of 7 minutes do not fill an hour. Give steps of 5, 10, ' +
        "15 or 30. Average regular steps to hours with toHours()",
    );
    assertStringIncludes(refused([{ name: "a", frame, latitude: 55 }]), "only one of latitude and");
    assertStringIncludes(
      refused({ a: frame }, production.rename({ power: "kw" })),
      "Cannot compare references: the production needs",
    );
    const years = pl.DataFrame([
      pl.Series("year", [2020, 2021], pl.Int32),
      pl.Series("energy", [5000, 6000], pl.Float64),
    ]);
    assertStringIncludes(refused({ a: frame }, years), "annual production has too few values");
    assertStringIncludes(
      refused({ a: frame }, production.withColumn(pl.lit(null).cast(pl.Float64).alias("power"))),
      "Cannot compare references: all values of the production from 2020-01-01 to 2022-12-31 are missing. Give production with values",
    );
    const place = () =>
      compareReferences(production, { a: frame }, { place: { latitude: 95, longitude: 8 } });
    assertStringIncludes(assertThrows(place, ArgumentError).message, "latitude 95");
  });

  it("shows itself, keeps invented data synthetic and names all licences", () => {
    const sample = describeFrame(climate(wind), [], {
      ...buildOrigin("own"),
      attribution: ["Copernicus"],
    });
    const invented = describeFrame(climate(wind), [], {
      ...buildOrigin("sample"),
      attribution: ["Sample"],
    });
    const result = compareReferences(production, { own: sample, invented });
    const from = provenance(result.frames.references);
    assertEquals(from.map(({ world }) => world).sort(), ["own", "sample"]);
    assertEquals(from.flatMap(({ attribution }) => attribution).sort(), ["Copernicus", "Sample"]);
    const display = (result as unknown as Record<symbol, () => Record<string, string>>)[
      JUPYTER_DISPLAY as unknown as symbol
    ]();
    for (
      const text of [
        "References for a production",
        "SYNTHETIC",
        "The ranking uses monthly r",
      ]
    ) {
      assertStringIncludes(display["text/plain"], text);
    }
  });

  const check = dataPresent() ? it : it.ignore;

  check(
    named("ranks ERA5 at Kelmarsh above its late and noisy copies, for every turbine"),
    async () => {
      const era5 = kelmarshWind();
      const late = framed(
        extractEpochs(era5, "time").map((stamp) => stamp + 3 * HOUR),
        extractNumbers(era5, "wind_speed_100"),
        "UTC",
        "wind_speed_100",
      );
      const random = new SeededRandom("Kelmarsh");
      const noise = framed(
        extractEpochs(era5, "time"),
        extractNumbers(era5, "wind_speed_100").map((value) =>
          Math.max(0, value + 4 * random.normal())
        ),
        "UTC",
        "wind_speed_100",
      );
      const at = { latitude: 52.5, longitude: -1 };
      for (const turbine of kelmarshTurbines) {
        const production = await kelmarshPower(turbine);
        const { frames: { references } } = compareReferences(production, [
          { name: "noise", frame: noise, ...at },
          { name: "late", frame: late, ...at },
          { name: "ERA5", frame: era5, ...at },
        ], { place: { latitude: 52.400604, longitude: -0.947133 }, timeZone: "Europe/London" });
        assertEquals(list(references, "name"), ["ERA5", "late", "noise"], turbine);
        const [first] = references.toRecords();

        // Recomputes hourly r from the frames: mean of two instants against the hour between, hours with both.
        const speeds = extractNumbers(era5, "wind_speed_100");
        const winds = new Map(
          [...extractEpochs(era5, "time")].map((stamp, i) => [stamp, speeds[i]]),
        );
        const powers = extractNumbers(production, "power");
        const [x, y]: number[][] = [[], []];
        extractEpochs(production, "time").forEach((stamp, i) => {
          const produced = powers[i];
          const mean = (winds.get(stamp)! + winds.get(stamp + HOUR)!) / 2;
          if (Number.isNaN(produced) || Number.isNaN(mean)) return;
          x.push(produced);
          y.push(mean);
        });
        assertEquals(first.hours, x.length);
        const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
        const n = x.length;
        const covariance = sum(x.map((value, i) => value * y[i])) - sum(x) * sum(y) / n;
        const [xx, yy] = [x, y].map((values) =>
          sum(values.map((value) => value ** 2)) - sum(values) ** 2 / n
        );
        assertAlmostEquals(Number(first.hourly_r), covariance / Math.sqrt(xx * yy), 1e-9);
        // Checks the haversine with the spherical law of cosines.
        const rad = Math.PI / 180;
        const cosine = Math.sin(52.5 * rad) * Math.sin(52.400604 * rad) +
          Math.cos(52.5 * rad) * Math.cos(52.400604 * rad) * Math.cos(0.052867 * rad);
        assertAlmostEquals(
          Number(first.distance_to_request_location),
          6371 * Math.acos(cosine),
          1e-4,
        );
      }
    },
  );

  check(
    named("gives the trends of twelve years for four points of Horns Rev in one frame"),
    async () => {
      const folder = new URL("../../../../shared/data/horns_rev/", import.meta.url);
      const files = ["1997-1999", "2000-2002", "2003-2005", "2006-2008"];
      const grids = await Promise.all(
        files.map(async (name) =>
          await readNetcdf(await Deno.readFile(new URL(`${name}.nc`, folder)), name)
        ),
      );
      const [{ latitudes, longitudes }] = grids;
      const points = latitudes.flatMap((latitude, row) =>
        longitudes.map((longitude, column) => ({ latitude, longitude, row, column }))
      );
      const speeds = points.map(({ row, column }) =>
        grids.flatMap(({ times, variables }) => {
          const [u, v] = ["u100", "v100"].map((name) => variables.get(name)!.values);
          return Array.from(times, (_, hour) => {
            const at = (hour * latitudes.length + row) * longitudes.length + column;
            return Math.hypot(u[at], v[at]);
          });
        })
      );
      const stamps = Float64Array.from(grids.flatMap(({ times }) => [...times]));
      const frame = pl.concat(
        points.map(({ latitude, longitude }, i) =>
          framed(stamps, speeds[i], "UTC", "wind_speed_100").withColumns(
            pl.lit(latitude).cast(pl.Float64).alias("latitude"),
            pl.lit(longitude).cast(pl.Float64).alias("longitude"),
          )
        ),
      );
      // The park has no hourly production, so a power that follows the wind of the second point replaces it.
      const made = speeds[1].map((speed, i) => 50 * (speed + (speeds[1][i + 1] ?? NaN)));
      const production = framed(stamps, made).filter(pl.col("time").dt.year().gtEq(pl.lit(2005)));
      const { frames: { references } } = compareReferences(production, { ERA5: frame }, {
        place: { latitude: 55.49, longitude: 7.84 },
      });
      assertEquals(references.height, 4);
      const records = references.toRecords();
      assertEquals(records[0].name, "ERA5 55.75 N 8 E");
      assertAlmostEquals(Number(records[0].hourly_r), 1, 1e-9);
      for (const row of records) {
        const i = points.findIndex((point) =>
          point.latitude === row.latitude && point.longitude === row.longitude
        );
        // Annual means and the line through them, from the normal equations of a + b year.
        const means = Array.from({ length: 12 }, (_, year) => {
          const yearSpeeds = speeds[i].filter((_, hour) =>
            new Date(stamps[hour]).getUTCFullYear() === 1997 + year
          );
          return yearSpeeds.reduce((all, value) => all + value, 0) / yearSpeeds.length;
        });
        let [sy, sxy] = [0, 0];
        means.forEach((mean, year) => {
          sy += mean;
          sxy += year * mean;
        });
        const [sx, sxx, n] = [66, 506, 12];
        const slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
        assertEquals(row.years, 12);
        assertAlmostEquals(Number(row.trend), 1000 * slope / (sy / n), 1e-6);
        assert(
          Number(row.trend_low) < Number(row.trend) && Number(row.trend) < Number(row.trend_high),
        );
      }
      // The real production of the park covers later years.
      const produced = await readProduction(new URL("monthly_production_2015_2020.csv", folder), {
        column: "energy_mwh",
        time: "month",
        resolution: "month",
        unit: "MWh",
      });
      const { message } = assertThrows(
        () => compareReferences(produced, { ERA5: frame }),
        ArgumentError,
      );
      assertStringIncludes(message, "in the months of the production, 2015-01-01 to 2020-12-31");
    },
  );
});
