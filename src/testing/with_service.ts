import { connect, type Connection } from "../client/connection/connection.ts";
import { type ConnectOptions, Secret } from "../client/connection/settings.ts";
import { openSample, openService, type OrderPace } from "../service/mod.ts";
import type { Fault } from "./fault.ts";
import { FaultyServer } from "./faulty_server.ts";
import type { SeenRequest } from "./exchange.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";

/** A service on loopback, for the time of a test. */
export interface ServiceUnderTest {
  /** Its address. */
  readonly url: string;
  /** A key for it. */
  readonly key: Secret;
  /** A connection to it, over HTTP. */
  readonly connection: Connection;
  /** Requests that reached it so far, in the order in which they came. */
  readonly requests: readonly SeenRequest[];
  /**
   * Adds a fault behind those declared so far.
   *
   * @throws {ArgumentError} If no request can match it
   */
  inject(fault: Fault): void;
}

/** Options of {@linkcode withService}. */
export interface WithServiceOptions {
  /** Data directory to serve. @default the SYNTHETIC sample */
  data?: string;
  /** Folder in which the sample is stored. @default one below VINDKIT_HOME */
  folder?: string;
  /** What goes wrong, first come first served. @default {[]} */
  faults?: readonly Fault[];
  /**
   * How fast climate orders go on: `{ polls: 2 }` lets each state be seen twice. An order that an earlier test left open
   * is joined: order something else, or in a `folder` or `data` of the test's own. @default as fast as they can
   */
  orderPace?: OrderPace;
  /** Further settings of the connection, such as a shorter `timeout`. @default cache, ledger and downloads in a temporary folder */
  connection?: Omit<ConnectOptions, "url" | "key" | "data" | "sample">;
}

const OPTIONS = declareOptions<WithServiceOptions>()("data folder orderPace connection", {
  faults: [],
});

/**
 * Starts a real service on a free port of loopback, and stops it when the body is done. It answers correctly except for the
 * given faults.
 *
 * @param body What to do with it
 * @param options What it serves and what goes wrong
 * @throws {ArgumentError} If no request can match a fault, or the pace of orders is not valid
 *
 * @example A script that reads the sample over HTTP
 * ```ts
 * import { turbines } from "@vindkit/vindkit";
 * import { withService } from "@vindkit/vindkit/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await withService(async ({ connection }) => {
 *   assertEquals((await turbines({ connection })).height, 8);
 * });
 * ```
 *
 * @example A busy service is tried again
 * ```ts
 * import { turbines } from "@vindkit/vindkit";
 * import { type Fault, withService } from "@vindkit/vindkit/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const busy: Fault = {
 *   on: "turbines",
 *   act: { kind: "status", status: 503, headers: { "retry-after": "0" } },
 * };
 * await withService(async ({ connection, requests }) => {
 *   assertEquals((await turbines({ connection })).height, 8);
 *   assertEquals(requests.map(({ status }) => status), [503, 200]);
 * }, { faults: [busy] });
 * ```
 */
export async function withService<T>(
  body: (service: ServiceUnderTest) => Promise<T>,
  options: WithServiceOptions = {},
): Promise<T> {
  const { data, folder, faults, orderPace, connection: settings } = readOptions(
    "withService()",
    options,
    OPTIONS,
  );
  const how = orderPace ? { orderPace } : {};
  const service = data
    ? await openService(data, how)
    : await openSample(folder ? { ...how, folder } : how);
  const home = await Deno.makeTempDir({ prefix: "vindkit-" }); // with its own ledger: tests place orders
  try {
    const server = new FaultyServer(service.fetch, faults);
    try {
      const { url, requests } = server;
      const key = new Secret(await service.issueLocalKey());
      await using connection = connect({ home, ...settings, url, key });
      const inject = (fault: Fault) => server.inject(fault);
      return await body({ url, key, connection, requests, inject });
    } finally {
      await server.close();
    }
  } finally {
    await service.close();
    await Deno.remove(home, { recursive: true });
  }
}
