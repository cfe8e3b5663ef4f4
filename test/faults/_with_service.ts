/**
 * The service behind a server that fails like networks and services: it stalls, cuts off or loses answers, and mistakes
 * ranges.
 *
 * @module
 */
import { connect } from "../../src/client/connection/connection.ts";
import { Secret } from "../../src/client/connection/settings.ts";
import { openSample, openService } from "../../src/service/mod.ts";
import type { ServiceUnderTest as Honest, WithServiceOptions } from "../../src/testing/mod.ts";
import type { SeenRequest } from "./_exchange.ts";
import type { Fault } from "./_fault.ts";
import { FaultyServer } from "./_faulty_server.ts";

export type * from "./_fault.ts";

/** A service on loopback that may fail, for the time of a test. */
export interface ServiceUnderTest extends Honest {
  /** Requests that reached it so far, in the order in which they came. */
  readonly requests: readonly SeenRequest[];
  /** Adds a fault after the declared ones. */
  inject(fault: Fault): void;
}

/** Options of {@linkcode withService}: the public options, and the faults, first come first served. */
export interface FaultyServiceOptions extends WithServiceOptions {
  faults?: readonly Fault[];
}

/** Starts the service on a free port, and stops it when the body is done; it answers correctly except for the faults. */
export async function withService<T>(
  body: (service: ServiceUnderTest) => Promise<T>,
  { data, faults = [], connection: settings, ...how }: FaultyServiceOptions = {},
): Promise<T> {
  const service = data ? await openService(data) : await openSample(how);
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
