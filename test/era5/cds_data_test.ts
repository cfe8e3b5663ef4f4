/**
 * The ERA5 datasets of the Climate Data Store, with a test for each line of ../shared/SOURCES.md 2, against the fake
 * server of `_cds_server.ts`. It also serves the real series of ../shared/data if they exist.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import {
  DataFormatError,
  NoDataError,
  NotCachedError,
  OrderFailedError,
} from "../../src/api/errors.ts";
import { findPoints } from "../../src/frames/grid_points.ts";
import { gridProduct } from "../../src/era5/cds_products.ts";
import { extractEpochs, extractNumbers } from "../../src/frames/frame.ts";
import { readNetcdf } from "../../src/frames/netcdf/netcdf.ts";
import { provenance } from "../../src/frames/origin/provenance.ts";
import {
  isClimateVariable,
  listClimateUnits,
} from "../../src/sites/declaration/climate_variables.ts";
import { exists, getTwoMonths, withNow } from "./_cds_call.ts";
import { withCds } from "./_cds_server.ts";
import { HOUR, makeValue } from "./_era5_data.ts";

const DATA = new URL("../../../shared/data/", import.meta.url).pathname;
const [KELMARSH, LA_HAUTE_BORNE, HORNS_REV] = [
  `${DATA}kelmarsh/era5_52.50N_-1.00E.parquet`,
  `${DATA}la_haute_borne/era5.parquet`,
  `${DATA}horns_rev/1997-1999.nc`,
];

/** Registers a test that needs a real series; without it, the test is skipped with a message. */
function itWith(path: string, name: string, test: () => Promise<void>): void {
  if (exists(path)) it(name, test);
  else it.ignore(`${name} (${path} is missing)`, test);
}

const BEGIN = Date.UTC(2023, 0, 1);

describe("the point dataset", () => {
  it("requests a full month of six variables at the nearest grid point", async () => {
    await withCds(async (server) => {
      await getTwoMonths(server, { from: "2023-01-10", to: "2023-02-03" });
      assertEquals(server.submitted[0].inputs, {
        variable: [
          "100m_u_component_of_wind",
          "100m_v_component_of_wind",
          "10m_u_component_of_wind",
          "10m_v_component_of_wind",
          "2m_temperature",
          "surface_pressure",
        ],
        location: { longitude: 8, latitude: 55.5 },
        date: ["2023-01-01/2023-02-28"],
        data_format: "csv",
      });
    });
  });

  it("K becomes degC, the components become speed and direction; columns go by name", async () => {
    await withCds(async (server) => {
      const frame = await getTwoMonths(server);
      const [row] = frame.toRecords();
      const of = (name: string) => makeValue(name, 55.5, 8, BEGIN);
      assertEquals(
        [row.wind_u_100, row.wind_v_100, row.wind_u_10, row.wind_v_10, row.pressure],
        [of("u100"), of("v100"), of("u10"), of("v10"), of("sp")],
      );
      assertEquals(row.temperature, of("t2m") - 273.15);
      assertEquals(row.wind_speed_100, Math.hypot(of("u100"), of("v100")));
      const radians = Number(row.wind_direction_100) * Math.PI / 180;
      assertAlmostEquals(-Math.sin(radians) * Number(row.wind_speed_100), of("u100"), 1e-12);
      assertAlmostEquals(-Math.cos(radians) * Number(row.wind_speed_100), of("v100"), 1e-12);
    });
  });

  it("climate columns have the names and units of a site file", async () => {
    await withCds(async (server) => {
      const frame = await getTwoMonths(server, { to: "2023-01" });
      const climate = frame.columns.filter((name) =>
        !["time", "latitude", "longitude"].includes(name)
      );
      assertEquals(climate.filter((name) => !isClimateVariable(name)), []);
      assertEquals([listClimateUnits("temperature")[0], listClimateUnits("pressure")[0]], [
        "degC",
        "Pa",
      ]);
    });
  });

  for (const packed of ["zip", "bare", "many"] as const) {
    it(`the file may be ${packed}, recognized by its first bytes`, async () => {
      await withCds(async (server) => {
        server.packed = packed;
        assertEquals((await getTwoMonths(server)).height, 59 * 24);
      });
    });
  }

  it("an end date in the embargo is silently cut by the store, and the frame says so", async () => {
    await withCds(async (server) => {
      server.end = Date.UTC(2023, 1, 11);
      const frame = await withNow("2023-02-16T12:00Z", () => getTwoMonths(server));
      assertEquals(frame.height, 41 * 24);
      const [{ notes }] = provenance(frame);
      assert(
        notes?.includes(
          "The request ends at 2023-02-28T23:00Z, but the data end at 2023-02-10T23:00Z, because later hours " +
            "were not published when the data were fetched",
        ),
      );
      assertEquals(server.submitted[0].inputs.date, ["2023-01-01/2023-02-16"]);
    });
  });

  it("H4: a month that cannot be published yet is not requested", async () => {
    await withCds(async (server) => {
      server.end = Date.UTC(2023, 0, 29);
      const frame = await withNow("2023-02-03T12:00Z", () => getTwoMonths(server));
      assertEquals(frame.height, 28 * 24);
      assertEquals(server.submitted.map(({ inputs }) => inputs.date), [["2023-01-01/2023-01-31"]]);
      const february = { from: "2023-02", to: "2023-02" };
      await assertRejects(
        () => withNow("2023-02-03T12:00Z", () => getTwoMonths(server, february)),
        NoDataError,
        "the source has no hour",
      );
    });
  });

  it("H4: a request refused because it begins in the embargo does not lose the rest", async () => {
    await withCds(async (server) => {
      server.end = Date.UTC(2022, 11, 30);
      const frame = await withNow(
        "2023-01-08T12:00Z",
        () => getTwoMonths(server, { points: 4, from: "2022-12", to: 2023 }),
      );
      assertEquals(frame.height, 4 * 29 * 24);
      assertEquals(server.submitted.map(({ inputs }) => inputs.year), [["2022"], ["2023"]]);
      const [{ notes }] = provenance(frame);
      assertEquals(notes?.some((note) => note.startsWith("2023-01 is not published yet")), true);
      assertEquals(server.jobs.size, 0);
    });
  });

  it("a late request that fails for another reason is an error", async () => {
    await withCds(async (server) => {
      server.plans.push({ states: ["failed"], reason: "MARS is down" });
      const january = { from: "2023-01", to: "2023-01" };
      await assertRejects(
        () => withNow("2023-01-08T12:00Z", () => getTwoMonths(server, january)),
        OrderFailedError,
        "MARS is down",
      );
    });
  });

  it("a failed request that begins long ago is an error", async () => {
    await withCds(async (server) => {
      server.end = Date.UTC(2022, 11, 1);
      await assertRejects(() => getTwoMonths(server), OrderFailedError, "available yet");
    });
  });

  it("the dataset has no preliminary flags: null in the last four months, and a note", async () => {
    await withCds(async (server) => {
      const now = Temporal.Now.zonedDateTimeISO("UTC");
      const day = (months: number) => now.subtract({ months }).toPlainDate().with({ day: 1 });
      const frame = await getTwoMonths(server, { from: `${day(6)}`, to: `${day(1)}` });
      const flags: unknown[] = frame.getColumn("preliminary").toArray();
      const settled = day(6).until(day(4)).days * 24;
      assertEquals(flags.indexOf(null), settled);
      assertEquals(new Set(flags.slice(0, settled)), new Set([false]));
      const hours = (day(4).until(day(1)).days + 1) * 24;
      const note = `${hours} hours may be preliminary (ERA5T); the source does not say`;
      assert(provenance(frame)[0].notes?.includes(note));
    });
  });

  it("a missing variable is reported with the existing ones", async () => {
    await withCds(async (server) => {
      const file = new TextEncoder().encode("valid_time,u10,latitude,longitude\n");
      server.wrongFiles.push(file, file);
      await assertRejects(() => getTwoMonths(server), DataFormatError, "u100");
    });
  });

  it("another point than requested is rejected", async () => {
    await withCds(async (server) => {
      server.packed = "bare";
      const head = "valid_time,u100,v100,u10,v10,t2m,sp,latitude,longitude";
      const row = "2023-01-01 00:00:00,1,2,1,2,280,100000,55.5,-8";
      server.wrongFiles.push(new TextEncoder().encode(`${head}\n${row}\n`));
      await assertRejects(
        () => getTwoMonths(server),
        DataFormatError,
        "it has the point 55.5, -8, not 55.5, 8",
      );
    });
  });

  it("impossible values are rejected, because a unit may have changed", async () => {
    await withCds(async (server) => {
      server.valueOf = (name) => name === "t2m" ? 12 : makeValue(name, 55.5, 8, BEGIN);
      await assertRejects(() => getTwoMonths(server), DataFormatError, "temperature in hour 1");
      await assertRejects(() => getTwoMonths(server, { cache: "only" }), NotCachedError);
    });
  });

  itWith(
    KELMARSH,
    "Kelmarsh comes as it is in its file, to the last figure of its speeds",
    async () => {
      const file = pl.readParquet(KELMARSH);
      const start = extractEpochs(file, "datetime_start_utc")[0];
      const column = (name: string) => extractNumbers(file, name);
      const columns: Record<string, Float64Array> = {
        t2m: column("2_m_temp_mean_deg-c").map((celsius) => celsius + 273.15),
        sp: column("0_m_pres_mean_pa"),
      };
      const winds = [100, 10].map((height) => {
        const speeds = column(`${height}_m_hws_mean_mps`);
        const radians = column(`${height}_m_hwd_mean_deg-n_true`).map((deg) => deg * Math.PI / 180);
        columns[`u${height}`] = speeds.map((speed, i) => -speed * Math.sin(radians[i]));
        columns[`v${height}`] = speeds.map((speed, i) => -speed * Math.cos(radians[i]));
        return { name: `wind_speed_${height}`, speeds };
      });
      await withCds(async (server) => {
        server.limit = Infinity;
        server.valueOf = (name, _latitude, _longitude, at) => columns[name][(at - start) / HOUR];
        const place = { latitude: 52.4, longitude: -0.95, from: "2017-08", to: "2021-07" };
        const frame = await getTwoMonths(server, place);
        assertEquals(extractEpochs(frame, "time"), extractEpochs(file, "datetime_start_utc"));
        for (const short of ["u100", "v100", "u10", "v10"]) {
          const name = `wind_${short[0]}_${short.slice(1)}`;
          assertEquals(extractNumbers(frame, name), columns[short]);
        }
        assertEquals(extractNumbers(frame, "pressure"), columns.sp);
        const round = (values: Float64Array) =>
          values.map((value) => Math.round(value * 1e9) / 1e9);
        for (const { name, speeds } of winds) {
          assertEquals(round(extractNumbers(frame, name)), round(speeds));
        }
        const celsius = round(extractNumbers(frame, "temperature"));
        assertEquals(celsius, round(column("2_m_temp_mean_deg-c")));
      });
    },
  );

  itWith(LA_HAUTE_BORNE, "La Haute Borne is identical to its file", async () => {
    const file = pl.readParquet(LA_HAUTE_BORNE);
    const start = extractEpochs(file, "time_utc")[0];
    const columns: Readonly<Record<string, Float64Array>> = {
      u100: extractNumbers(file, "u100_ms"),
      v100: extractNumbers(file, "v100_ms"),
      t2m: extractNumbers(file, "t2m_k"),
      sp: extractNumbers(file, "pressure_pa"),
    };
    await withCds(async (server) => {
      server.valueOf = (name, latitude, longitude, at) =>
        columns[name]?.[(at - start) / HOUR] ?? makeValue(name, latitude, longitude, at);
      const place = { latitude: 48.45, longitude: 5.59, from: 2014, to: 2014 };
      const frame = await getTwoMonths(server, place);
      const at = (Date.UTC(2014, 0, 1) - start) / HOUR;
      const pairs = [["wind_u_100", "u100"], ["wind_v_100", "v100"], ["pressure", "sp"]];
      for (const [column, short] of pairs) {
        assertEquals(extractNumbers(frame, column), columns[short].slice(at, at + 8760));
      }
    });
  });
});

describe("the grid dataset", () => {
  it("the area of a cell at 180 degrees ends there, and covers its four points", () => {
    const points = findPoints({ latitude: 0.1, longitude: 179.9 }, 4);
    const month = Temporal.PlainYearMonth.from("2023-01");
    const block = { points, months: { first: month, last: month } };
    const { area } = gridProduct.buildInputs(block, Temporal.PlainDate.from("2023-01-31"));
    assertEquals([area, gridProduct.complete(points)], [[0.25, 179.75, 0, 180], points]);
  });

  it("requests the four points around the place, months by year", async () => {
    await withCds(async (server) => {
      const frame = await getTwoMonths(server, { points: 4, from: "2022-12", to: "2023-02" });
      const inputs = server.submitted.map(({ inputs }) => inputs);
      assertEquals(inputs.map(({ year, month, area }) => ({ year, month, area })), [
        { year: ["2022"], month: ["12"], area: [55.5, 7.75, 55.25, 8] },
        { year: ["2023"], month: ["01", "02"], area: [55.5, 7.75, 55.25, 8] },
      ]);
      assertEquals(frame.height, 4 * 90 * 24);
      const last = frame.tail(1).toRecords()[0];
      assertEquals(
        [last.latitude, last.longitude, last.wind_u_10],
        [55.5, 8, makeValue("u10", 55.5, 8, Date.UTC(2023, 1, 28, 23))],
      );
    });
  });

  it("expver says for each hour whether it is preliminary", async () => {
    await withCds(async (server) => {
      server.finalUntil = Date.UTC(2023, 1, 1);
      const frame = await getTwoMonths(server, { points: 4 });
      const flags: unknown[] = frame.head(59 * 24).getColumn("preliminary").toArray();
      assertEquals([flags.indexOf(true), flags.indexOf(null)], [31 * 24, -1]);
    });
  });

  for (const packed of ["bare", "many"] as const) {
    it(`the file may be ${packed}, regardless of the request`, async () => {
      await withCds(async (server) => {
        server.packed = packed;
        assertEquals((await getTwoMonths(server, { points: 4 })).height, 4 * 59 * 24);
      });
    });
  }

  itWith(HORNS_REV, "Horns Rev is identical to its file", async () => {
    const grid = await readNetcdf(await Deno.readFile(HORNS_REV), HORNS_REV);
    const { times: [start], latitudes, longitudes, variables } = grid;
    const find = (name: string, latitude: number, longitude: number, at: number) => {
      const cell = latitudes.indexOf(latitude) * longitudes.length + longitudes.indexOf(longitude);
      const cells = latitudes.length * longitudes.length;
      return variables.get(name)?.values[(at - start) / HOUR * cells + cell];
    };
    await withCds(async (server) => {
      server.valueOf = (name, latitude, longitude, at) =>
        find(name, latitude, longitude, at) ?? makeValue(name, latitude, longitude, at);
      const place = { latitude: 55.6, longitude: 7.9, from: "1998-01", to: "1998-01" };
      const frame = await getTwoMonths(server, { ...place, points: 4 });
      const rows = frame.select("time", "latitude", "longitude", "wind_u_100", "wind_v_10");
      const [times, south, west, u, v] = [
        "time",
        "latitude",
        "longitude",
        "wind_u_100",
        "wind_v_10",
      ]
        .map((name) => name === "time" ? extractEpochs(rows, name) : extractNumbers(rows, name));
      const from = (name: string) => times.map((at, i) => find(name, south[i], west[i], at)!);
      assertEquals([u, v], [from("u100"), from("v10")]);
    });
  });
});
