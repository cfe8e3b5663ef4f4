/**
 * Scripted servers on loopback that record their requests.
 *
 * @module
 */
import type { OperationId } from "../../src/api/operations/operation.ts";
import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import { connect, type Connection } from "../../src/client/connection/connection.ts";
import type { ConnectOptions } from "../../src/client/connection/settings.ts";

/** The key that goes to the servers of tests. */
export const CANARY = "canary-7c1d2e";

/** A request as a server saw it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly key: string | null;
  /** When it came, ms on the clock of `performance.now()`. */
  readonly at: number;
}

/** Answers a request; the number counts from 1. */
export type Handler = (request: Request, number: number) => Response | Promise<Response>;

/** A server of a test. */
export interface LocalServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Home folder of the connection. */
  readonly home: string;
  /** A connection to it with the canary key. */
  readonly connection: Connection;
}

/** Options of {@linkcode withServer}: settings of the connection. */
export type LocalServerOptions = Omit<ConnectOptions, "url" | "key" | "data" | "sample">;

/** Runs a test with a server that answers with the handler. */
export async function withServer(
  handler: Handler,
  body: (server: LocalServer) => Promise<void>,
  options: LocalServerOptions = {},
): Promise<void> {
  const seen: SeenRequest[] = [];
  const server = Deno.serve(
    {
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
      onError: (error) => new Response(String(error), { status: 599 }),
    },
    (request) => {
      const { pathname, search, searchParams } = new URL(request.url);
      seen.push({
        method: request.method,
        path: pathname + search,
        query: searchParams,
        key: request.headers.get(KEY_HEADER),
        at: performance.now(),
      });
      return handler(request, seen.length);
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const home = await Deno.makeTempDir();
  try {
    await body({ url, seen, home, connection: connect({ url, key: CANARY, home, ...options }) });
  } finally {
    await server.shutdown();
    await Deno.remove(home, { recursive: true });
  }
}

/** Runs a test with a server that sends these bytes to each request, and closes the connection. */
export async function withRawServer(
  answer: string | Uint8Array<ArrayBuffer>,
  body: (
    server: Omit<LocalServer, "seen" | "home"> & { readonly requests: () => number },
  ) => Promise<void>,
): Promise<void> {
  const bytes = typeof answer === "string" ? new TextEncoder().encode(answer) : answer;
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let requests = 0;
  const done = (async () => {
    for await (const connection of listener) {
      using open = connection;
      if (await open.read(new Uint8Array(65_536)) === null) continue;
      requests++;
      await open.write(bytes);
      await open.closeWrite().catch(() => {}); // the client may have closed it
    }
  })();
  const url = `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`;
  try {
    await body({ url, connection: connect({ url, key: CANARY }), requests: () => requests });
  } finally {
    listener.close();
    await done;
  }
}

/** Never answers; ends when the client gives up. */
export function neverAnswer(request: Request): Promise<Response> {
  return new Promise((resolve) => {
    request.signal.addEventListener("abort", () => resolve(new Response()));
  });
}

/** Parameters for each operation that the contract allows. */
export const allowed: Readonly<Record<OperationId, Readonly<Record<string, string | number>>>> = {
  turbines: {},
  turbine_details: { turbine_id: "T1" },
  model_data: { turbine_id: "T1", start_date: "2024-01-01", end_date: "2024-02-01" },
  wind_indices: { turbine_id: "T1" },
  monthly_index: { turbine_id: "T1", year: 2024, month: 5 },
  datasets: {},
  coverage: { service_id: "era5", lat: 55.5, lon: 8 },
  place_order: {
    service_id: "era5",
    lat: 55.5,
    lon: 8,
    start_year: 2020,
    end_year: 2021,
    filetype: "csv",
  },
  order_status: { order_id: "o-1" },
  download_climate: {
    service_id: "era5",
    lat: 55.5,
    lon: 8,
    start_year: 2020,
    end_year: 2021,
    filetype: "csv",
  },
  report_turbines: {},
  report_months: { turbine_id: "T1" },
  monthly_report: { turbine_id: "T1", period: "2024-05" },
  api_key: { serial_number: "S-1", email: "a@example.com" },
};
