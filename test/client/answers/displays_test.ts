import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { checkConnection } from "../../../src/client/calls/access.ts";
import type { Connection } from "../../../src/client/connection/connection.ts";
import { orders } from "../../../src/client/orders/orders.ts";
import { attachOrder, placeOrder } from "../../../src/client/orders/place_order.ts";
import { monthlyReport } from "../../../src/client/calls/reports.ts";
import { Secret } from "../../../src/client/connection/settings.ts";
import { turbineDetails, turbines } from "../../../src/client/calls/turbines.ts";
import { monthlyIndex, windIndices } from "../../../src/client/calls/wind_indices.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";
import { table } from "../../../src/show/table/table.ts";
import { VindkitError } from "../../../src/api/errors.ts";
import { CANARY, type Handler, withServer } from "../_local_server.ts";

/** Collects all displays of a value: in a notebook, on the console, in a log, in a template. */
async function collectDisplays(value: object): Promise<string> {
  const display = (value as { [JUPYTER_DISPLAY]?: () => unknown })[JUPYTER_DISPLAY];
  return [
    JSON.stringify(await display?.call(value)),
    Deno.inspect(value, { showHidden: true, getters: true, depth: 9 }),
    Deno.inspect({ value: [value] }),
    JSON.stringify(value),
    String(value),
  ].join("\n");
}

/** Builds a handler with a valid answer for each operation, or this status for all. */
function buildHandler(status: number): Handler {
  return (request) => {
    if (status !== 200) return new Response("no", { status });
    const { pathname } = new URL(request.url);
    if (pathname.includes("/details/")) {
      return Response.json({
        turbine_id: "T1",
        name: "Name",
        ...Object.fromEntries(
          ["latitude", "longitude", "hub_height", "rated_power", "rotor_diameter"]
            .map((name) => [name, 1]),
        ),
        time_zone: "UTC",
        training_start: null,
        training_end: null,
        data_ready: true,
        last_wind_index: null,
        power_curve: null,
      });
    }
    if (pathname.includes("order")) return Response.json("o-1");
    if (pathname.includes("report")) return Response.json({ period: "2024-05" });
    return Response.json([{ turbine_id: "T1", service_id: "era5" }]);
  };
}

const place = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 };

/** Calls whose results are displayed, by name; those that fail return their error. */
function listDisplays(connection: Connection): Readonly<Record<string, () => Promise<object>>> {
  const options = { connection };
  return {
    "the connection": () => Promise.resolve(connection),
    "its key": () => Promise.resolve(connection.key!),
    "a check": () => checkConnection(options),
    "a frame": () => turbines(options),
    "a table": async () => table(await turbines(options)),
    "details": () => turbineDetails("T1", options),
    "details of several turbines": () => turbineDetails(["T1", "T2"], options),
    "a month": () => monthlyIndex("T1", "2024-05", options),
    "indices of several turbines": () => windIndices(["T1", "T2"], options),
    "a report": () => monthlyReport("T1", "2024-05", options),
    "an order": () => placeOrder("era5", { ...place, connection }),
    "an order taken up": () => Promise.resolve().then(() => attachOrder("o-1", options)),
    "the orders": () => Promise.resolve(orders(options)),
  };
}

describe("F20 no display shows the key", () => {
  for (const status of [200, 400, 401, 404, 418]) {
    it(`of a service that answers ${status}`, async () => {
      await withServer(buildHandler(status), async ({ connection }) => {
        for (const [name, show] of Object.entries(listDisplays(connection))) {
          const value = await show().catch((error) => error as Error);
          const seen = await collectDisplays(value);
          assert(!seen.includes(CANARY), `${name}: ${seen}`);
          if (value instanceof Error) assert(!value.stack!.includes(CANARY), name);
        }
      });
    });
  }

  it("and all of them have a display, errors included", async () => {
    const displaysOf = async (value: object): Promise<string[]> => {
      const display = (value as { [JUPYTER_DISPLAY]?: () => object })[JUPYTER_DISPLAY];
      return Object.keys(await display?.call(value) ?? {});
    };
    await withServer(buildHandler(200), async ({ connection }) => {
      for (const name of ["the connection", "a check", "a frame", "a table", "details"]) {
        assertEquals(await displaysOf(await listDisplays(connection)[name]()), [
          "text/html",
          "text/plain",
        ]);
      }
      const failing = () => windIndices("T1", { connection });
      assertEquals(await displaysOf(await assertRejects(failing, VindkitError)), ["text/plain"]);
    });
  });

  it("and a secret is three stars everywhere", () => {
    const secret = new Secret(CANARY);
    assertEquals(Deno.inspect({ secret }), "{ secret: *** }");
    assertEquals(`${secret} ${JSON.stringify([secret])}`, '*** ["***"]');
  });
});
