import type { Service } from "./service.ts";

/** A service that listens. */
export interface Server {
  /** Its address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Settles when it has stopped. */
  readonly finished: Promise<void>;
  /** Stops listening, lets what is under way end, and closes the service. */
  close(): Promise<void>;
}

/** Options of {@linkcode serve}. */
export interface ServeOptions {
  /** Port; 0 takes a free one. @default {0} */
  port?: number;
  /** Address to listen on; loopback unless said otherwise. @default {"127.0.0.1"} */
  hostname?: string;
}

/**
 * Lets a service listen.
 *
 * @param service The service
 * @param options Port and address
 */
export function serve(service: Service, options: ServeOptions = {}): Server {
  const { port = 0, hostname = "127.0.0.1" } = options;
  const server = Deno.serve({ port, hostname, onListen: () => {} }, service.fetch);
  const { addr } = server;
  return {
    url: `http://${hostname}:${addr.port}`,
    finished: server.finished,
    close: async () => {
      await server.shutdown();
      await service.close();
    },
  };
}
