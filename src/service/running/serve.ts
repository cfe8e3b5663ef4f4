import { checkFaultsLocal } from "../faults/check_fault_access.ts";
import { buildListenError, formatListenerUrl } from "./listen_address.ts";
import { isLoopback } from "../limits/loopback.ts";
import { findMaxRequests } from "../limits/request_limits.ts";
import { listen, type Listener } from "./listener.ts";
import type { Service } from "./service.ts";
import { refuseRuntimeSpans } from "./telemetry.ts";
import { checkOptions, type OptionNames } from "../../api/check_options.ts";

/** A service that listens. */
export interface Server {
  /** Address under which this machine reaches it, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Settles when it has stopped. */
  readonly finished: Promise<void>;
  /**
   * Issues an address that signs a browser of this machine in with the local licence: once, and within ten minutes.
   * `undefined` where other machines reach the service.
   */
  issueSignInUrl(): string | undefined;
  /**
   * Stops listening, lets what is under way end, and closes the service.
   *
   * @param deadline Longest time to wait for answers under way, ms: later ones end with the process. Without it, as
   * long as they take
   */
  close(deadline?: number): Promise<void>;
}

/** Waits for work under way, but not longer than a deadline in ms. */
async function waitAtMost(work: Promise<void>, deadline: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => timer = setTimeout(resolve, deadline));
  await Promise.race([work, over]);
  clearTimeout(timer);
}

/** Options of {@linkcode serve}. */
export interface ServeOptions {
  /** Port; 0 takes a free one. @default {0} */
  port?: number;
  /** Address to listen on; loopback only. @default {"127.0.0.1"} */
  hostname?: string;
}

/** Starts listening, or throws an error that says why it failed. */
function startListening(where: Required<ServeOptions>, service: Service): Listener {
  try {
    const listensOn = where.hostname;
    return listen(where, (request, { remoteAddr, completed }) => {
      return service.fetch(request, { remoteAddr, completed, listensOn });
    });
  } catch (error) {
    throw buildListenError(error, where.hostname, where.port);
  }
}

const OPTIONS: OptionNames<ServeOptions> = {
  port: "optional",
  hostname: "optional",
};

/**
 * Serves a service over HTTP.
 *
 * @param service The service
 * @param options Port and address
 * @throws {ConfigurationError} If other machines could request faults in figures that are not the sample's, if
 * OpenTelemetry would export the addresses of requests, or if listening fails
 */
export function serve(service: Service, options: ServeOptions = {}): Server {
  checkOptions("serve()", options, OPTIONS);
  const { port = 0, hostname = "127.0.0.1" } = options;
  checkFaultsLocal(service, hostname);
  refuseRuntimeSpans();
  findMaxRequests();
  const server = startListening({ port, hostname }, service);
  const url = formatListenerUrl(hostname, server.port);
  return {
    url,
    finished: server.finished,
    issueSignInUrl: () => {
      const path = isLoopback(hostname) ? service.issueSignInPath() : undefined;
      return path && url + path;
    },
    close: async (deadline) => {
      const drained = server.shutdown();
      if (deadline === undefined) await drained;
      else await waitAtMost(drained, deadline);
      await service.close();
    },
  };
}
