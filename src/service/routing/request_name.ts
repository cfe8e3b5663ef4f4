import { operations } from "../../api/operations/operations.ts";
import { HEALTH_PATHS } from "../responses/health.ts";
import { OPENAPI_PATH } from "../pages/openapi_route.ts";
import { ORDER_FILES } from "../fulfilment/orders.ts";
import { findPageName } from "../pages/addresses.ts";

/** Name of every unknown method, as in OpenTelemetry. */
const OTHER_METHOD = "_OTHER";

/** Methods that logs and metrics name; any other might be a secret. */
const METHODS: ReadonlySet<string> = new Set(
  ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"],
);

/** Paths of the operations, with and without the last slash. */
const paths = operations.map(({ id, path }) => {
  const form = RegExp.escape(path.replace(/\/$/, "")).replaceAll(/\\\{\w+\\\}/g, "[^/]+");
  return { id, form: new RegExp(`^${form}/?$`) };
});

/**
 * Names the purpose of a request by its path alone, because some requests are refused before more is read.
 *
 * @returns Identifier of an operation, name of something else, or `none`; never a part of the path
 */
export function nameRequest(path: string): string {
  if (path.startsWith(`${ORDER_FILES}/`)) return "order_file"; // the rest of the path is a secret
  if ([...HEALTH_PATHS, OPENAPI_PATH].includes(path)) return path.slice(1);
  return paths.find(({ form }) => form.test(path))?.id ?? findPageName(path) ?? "none";
}

/**
 * Names a method as OpenTelemetry does.
 *
 * @returns The method, or `_OTHER` for an unknown one
 */
export function nameMethod(method: string): string {
  return METHODS.has(method) ? method : OTHER_METHOD;
}
