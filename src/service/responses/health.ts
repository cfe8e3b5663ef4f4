import type { Env, Hono } from "hono";
import { STATUS_CODE } from "@std/http/status";
import { DamagedFileError } from "../../disk/files.ts";
import { logFailure } from "../../storage/failures/failure_log.ts";
import { buildProblem } from "./refusal.ts";

/** Paths of health checks: whether the process answers, and whether its store does. */
export const HEALTH_PATHS: readonly [live: string, ready: string] = ["/healthz", "/readyz"];

/**
 * Adds the health checks: `/healthz` reports that the process answers, `/readyz` that its store does and that its data
 * are whole. Neither needs a key, so that the log names what is damaged, and the answer says what kind it is.
 *
 * @param check Looks at the data; returns what is wrong with them, `undefined` where nothing is, and rejects where they
 * cannot be read
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
        ? "The database is damaged; the log of the service says what to do"
        : "The database or the file store does not answer; the log of the service says why";
    });
    return problem === undefined ? fine() : buildProblem(STATUS_CODE.ServiceUnavailable, problem);
  });
}
