/**
 * ERA5 of Open-Meteo, with a test for each line of ../shared/SOURCES.md 3, against the fake server of
 * `_open_meteo_server.ts`.
 *
 * @module
 */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import {
  ArgumentError,
  ConfigurationError,
  DataFormatError,
  LicenceError,
  NotCachedError,
  TooManyRequestsError,
} from "../../src/api/errors.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { era5, type Era5Options, getEra5 } from "../../src/era5/era5.ts";
import { findOpenMeteo } from "../../src/era5/fetch_from_open_meteo.ts";
import { extractEpochs, extractNumbers } from "../../src/frames/frame.ts";
import { provenance } from "../../src/frames/origin/provenance.ts";
import { environmentOf, exists, withNow } from "./_cds_call.ts";
import { type OpenMeteoServer, withOpenMeteo } from "./_open_meteo_server.ts";

/** Gets January 2023, and the console output meanwhile. */
async function getMonth(
  { url, connection }: OpenMeteoServer,
  options: Partial<Era5Options> = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const output: string[] = [];
  const { error } = console;
  console.error = (text: string) => output.push(text);
  try {
    const month = { latitude: 55.4, longitude: 7.9, from: "2023-01", to: "2023-01" };
    const frame = await getEra5(
      { source: "open-meteo", ...month, connection, ...options },
      environmentOf({ OPEN_METEO_URL: url, ...environment }),
    );
    return { frame, output };
  } finally {
    console.error = error;
  }
}

describe("era5() of Open-Meteo", () => {
  it("states model, units, time zone, cell and height, because the defaults differ", async () => {
    await withOpenMeteo(async (server) => {
      const { frame } = await getMonth(server);
      const query = Object.fromEntries(server.seen[0].query);
      assertEquals(query, {
        latitude: "55.5",
        longitude: "8",
        start_date: "2023-01-01",
        end_date: "2023-01-31",
        hourly: "wind_speed_100m,wind_direction_100m,wind_speed_10m,wind_direction_10m," +
          "temperature_2m,surface_pressure",
        models: "era5",
        wind_speed_unit: "ms",
        temperature_unit: "celsius",
        timezone: "UTC",
        cell_selection: "nearest",
        elevation: "nan",
      });
      assertEquals(frame.columns, [
        "time",
        "latitude",
        "longitude",
        "wind_speed_100",
        "wind_direction_100",
        "wind_speed_10",
        "wind_direction_10",
        "temperature",
        "pressure",
        "preliminary",
      ]);
      const [first] = frame.toRecords();
      const value = (name: string) => server.valueOf(name, 55.5, 8, Date.UTC(2023, 0, 1));
      assertEquals(
        [first.wind_speed_100, first.temperature, first.pressure, first.preliminary],
        [
          value("wind_speed_100m"),
          value("temperature_2m"),
          Number(`${value("surface_pressure")}e2`),
          false,
        ],
      );
    });
  });

  it("prints the terms before the first request without a key, but not for stored hours", async () => {
    await withOpenMeteo(async (server) => {
      const first = await getMonth(server);
      assertEquals(first.output.length, 1);
      assertStringIncludes(first.output[0], "non-commercial use");
      const repeated = await getMonth(server);
      assertEquals([repeated.output, server.seen.length], [[], 1]);
      const [{ attribution }] = provenance(repeated.frame);
      assert(attribution.some((line) => line.includes("Open-Meteo.com, CC BY 4.0")));
      assert(attribution.some((line) => line.includes("Copernicus")));
    });
  });

  it("sends a key in a header, never in the address", async () => {
    await withOpenMeteo(async (server) => {
      const key = "canary-meteo-7c1d2e";
      const { output } = await getMonth(server, {}, { OPEN_METEO_KEY: key });
      assertEquals([server.seen[0].key, output], [key, []]);
      assert(!server.seen[0].query.toString().includes(key));
    });
  });

  it("requests the four points of the cell at once, and reads the list of answers", async () => {
    await withOpenMeteo(async (server) => {
      const { frame } = await getMonth(server, { points: 4 });
      assertEquals(server.seen.length, 1);
      const points = frame.select("latitude", "longitude").unique({ maintainOrder: true }).rows();
      assertEquals(points, [[55.25, 7.75], [55.25, 8], [55.5, 7.75], [55.5, 8]]);
      assertEquals(frame.height, 4 * 744);
    });
  });

  it("unpublished days are null at the source: the frame ends before, and says so", async () => {
    await withOpenMeteo(async (server) => {
      server.end = Date.UTC(2023, 0, 20);
      const { frame } = await withNow("2023-01-25T12:00Z", () => getMonth(server));
      assertEquals(frame.height, 19 * 24);
      assert(
        provenance(frame)[0].notes?.includes(
          "The request ends at 2023-01-31T23:00Z, but the data end at 2023-01-19T23:00Z, because later hours " +
            "were not published when the data were fetched",
        ),
      );
    });
  });

  it("M13: an inner missing hour of the last months is null, not zero", async () => {
    await withOpenMeteo(async (server) => {
      const { valueOf } = server;
      const gap = Date.UTC(2023, 0, 2);
      server.valueOf = (name, latitude, longitude, at) =>
        at === gap ? null : valueOf(name, latitude, longitude, at);
      const { frame } = await withNow("2023-02-10T12:00Z", () => getMonth(server, { points: 4 }));
      assertEquals(frame.getColumn("wind_speed_100").nullCount(), 4);
      assertEquals(frame.height, 4 * 744);
      const notes = provenance(frame)[0].notes ?? [];
      assertEquals(notes.slice(0, 2), [
        "1 hours are missing at the source, fully or partly; their values are null",
        "743 hours may be preliminary (ERA5T); the source does not say",
      ]);
    });
  });

  it("L11: without a key its terms are in the notes of the frame", async () => {
    await withOpenMeteo(async (server) => {
      const { frame } = await getMonth(server);
      assert(provenance(frame)[0].notes?.some((note) => note.includes("non-commercial use")));
    });
  });

  it("400 is reported with its reason", async () => {
    await withOpenMeteo(async (server) => {
      const refusal = { error: true, reason: "Parameter 'start_date' is out of range" };
      server.answers.push(() => Response.json(refusal, { status: 400 }));
      await assertRejects(
        () => getMonth(server),
        ArgumentError,
        "is out of range (HTTP status 400)",
      );
    });
  });

  it("429 is retried for at most two minutes, then reported with its limit", async () => {
    await withOpenMeteo(async (server) => {
      const reason = "Hourly API request limit exceeded. Please try again in the next hour.";
      const busy = () =>
        Response.json({ error: true, reason }, { status: 429, headers: { "retry-after": "0" } });
      server.answers.push(...Array(20).fill(busy));
      await assertRejects(() => getMonth(server), TooManyRequestsError, "Hourly API request limit");
      assertEquals(server.seen.length, 20);
    });
  });

  it("another unit or time zone than requested is rejected", async () => {
    await withOpenMeteo(async (server) => {
      const body = { utc_offset_seconds: 3600 };
      server.answers.push(() => Response.json(body));
      await assertRejects(
        () => getMonth(server),
        DataFormatError,
        "Cannot use the answer of Open-Meteo: 0.latitude is missing, but must be a number",
      );
    });
  });

  it("offline it uses only stored hours", async () => {
    await withOpenMeteo(async (server) => {
      await assertRejects(() => getMonth(server, { cache: "only" }), NotCachedError, "offline");
      assertEquals(server.seen.length, 0);
    });
  });

  it("twenty years are two requests", async () => {
    await withOpenMeteo(async (server) => {
      server.valueOf = (name) => name === "surface_pressure" ? 1000 : 5;
      const { frame } = await getMonth(server, { from: 2001, to: 2020 });
      assertEquals([server.seen.length, frame.height], [2, 175_320]);
    });
  });

  const kelmarsh = new URL(
    "../../../shared/data/kelmarsh/era5_52.50N_-1.00E.parquet",
    import.meta.url,
  ).pathname;
  const hasKelmarsh = exists(kelmarsh);
  (hasKelmarsh ? it : it.ignore)(
    `Kelmarsh comes as it is in its file, byte for byte${
      hasKelmarsh ? "" : ` (${kelmarsh} is missing)`
    }`,
    async () => {
      const file = pl.readParquet(kelmarsh);
      const column = (name: string) => extractNumbers(file, name);
      const columns: Readonly<Record<string, Float64Array>> = {
        wind_speed_100m: column("100_m_hws_mean_mps"),
        wind_direction_100m: column("100_m_hwd_mean_deg-n_true"),
        wind_speed_10m: column("10_m_hws_mean_mps"),
        wind_direction_10m: column("10_m_hwd_mean_deg-n_true"),
        temperature_2m: column("2_m_temp_mean_deg-c"),
        surface_pressure: column("0_m_pres_mean_pa").map((pascal) => Number(`${pascal}e-2`)),
      };
      const start = extractEpochs(file, "datetime_start_utc")[0];
      await withOpenMeteo(async (server) => {
        server.valueOf = (name, _latitude, _longitude, at) =>
          columns[name][(at - start) / 3_600_000] ?? null;
        const place = { latitude: 52.4, longitude: -0.95, from: "2017-08", to: "2021-07" };
        const { frame } = await getMonth(server, place);
        assertEquals(frame.height, file.height);
        for (
          const [ours, theirs] of [
            ["wind_speed_100", "wind_speed_100m"],
            ["wind_direction_100", "wind_direction_100m"],
            ["wind_speed_10", "wind_speed_10m"],
            ["wind_direction_10", "wind_direction_10m"],
            ["temperature", "temperature_2m"],
          ]
        ) assertEquals(extractNumbers(frame, ours), columns[theirs]);
        assertEquals(extractNumbers(frame, "pressure"), column("0_m_pres_mean_pa"));
        assertEquals(extractEpochs(frame, "time"), extractEpochs(file, "datetime_start_utc"));
      });
    },
  );

  it("rejects a key that is invalid in a header before sending, and does not show it", () => {
    const key = "s3cret-part\nof-a-key";
    const environment = { get: (name: string) => name === "OPEN_METEO_KEY" ? key : undefined };
    const error = assertThrows(() => findOpenMeteo(environment), ConfigurationError);
    assertStringIncludes(error.message, "Cannot use OPEN_METEO_KEY");
    assert(!Deno.inspect(error).includes("s3cret"));
  });

  it("L4: an address with a user, a query or a fragment is rejected, not cut", async () => {
    await withOpenMeteo(async (server) => {
      const environment = { OPEN_METEO_URL: "https://meteo.example.com?apikey=secret" };
      const error = await assertRejects(
        () => getMonth(server, {}, environment),
        ConfigurationError,
        "Cannot use the address in OPEN_METEO_URL: it has a user, a query or a fragment",
      );
      assert(!error.message.includes("secret"));
    });
  });

  it("L12: a refused key is reported as such, whatever the status", async () => {
    await withOpenMeteo(async (server) => {
      const refusal = { error: true, reason: "The supplied API key is invalid." };
      server.answers.push(() => Response.json(refusal, { status: 400 }));
      await assertRejects(() => getMonth(server), LicenceError, "Check OPEN_METEO_KEY");
    });
  });

  it("an address without https is rejected", async () => {
    await withOpenMeteo(async (server) => {
      const environment = { OPEN_METEO_URL: "http://meteo.example.com" };
      const wanted = [ConfigurationError, "https://"] as const;
      await assertRejects(() => getMonth(server, {}, environment), ...wanted);
    });
  });
});

describe("the options of era5()", () => {
  const good = { latitude: 55, longitude: 8, from: 2020, to: 2020 };
  const cases: readonly (readonly [string, object, string])[] = [
    ["lat for latitude", { lat: 55 }, 'no option "lat"'],
    [
      "a latitude beyond the pole",
      { latitude: 91 },
      "latitude is 91, which is not valid. Give a value from -90 to 90 deg",
    ],
    [
      "a longitude as text",
      { longitude: "8" },
      'longitude is "8", which is not valid. Give a value from -180 to 180 deg',
    ],
    ["two points", { points: 2 }, "points is 2, which is not valid. Give 1 or 4"],
    [
      "another source",
      { source: "merra2" },
      '"merra2", which is not valid. Give "cds" or "open-meteo"',
    ],
    [
      "L10: a timeout as text",
      { timeout: "5" },
      'timeout is "5", which is not valid. Give a positive time in ms',
    ],
    [
      "L10: a listener that is none",
      { onStatus: 5 },
      "onStatus is 5, which is not valid. Give a function",
    ],
    ["L15: a range before 1940", { from: 1935 }, "Cannot get ERA5 from 1935: ERA5 begins in 1940"],
    [
      "a timeout of zero",
      { timeout: 0 },
      "timeout is 0, which is not valid. Give a positive time in ms",
    ],
    ["a range that ends before it begins", { to: 2019 }, '"from" (2020) is after "to" (2019)'],
    ["a range to come", { from: 2090, to: 2091 }, "2090"],
  ];
  for (const [name, wrong, message] of cases) {
    it(`reject ${name} before sending`, async () => {
      const connection = connect({ sample: true });
      const call = () => era5({ ...good, ...wrong, connection } as Era5Options);
      await assertRejects(call, ArgumentError, message);
    });
  }
});
