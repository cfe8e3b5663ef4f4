/**
 * JSON and errors of services that follow the API text in other ways than Vindkit's service.
 *
 * @module
 */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import {
  coverage,
  DataFormatError,
  datasets,
  LicenceError,
  modelData,
  monthlyIndex,
  NoAccessError,
  NoDataError,
  orderAndWait,
  reportMonths,
  reportTurbines,
  requestApiKey,
  turbineDetails,
  turbines,
} from "@vindkit/vindkit";
import { readTexts } from "../../src/frames/read_columns.ts";
import { withServer } from "../client/_local_server.ts";
import { paths, withDialect } from "./_dialect.ts";

const listValues = (frame: DataFrame, name: string): unknown[] => frame.getColumn(name).toArray();

/** Days of a column of dates. */
function listDays(frame: DataFrame, name: string): string[] {
  return readTexts(frame, name).map(String);
}

describe("K2: records of another service", () => {
  it("may name the turbine alone: what is absent is null", () =>
    withDialect({ [paths.details]: "details_bare.json" }, async (connection) => {
      const details = await turbineDetails("T1", { connection });
      const { name, hub_height, time_zone, power_curve, data_ready } = details;
      assertEquals([name, hub_height, time_zone, power_curve, data_ready], [
        ...[null, null, null, null],
        true,
      ]);
      const frame = await turbineDetails(["T1"], { connection });
      assertEquals(listValues(frame, "latitude"), [null]);
    }));

  it("may have null as the name, a power control of their own, and additions", () =>
    withDialect({ [paths.details]: "details_odd.json" }, async (connection) => {
      const details = await turbineDetails("T1", { connection });
      assertEquals(details.power_curve?.power_control, "pcActiveStall");
      assertEquals([details.name, details.owner], [null, "A"]);
      assertStringIncludes(Deno.inspect(details), "pcActiveStall");
    }));

  it("may have identifiers that are numbers, longer than a JavaScript number", () =>
    withDialect(
      { [paths.details]: "details_number.json", [paths.turbines]: "turbines_number.json" },
      async (connection) => {
        assertEquals(listValues(await turbines({ connection }), "turbine_id"), [
          "570715000000011111",
          "570715000000022222",
        ]);
        const { hub_height } = await turbineDetails("570715000000011111", { connection });
        assertEquals(hub_height, 80);
      },
    ));

  it("may leave figures of a month out", () =>
    withDialect({ [paths.indices]: "month_part.json" }, async (connection) => {
      const month = await monthlyIndex("T1", "2024-05", { connection });
      assertEquals([month.month_index, month.predicted_production], [79.3, null]);
    }));

  it("may leave texts of datasets out, and give years for days", () =>
    withDialect(
      { [paths.datasets]: "datasets_part.json", [paths.coverage]: "coverage_years.json" },
      async (connection) => {
        const all = await datasets({ connection });
        assertEquals(listValues(all, "service_id"), ["era5", "merra2"]);
        assertEquals(listValues(all, "url_description"), [null, null]);
        const near = await coverage("era5", { connection, latitude: 55.6, longitude: 7.9 });
        assertEquals(near.height, 1);
        assertEquals(listDays(near, "start_year"), ["1940-01-01"]);
        assertEquals(listDays(near, "last_updated"), ["2024-12-31"]);
      },
    ));
});

describe("E7: records of another service", () => {
  const answer = (path: string, body: string) => (request: Request) =>
    new URL(request.url).pathname.startsWith(path)
      ? new Response(body)
      : new Response(null, { status: 404 });

  it("may be the one list of an object", () =>
    withServer(
      answer(paths.turbines, '{"data": [{"turbine_id": "T1"}]}'),
      async ({ connection }) => {
        assertEquals(listValues(await turbines({ connection }), "turbine_id"), ["T1"]);
      },
    ));

  it("may have NaN for null, and numbers as texts", () => {
    const details = '{"turbine_id": "T1", "hub_height": "80.5", "rated_power": NaN}';
    return withServer(answer(paths.details, details), async ({ connection }) => {
      const { hub_height, rated_power } = await turbineDetails("T1", { connection });
      assertEquals([hub_height, rated_power], [80.5, null]);
    });
  });

  const refused: Readonly<Record<string, [body: string, message: string]>> = {
    "an object of several lists": [
      '{"items": [], "next": null}',
      "the answer is an object of items, next, but must be a list",
    ],
    "a list without identifiers": [
      '[{"name": "A"}]',
      "0.turbine_id is missing, but must be a text or a whole number",
    ],
    "a list of lists": ["[[1]]", "0 is a list of 1, but must be an object"],
  };
  for (const [what, [body, message]] of Object.entries(refused)) {
    it(`are refused in our words as ${what}`, () =>
      withServer(answer(paths.turbines, body), async ({ connection }) => {
        const error = await assertRejects(() => turbines({ connection }), DataFormatError);
        assertStringIncludes(error.message, message);
      }));
  }

  it("are refused in our words where a figure is none", () =>
    withServer(
      answer(paths.details, '{"turbine_id": "T1", "hub_height": "tall"}'),
      async (server) => {
        const { connection } = server;
        const error = await assertRejects(
          () => turbineDetails("T1", { connection }),
          DataFormatError,
        );
        assertStringIncludes(error.message, 'hub_height is "tall", but must be a number');
      },
    ));
});

describe("K9: months of reports of another service", () => {
  for (const file of ["report_months_period.json", "report_months_pairs.json"]) {
    it(`are read from ${file}`, () =>
      withDialect({ [`${paths.reports}T1`]: file }, async (connection) => {
        const months = await reportMonths("T1", { connection });
        assertEquals(listDays(months, "month"), ["2024-04-01", "2024-05-01"]);
      }));
  }

  it("may be days", () =>
    withDialect({ [paths.reports]: "report_turbines_day.json" }, async (connection) => {
      const frame = await reportTurbines({ connection });
      assertEquals(listDays(frame, "last_available_report"), ["2024-05-01"]);
    }));
});

describe("errors of another service", () => {
  it("are what their status means, in whatever form they are written", () =>
    withDialect(
      {
        [paths.model]: { file: "error.txt", status: 400 },
        [paths.details]: { file: "error.json", status: 401 },
        [paths.coverage]: { file: "error.html", status: 403 },
      },
      async (connection) => {
        const none = await assertRejects(() => modelData("T1", { connection }), NoDataError);
        assertStringIncludes(none.message, "no data found for this licence");
        const over = await assertRejects(() => turbineDetails("T1", { connection }), LicenceError);
        assertStringIncludes(over.message, "license has expired on 2024-12-31");
        const place = { connection, latitude: 55.6, longitude: 7.9 };
        await assertRejects(() => coverage("era5", place), NoAccessError);
      },
    ));

  it("a key is found under the only name that it can have", () =>
    withDialect({ [paths.key]: "key.json" }, async (connection) => {
      const key = await requestApiKey({ connection, serialNumber: "1", email: "a@example.com" });
      assertEquals(key.reveal(), "k-123");
    }));

  it("H10: an order whose address is relative is downloaded from the service", async () => {
    const file = await Deno.readFile(new URL("files/climate.csv", import.meta.url));
    const answer = (request: Request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith(paths.order)) return Response.json("o-1");
      if (pathname === "/files/o-1.csv") {
        return new Response(file, { headers: { "content-length": String(file.length) } });
      }
      return Response.json("/files/o-1.csv");
    };
    await withServer(answer, async ({ connection }) => {
      const frame = await orderAndWait("era5", {
        connection,
        latitude: 55.5,
        longitude: 7.75,
        from: 2023,
        to: 2023,
      });
      assertEquals(frame.height, 2);
    });
  });
});
