import { connect, type Connection } from "../client/connection.ts";
import { Secret } from "../client/secret.ts";
import { openSample, openService, serve } from "../service/mod.ts";

/** A service on loopback, for the time of a test. */
export interface ServiceUnderTest {
  /** Its address. */
  readonly url: string;
  /** A key for it. */
  readonly key: Secret;
  /** A connection to it, over HTTP. */
  readonly connection: Connection;
}

/** Options of {@linkcode withService}. */
export interface WithServiceOptions {
  /** Data directory to serve. @default the SYNTHETIC sample */
  data?: string;
  /** Folder in which the sample is kept. @default one below VINDKIT_HOME */
  folder?: string;
}

/**
 * Starts a real service on a free port of loopback, and stops it when the body is done.
 *
 * @param body What to do with it
 * @param options What it serves
 *
 * @example
 * ```ts
 * import { turbines } from "@vindkit/vindkit";
 * import { withService } from "@vindkit/vindkit/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await withService(async ({ connection }) => {
 *   assertEquals((await turbines({ connection })).height, 8);
 * });
 * ```
 */
export async function withService<T>(
  body: (service: ServiceUnderTest) => Promise<T>,
  options: WithServiceOptions = {},
): Promise<T> {
  const { data, folder } = options;
  const service = data ? await openService(data) : await openSample(folder ? { folder } : {});
  const server = serve(service);
  try {
    const key = new Secret(await service.issueLocalKey());
    return await body({ url: server.url, key, connection: connect({ url: server.url, key }) });
  } finally {
    await server.close();
  }
}
