import type { Env, Hono } from "hono";
import { STATUS_CODE } from "@std/http/status";
import { buildProblem } from "./refusal.ts";

/** Paths of health checks: whether the process answers, and whether its store does. */
export const HEALTH_PATHS: readonly [live: string, ready: string] = ["/healthz", "/readyz"];

/**
 * Adds the health checks: `/healthz` reports that the process answers, `/readyz` that its store does. Neither needs a
 * key, and neither says anything else.
 *
 * @param app The service's routes
 * @param check Reads from the store; rejects where that fails
 */
export function addHealth<E extends Env>(app: Hono<E>, check: () => Promise<void>): void {
  const fine = () => new Response("ok\n", { headers: { "cache-control": "no-store" } });
  const [live, ready] = HEALTH_PATHS;
  app.get(live, fine);
  app.get(ready, async () => {
    try {
      await check();
      return fine();
    } catch (error) {
      console.error(error); // the reason is for the log, not for the client
      return buildProblem(STATUS_CODE.ServiceUnavailable, "The store does not answer");
    }
  });
}
