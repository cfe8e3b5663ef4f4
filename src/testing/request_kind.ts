import { operations } from "../api/operations/operations.ts";
import { ORDER_FILES } from "../service/fulfilment/orders.ts";
import type { RequestKind } from "./fault.ts";

/** Paths as patterns: a parameter is one segment, and the last slash may be there or not, as the service has it. */
const patterns: readonly (readonly [RequestKind, RegExp])[] = [
  ...operations.map(({ id, path }) => [id, path] as const),
  ["order_file", `${ORDER_FILES}/{token}/{name}`] as const,
].map(([kind, path]) => [
  kind,
  new RegExp(`^${path.replace(/\/$/, "").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
]);

export const requestKinds: readonly RequestKind[] = patterns.map(([kind]) => kind);

/** What a path is for; `undefined` where the service has nothing. */
export function requestKindOf(pathname: string): RequestKind | undefined {
  return patterns.find(([, pattern]) => pattern.test(pathname))?.[0];
}
