import { ConfigurationError } from "../../api/errors.ts";
import type { World } from "../../api/world.ts";
import { isLoopback } from "../limits/loopback.ts";

const REMEDY =
  "everyone who reaches the service could request them without a key. Serve it on 127.0.0.1 " +
  "without a proxy, serve the sample, or leave out --faults";

/**
 * Refuses faults on request if others reach your own data through a proxy: faults are for tests on this machine.
 *
 * @throws {ConfigurationError} If others would reach it
 */
export function checkFaultsNotPublic(
  options: { faults?: boolean; publicUrl?: string; behindProxy?: boolean },
): void {
  const { faults, publicUrl, behindProxy } = options;
  if (!faults || publicUrl === undefined && !behindProxy) return;
  throw new ConfigurationError(
    `Cannot answer with faults on request behind a proxy or at a public address: ${REMEDY}`,
  );
}

/**
 * Refuses faults on request for own data at an address that others reach. The sample may have faults wherever it is
 * served, such as in a container: its figures are invented.
 *
 * @param hostname Address to listen on
 * @throws {ConfigurationError} If other machines could request faults in your own data
 */
export function checkFaultsLocal(
  service: { readonly faults: boolean; readonly world: World },
  hostname: string,
): void {
  if (!service.faults || service.world === "sample" || isLoopback(hostname)) return;
  throw new ConfigurationError(
    `Cannot listen on ${hostname} with faults on request: ${REMEDY}`,
  );
}
