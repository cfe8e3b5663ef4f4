/**
 * Climate in other units, timestamps and formats than the example's: the same weather gives the same k in any form.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { DataFormatError } from "../../../src/api/errors.ts";
import { parquetToFrame } from "../../../src/sites/keep/series.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import type { ImportResult } from "../../../src/sites/fleet/store_site.ts";
import { factorOf, importFile, makeSite, type TestSite, withSite } from "../_site.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

/**
 * Imports a changed site with five months of production. With more, scaling and smoothing are selected, and the last
 * digit of a file may decide between equally good ones.
 */
async function importChanged(
  change: (site: TestSite) => void | Promise<void>,
): Promise<ImportResult> {
  let result: ImportResult;
  await withSite(async (site, data) => {
    await site.edit("production.csv", (text) => text.slice(0, text.indexOf("2023-05-31T22")));
    await change(site);
    result = await importFile(await site.siteFile(), data);
  });
  return result!;
}

/** Lists the indices of all months. */
function listIndices(result: ImportResult): (number | null)[] {
  return result.turbines[0].months.map((month) => month.month_index);
}

function assertSame(actual: ImportResult, expected: ImportResult, tolerance: number): void {
  assertAlmostEquals(factorOf(actual), factorOf(expected), tolerance);
  const [a, b] = [listIndices(actual), listIndices(expected)];
  assertEquals(a.length, b.length);
  a.forEach((value, i) => {
    if (value === null || b[i] === null) assertEquals(value, b[i]);
    else assertAlmostEquals(value, b[i], 100 * tolerance);
  });
}

/** Declares another unit for a variable, and converts its column. */
async function inUnit(
  site: TestSite,
  name: string,
  unit: string,
  convert: (value: number) => number,
): Promise<void> {
  site.declared.climate[0].variables![name].unit = unit;
  await site.editColumn("climate.csv", name, (value) => convert(Number(value)).toFixed(3));
}

/** Shifts the timestamps of the climate by minutes. */
async function shifted(site: TestSite, minutes: number): Promise<void> {
  await site.editColumn(
    "climate.csv",
    "time",
    (stamp) => Temporal.Instant.from(stamp).add({ minutes }).toString(),
  );
}

/** Builds a Polars frame of the climate, with timestamps without zone. */
function buildFrame(site: TestSite): DataFrame {
  return pl.readCSV(site.path("climate.csv"))
    .withColumn(pl.col("time").str.strptime(pl.Datetime, "%Y-%m-%dT%H:%M:%SZ"));
}

async function asParquet(site: TestSite, frame: DataFrame): Promise<void> {
  await Deno.writeFile(site.path("climate.parquet"), frame.writeParquet({ compression: "zstd" }));
  await Deno.remove(site.path("climate.csv"));
  site.declared.climate[0].files = ["climate.parquet"];
}

describe("climate", () => {
  let plain: ImportResult;

  beforeAll(async () => {
    plain = await importChanged(() => {});
    assertEquals(listIndices(plain).filter((value) => value !== null).length, 24);
  });

  describe("in another unit gives the same figures, within the rounding of the file", () => {
    const cases: readonly [string, string, (value: number) => number, string[]][] = [
      ["km/h", "wind", (value) => value * 3.6, ["wind_speed_10", "wind_speed_100"]],
      ["knots", "wind", (value) => value * 3600 / 1852, ["wind_speed_10", "wind_speed_100"]],
      ["K", "temperature", (value) => value + 273.15, ["temperature"]],
      ["hPa", "pressure", (value) => value / 100, ["pressure"]],
      ["1", "humidity", (value) => value / 100, ["relative_humidity"]],
    ];
    for (const [unit, label, convert, names] of cases) {
      it(`${label} in ${unit}`, async () => {
        const changed = await importChanged(async (site) => {
          for (const name of names) await inUnit(site, name, unit, convert);
        });
        assertSame(changed, plain, 1e-4);
      });
    }
  });

  it("without a declared unit is in the engine's unit", async () => {
    const changed = await importChanged(({ declared }) => {
      for (const variable of Object.values(declared.climate[0].variables!)) delete variable.unit;
    });
    assertSame(changed, plain, 0);
  });

  it("as u and v gives the same figures as speed and direction", async () => {
    const changed = await importChanged(async (site) => {
      const { variables } = site.declared.climate[0];
      await site.editLines("climate.csv", ([header, ...rows]) => {
        const names = header.split(",");
        const component = (fields: string[], height: number, wave: (x: number) => number) => {
          const speed = Number(fields[names.indexOf(`wind_speed_${height}`)]);
          const direction = Number(fields[names.indexOf(`wind_direction_${height}`)]);
          return (-speed * wave(direction * Math.PI / 180)).toFixed(6);
        };
        return [
          `${header},u10,v10,u100,v100`,
          ...rows.map((row) => {
            const fields = row.split(",");
            const values = [10, 100].flatMap((height) => [
              component(fields, height, Math.sin),
              component(fields, height, Math.cos),
            ]);
            return `${row},${values.join(",")}`;
          }),
        ];
      });
      for (const height of [10, 100]) {
        delete variables![`wind_speed_${height}`];
        delete variables![`wind_direction_${height}`];
        variables![`wind_u_${height}`] = { column: `u${height}`, unit: "m s**-1" };
        variables![`wind_v_${height}`] = { column: `v${height}` };
      }
    });
    assertSame(changed, plain, 1e-5);
  });

  describe("with timestamps", () => {
    let means: ImportResult;

    beforeAll(async () => {
      means = await importChanged(({ declared }) => void (declared.climate[0].stamp = "start"));
    });

    it("of means at the start of the hour is not read as instants", () => {
      assert(Math.abs(factorOf(means) - factorOf(plain)) > 1e-6);
    });

    for (const [stamp, minutes] of [["end", 60], ["middle", 30]] as const) {
      it(`at the ${stamp} of the hour gives the same figures as at its start`, async () => {
        const changed = await importChanged(async (site) => {
          await shifted(site, minutes);
          site.declared.climate[0].stamp = stamp;
        });
        assertSame(changed, means, 0);
      });
    }

    it("of local time and a zone gives the same figures as in UTC", async () => {
      const changed = await importChanged(async (site) => {
        // Calcutta has no summer time, and an offset of half an hour.
        await site.editColumn(
          "climate.csv",
          "time",
          (stamp) =>
            Temporal.Instant.from(stamp).toZonedDateTimeISO("Asia/Kolkata").toPlainDateTime()
              .toString(),
        );
        site.declared.climate[0].time = { column: "time", zone: "Asia/Kolkata" };
      });
      assertSame(changed, plain, 0);
    });
  });

  describe("from another format gives the same figures", () => {
    it("CSV.gz", async () => {
      const changed = await importChanged(async (site) => {
        const bytes = await Deno.readFile(site.path("climate.csv"));
        const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
        await Deno.writeFile(site.path("climate.csv.gz"), packed);
        site.declared.climate[0].files = ["climate.csv.gz"];
      });
      assertSame(changed, plain, 0);
    });

    it("tab-separated text after a preamble", async () => {
      const changed = await importChanged(async (site) => {
        await site.edit("climate.csv", (text) => `Somewhere\n${text.replaceAll(",", "\t")}`);
        await Deno.rename(site.path("climate.csv"), site.path("climate.txt"));
        site.declared.climate[0].files = ["climate.txt"];
      });
      assertSame(changed, plain, 0);
    });

    it("a file with a declared format, which its name does not show", async () => {
      const changed = await importChanged(async (site) => {
        await Deno.rename(site.path("climate.csv"), site.path("climate.dat"));
        Object.assign(site.declared.climate[0], { files: ["climate.dat"], format: "csv" });
      });
      assertSame(changed, plain, 0);
    });

    it("Parquet with a time zone", async () => {
      const changed = await importChanged(async (site) => {
        const zoned = buildFrame(site).withColumn(pl.col("time").cast(pl.Datetime("us", "UTC")));
        await asParquet(site, zoned);
      });
      assertSame(changed, plain, 0);
    });

    it("S20: a time column declared only by its name", async () => {
      const changed = await importChanged((site) => {
        site.declared.climate[0].time = "time";
        return Promise.resolve();
      });
      assertSame(changed, plain, 0);
    });

    it("Parquet with milliseconds and without zone, declared as UTC", async () => {
      const changed = await importChanged(async (site) => {
        await asParquet(site, buildFrame(site).withColumn(pl.col("time").cast(pl.Datetime("ms"))));
        site.declared.climate[0].time = { column: "time", zone: "UTC" };
      });
      assertSame(changed, plain, 0);
    });
  });

  it("of Parquet without a zone is rejected unless the zone is declared", async () => {
    await assertRejects(
      () => importChanged((site) => asParquet(site, buildFrame(site))),
      DataFormatError,
      'Cannot use climate.parquet: column "time" has no time zone. Give "zone": "UTC"',
    );
  });

  it("of Parquet with a text as time is rejected", async () => {
    await assertRejects(
      () => importChanged((site) => asParquet(site, pl.readCSV(site.path("climate.csv")))),
      DataFormatError,
      'Cannot use climate.parquet: column "time" is',
    );
  });

  describe("in several files", () => {
    /** Cuts the climate in two; the declaration names the parts in the order given. */
    async function cut(site: TestSite, order: (parts: string[]) => string[], gap = 0) {
      const [header, ...rows] = (await Deno.readTextFile(site.path("climate.csv"))).trimEnd()
        .split("\n");
      const middle = Math.floor(rows.length / 2);
      const parts = { "a.csv": rows.slice(0, middle), "b.csv": rows.slice(middle + gap) };
      for (const [name, part] of Object.entries(parts)) {
        await Deno.writeTextFile(site.path(name), [header, ...part, ""].join("\n"));
      }
      site.declared.climate[0].files = order(Object.keys(parts));
    }

    it("gives the same figures as in one", async () => {
      assertSame(await importChanged((site) => cut(site, (parts) => parts)), plain, 0);
    });

    it("gives the same figures in any order of the files", async () => {
      const changed = await importChanged((site) => cut(site, (parts) => parts.reverse()));
      assertSame(changed, plain, 0);
    });

    it("counts the hours between them as missing", async () => {
      const changed = await importChanged((site) => cut(site, (parts) => parts, 24));
      const [before, after] = [plain, changed].map(({ turbines: [{ climate }] }) => climate[0]);
      assertEquals(after.hours, before.hours);
      assertAlmostEquals(before.completeness - after.completeness, 24 / before.hours, 1e-6);
    });
  });

  it("keeps a gap, and leaves out the months with it", async () => {
    const changed = await importChanged((site) =>
      site.editLines(
        "climate.csv",
        (lines) => lines.filter((line) => !/^2024-(03-1|02-10T1)/.test(line)),
      )
    );
    const month = (number: number) =>
      changed.turbines[0].months.find(({ year, month }) => year === 2024 && month === number)!;
    assertEquals(month(3).month_index, null, "ten days are missing");
    assert(month(2).month_index !== null, "ten hours are missing");
    // Ten timestamps, and the hour before them, which needs the first.
    assertAlmostEquals(month(2).completeness, 1 - 11 / (29 * 24), 1e-12);
  });
});

describe("a stored climate point", () => {
  let site: TestSite;
  let data: string;

  beforeAll(async () => {
    site = await makeSite();
    data = await Deno.makeTempDir();
    await inUnit(site, "temperature", "K", (value) => value + 273.15);
    await importFile(await site.siteFile(), data);
  });
  afterAll(async () => {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(data, { recursive: true });
  });

  it("has the wind, temperature, pressure and humidity of the source in our units", async () => {
    const { store, files } = await openStorage(data);
    const [point] = await sitesOf(store).points("example-climate");
    await store.close();
    assertEquals(
      [point.start, point.hours],
      [Temporal.Instant.from("2022-12-31T00Z").epochMilliseconds, 17_569],
    );
    const frame = parquetToFrame(await files.read(point.file));
    assertEquals(frame.height, point.hours);
    const [, first] = (await Deno.readTextFile(site.path("climate.csv"))).split("\n");
    const [, speed10, direction10, speed100, , kelvin, pressure, humidity] = first.split(",")
      .map(Number);
    const row = frame.head(1).toRecords()[0] as Record<string, number>;
    assertAlmostEquals(row.wind_speed_10, speed10, 1e-3);
    assertAlmostEquals(row.wind_speed_100, speed100, 1e-3);
    assertEquals(row.wind_direction_10, direction10 % 360);
    assertAlmostEquals(row.temperature, kelvin - 273.15, 0.006);
    assertAlmostEquals(row.pressure, pressure, 0.5);
    assertAlmostEquals(row.relative_humidity, humidity, 0.05);
  });
});
