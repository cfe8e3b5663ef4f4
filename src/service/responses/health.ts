import type { Env, Hono } from "hono";
import { STATUS_CODE } from "@std/http/status";
import { DamagedFileError } from "../../disk/files.ts";
import { logFailure } from "../../storage/failures/failure_log.ts";
import { buildProblem } from "./refusal.ts";

/** Paths of health checks: whether the process answers, and whether its store does. */
export const HEALTH_PATHS: readonly [live: string, ready: string] = ["/healthz", "/readyz"];

/**
 * Adds the health checks: `/healthz` reports that the process answers, `/readyz` that its store answers and its data are
 * complete. They need no key, so the answer states only the kind of damage; the log names the files.
 *
 * @param check Checks the data; returns the problem, `undefined` if there is none, and rejects if the data cannot be read
 */
export function addHealth<E extends Env>(
  app: Hono<E>,
  check: () => Promise<string | undefined>,
): void {
  const fine = () => new Response("ok\n", { headers: { "cache-control": "no-store" } });
  const [live, ready] = HEALTH_PATHS;
  app.get(live, fine);
  app.get(ready, async () => {
    const problem = await check().catch((error) => {
      logFailure("/readyz", error, { passes: true });
      return error instanceof DamagedFileError
        ? "The database is damaged; the log of the service names the remedy"
        : "The database or the file store does not answer; the log of the service names the cause";
    });
    return problem === undefined ? fine() : buildProblem(STATUS_CODE.ServiceUnavailable, problem);
  });
}
