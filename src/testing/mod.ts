/**
 * A real service for tests of your scripts: on loopback, with the sample or your own data.
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
 * @module
 */
import { connect, type Connection } from "../client/connection/connection.ts";
import { type ConnectOptions, Secret } from "../client/connection/settings.ts";
import { openSample, openService, serve } from "../service/mod.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";

/** A service on loopback for the duration of a test. */
export interface ServiceUnderTest {
  /** Its address. */
  readonly url: string;
  /** A valid key. */
  readonly key: Secret;
  /** A connection to it, over HTTP. */
  readonly connection: Connection;
}

/** Options of {@linkcode withService}. */
export interface WithServiceOptions {
  /** Data directory to serve. @default the SYNTHETIC sample */
  data?: string;
  /** Folder for the sample. @default a folder below VINDKIT_HOME */
  folder?: string;
  /** Additional settings of the connection, such as a shorter `timeout`. @default cache, ledger and downloads in a temporary folder */
  connection?: Omit<ConnectOptions, "url" | "key" | "data" | "sample">;
}

const OPTIONS = declareOptions<WithServiceOptions>()("data folder connection");

/**
 * Starts a real service on a free loopback port, and stops it when the body ends.
 *
 * @param body Uses the service
 * @param options The data to serve, and settings of the connection
 *
 * @example Test how a script handles an invalid key
 * ```ts
 * import { connect, LicenceError, turbines } from "@vindkit/vindkit";
 * import { withService } from "@vindkit/vindkit/testing";
 * import { assertRejects } from "@std/assert";
 *
 * await withService(async ({ url }) => {
 *   await using connection = connect({ url, key: "expired" });
 *   await assertRejects(() => turbines({ connection }), LicenceError);
 * });
 * ```
 */
export async function withService<T>(
  body: (service: ServiceUnderTest) => Promise<T>,
  options: WithServiceOptions = {},
): Promise<T> {
  const { data, connection: settings, ...sample } = readOptions("withService()", options, OPTIONS);
  const service = data ? await openService(data) : await openSample(sample);
  const home = await Deno.makeTempDir({ prefix: "vindkit-" }); // separate, because tests place orders in its ledger
  const server = serve(service);
  try {
    const key = new Secret(await service.issueLocalKey());
    await using connection = connect({ home, ...settings, url: server.url, key });
    return await body({ url: server.url, key, connection });
  } finally {
    await server.close();
    await Deno.remove(home, { recursive: true });
  }
}
