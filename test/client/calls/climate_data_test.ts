import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { zipSync } from "fflate";
import pl from "nodejs-polars";
import type { ClimateOptions } from "../../../src/client/answers/climate_files.ts";
import type { FileType } from "../../../src/api/operations/climate_data.ts";
import { ArgumentError, DataFormatError, NoDataError } from "../../../src/api/errors.ts";
import {
  coverage,
  datasets,
  downloadClimate,
  saveClimate,
} from "../../../src/client/calls/climate_data.ts";
import { placeOrder } from "../../../src/client/orders/place_order.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { readColumn, typesOf } from "../_frames.ts";
import { withServer } from "../_local_server.ts";

const place = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2021 };

const TABLE = "time\twSpeed.100\twDir.100\ttemp\n" +
  "2020-01-01T00:00:00Z\t9.5\t240\t4\n2020-01-01T01:00:00Z\t10\t250\t\n";
const PREAMBLE = "Latitude: 55.5\nLongitude: 7.75\nOrography: 0\n";

const text = (value: string) => new TextEncoder().encode(value);

describe("datasets()", () => {
  const record = {
    id: 1,
    service_id: "era5",
    data_group: "reanalysis",
    data_type: "time series",
    short_description: "ERA5",
    long_description: "Hourly",
    url_description: "https://example.com",
  };

  it("returns a typed frame", async () => {
    await withServer(() => Response.json([record]), async ({ connection }) => {
      const frame = await datasets({ connection });
      assertEquals(frame.columns, Object.keys(record));
      assertEquals(typesOf(frame), ["Int64", ...Array(6).fill("String")]);
      assertEquals(readColumn(frame, "service_id"), ["era5"]);
    });
  });

  it("F35 keeps every digit of ids beyond 2^53", async () => {
    const ids = ["9007199254740993", "-9007199254740995", "9223372036854775807", "7"];
    const body = `[${
      ids.map((id) => JSON.stringify(record).replace('"id":1', `"id":${id}`)).join()
    }]`;
    await withServer(() => new Response(body), async ({ connection }) => {
      const frame = await datasets({ connection });
      const values = frame.getColumn("id").toTypedArray() as BigInt64Array;
      assertEquals([...values].map(String), ids);
      assertEquals(readColumn(frame.select(pl.col("id").cast(pl.Utf8)), "id"), ids);
    });
  });

  it("accepts fields that are null", async () => {
    const sparse = { ...record, id: null, long_description: null };
    await withServer(() => Response.json([sparse]), async ({ connection }) => {
      const frame = await datasets({ connection });
      assertEquals([readColumn(frame, "id"), readColumn(frame, "long_description")], [[null], [
        null,
      ]]);
      assertEquals(typesOf(frame)[0], "Int64");
    });
  });

  it("is typed even if it is empty", async () => {
    await withServer(() => Response.json([]), async ({ connection }) => {
      assertEquals(typesOf(await datasets({ connection })), ["Int64", ...Array(6).fill("String")]);
    });
  });
});

describe("coverage()", () => {
  const record = {
    distance_to_request_location: 12.5,
    last_updated: "2024-12-31",
    latitude: 55.5,
    longitude: 7.75,
    start_year: "1979-01-01",
  };
  const days = (value: string) => Temporal.PlainDate.from("1970-01-01").until(value).days;

  it("sends the wire's names and returns a typed frame", async () => {
    await withServer(() => Response.json([record]), async ({ connection, seen }) => {
      const frame = await coverage("era5", {
        latitude: 55.6,
        longitude: -7.9,
        maxDistance: 100,
        numPoints: 4,
        connection,
      });
      assertEquals(
        seen[0].path,
        "/onlinedata-services/climate/coverage/era5?lat=55.6&lon=-7.9&num_points=4&max_distance=100",
      );
      assertEquals(frame.columns, Object.keys(record));
      assertEquals(typesOf(frame), ["Float64", "Date", "Float64", "Float64", "Date"]);
      assertEquals(readColumn(frame.select(pl.col("start_year").cast(pl.Int32)), "start_year"), [
        days("1979-01-01"),
      ]);
    });
  });

  it("leaves defaults to the service", async () => {
    await withServer(() => Response.json([record]), async ({ connection, seen }) => {
      await coverage("era5", { latitude: 55.6, longitude: 7.9, connection });
      assertEquals([...seen[0].query.keys()], ["lat", "lon"]);
    });
  });

  it("reads a year as a date, as text and as a number, and a timestamp", async () => {
    const records = ["1979", 1979, "1979-01", "1979-01-01T00:00:00Z"].map((start) => ({
      ...record,
      start_year: start,
    }));
    await withServer(() => Response.json(records), async ({ connection }) => {
      const frame = await coverage("era5", { latitude: 55, longitude: 8, connection });
      assertEquals(
        readColumn(frame.select(pl.col("start_year").cast(pl.Int32)), "start_year"),
        Array(4).fill(days("1979-01-01")),
      );
    });
  });

  it("refuses a value that is not a date", async () => {
    for (const start of ["soon", "2024-02-30", "1979-13"]) {
      const answer = () => Response.json([{ ...record, start_year: start }]);
      await withServer(answer, async ({ connection }) => {
        const { message } = await assertRejects(
          () => coverage("era5", { latitude: 55, longitude: 8, connection }),
          DataFormatError,
        );
        assertStringIncludes(message, `start_year is "${start}", not a date`);
      });
    }
  });

  it("reports that there is no point within the radius", async () => {
    await withServer(() => new Response(null, { status: 404 }), async ({ connection }) => {
      const call = () => coverage("era5", { latitude: 0, longitude: 0, connection });
      await assertRejects(call, NoDataError, "no data found within the specified radius");
    });
  });

  for (
    const wrong of [
      { latitude: 91 },
      { latitude: -90.0001 },
      { longitude: 181 },
      { latitude: NaN },
      { longitude: Infinity },
      { latitude: "55" as unknown as number },
      { maxDistance: 501 },
      { maxDistance: 1.5 },
      { numPoints: 10 },
    ]
  ) {
    it(`F37 refuses ${Deno.inspect(wrong)} before anything is sent`, async () => {
      await withServer(() => Response.json([record]), async ({ connection, seen }) => {
        const options = { latitude: 55, longitude: 8, ...wrong, connection };
        await assertRejects(() => coverage("era5", options), ArgumentError);
        assertEquals(seen.length, 0);
      });
    });
  }
});

describe("downloadClimate()", () => {
  const bodies: Readonly<Record<string, Uint8Array>> = {
    "a zip with the csv": zipSync({ "a.csv": text(PREAMBLE + TABLE) }),
    "a zip with the csv and something else": zipSync({
      "readme.txt": text("Read me"),
      "a.csv": text(PREAMBLE + TABLE),
    }),
    "the csv itself": text(PREAMBLE + TABLE),
    "the csv without its preamble": text(TABLE),
    "the csv with commas": text(TABLE.replaceAll("\t", ",")),
    "the csv with semicolons": text(PREAMBLE + TABLE.replaceAll("\t", ";")),
    "the csv with line ends of Windows": text((PREAMBLE + TABLE).replaceAll("\n", "\r\n")),
    "the csv with stamps without offset": text(TABLE.replaceAll("Z", "").replaceAll("T0", " 0")),
  };
  for (const [name, body] of Object.entries(bodies)) {
    for (const mediaType of ["application/zip", "text/plain"]) {
      it(`reads ${name} as ${mediaType}`, async () => {
        const answer = () =>
          new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": mediaType } });
        await withServer(answer, async ({ connection }) => {
          const frame = await downloadClimate("era5", { ...place, connection });
          assertEquals(frame.columns, [
            "time",
            "wind_speed_100",
            "wind_direction_100",
            "temperature",
          ]);
          assertStringIncludes(typesOf(frame)[0], "UTC");
          assertEquals(typesOf(frame).slice(1), ["Float64", "Float64", "Float64"]);
          assertEquals(readColumn<Date>(frame, "time").map(Number), [
            Date.UTC(2020, 0, 1, 0),
            Date.UTC(2020, 0, 1, 1),
          ]);
          assertEquals(readColumn(frame, "wind_speed_100"), [9.5, 10]);
          assertEquals(readColumn(frame, "temperature"), [4, null]);
        });
      });
    }
  }

  it("requests zipcsv by the wire's names, and records the parameters", async () => {
    await withServer(() => new Response(TABLE), async ({ connection, seen }) => {
      const frame = await downloadClimate("era5", { ...place, connection });
      assertEquals(
        seen[0].path,
        "/onlinedata-services/climatedownload/era5?lat=55.5&lon=7.75&start_year=2020&end_year=2021&filetype=zipcsv",
      );
      assertEquals(provenance(frame)[0].parameters.filetype, "zipcsv");
    });
  });

  it("refuses zipraw, which makes no frame, before anything is sent", async () => {
    await withServer(() => new Response(TABLE), async ({ connection, seen }) => {
      const call = () => downloadClimate("era5", { ...place, fileType: "zipraw", connection });
      await assertRejects(call, ArgumentError, "saveClimate()");
      assertEquals(seen.length, 0);
    });
  });

  it("F24 and F25 refuses a zip without a csv, with two, and a damaged one", async () => {
    const zips = [
      zipSync({ "a.dat": text(TABLE) }),
      zipSync({ "a.csv": text(TABLE), "b.csv": text(TABLE) }),
      zipSync({ "a.csv": text(TABLE) }).subarray(0, 60),
    ];
    for (const body of zips) {
      await withServer(
        () => new Response(body as Uint8Array<ArrayBuffer>),
        async ({ connection }) => {
          const call = () => downloadClimate("era5", { ...place, connection });
          await assertRejects(call, DataFormatError);
        },
      );
    }
  });
});

describe("saveClimate()", () => {
  it("writes the service's bytes unchanged, and no other file", async () => {
    const folder = await Deno.makeTempDir();
    const body = crypto.getRandomValues(new Uint8Array(50_000));
    try {
      await withServer(() => new Response(body), async ({ connection, seen }) => {
        await saveClimate("era5", `${folder}/a.zip`, { ...place, fileType: "zipraw", connection });
        assertEquals(seen[0].query.get("filetype"), "zipraw");
      });
      assertEquals(await Deno.readFile(`${folder}/a.zip`), body);
      assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["a.zip"]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });

  it("keeps the old file if the download fails", async () => {
    const path = await Deno.makeTempFile();
    await Deno.writeTextFile(path, "old");
    await withServer(() => new Response(null, { status: 404 }), async ({ connection }) => {
      await assertRejects(() => saveClimate("era5", path, { ...place, connection }), NoDataError);
    });
    assertEquals(await Deno.readTextFile(path), "old");
    await Deno.remove(path);
  });
});

describe("climate data and orders", () => {
  const calls = {
    "downloadClimate()": downloadClimate,
    "placeOrder()": placeOrder,
    "saveClimate()": (dataset: string, options: ClimateOptions) =>
      saveClimate(dataset, "/nowhere/a.zip", options),
  };
  for (const [name, call] of Object.entries(calls)) {
    for (
      const wrong of [
        { latitude: 91 },
        { longitude: -180.5 },
        { from: 2022 },
        { from: 1699 },
        { to: 2101 },
        { from: 2020.5 },
        { to: "2021-05" },
        { fileType: "xlsx" as FileType },
      ]
    ) {
      it(`F37 ${name} refuses ${Deno.inspect(wrong)} before anything is sent`, async () => {
        await withServer(() => Response.json("o-1"), async ({ connection, seen }) => {
          await assertRejects(
            async () => {
              await call("era5", { ...place, ...wrong, connection });
            },
            ArgumentError,
          );
          assertEquals(seen.length, 0);
        });
      });
    }
  }

  it("F37 name years in the wrong order", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection }) => {
      const call = () => downloadClimate("era5", { ...place, from: 2022, connection });
      const { message } = await assertRejects(call, ArgumentError);
      assert(message.includes('"from" (2022) is after "to" (2021)'), message);
    });
  });
});
