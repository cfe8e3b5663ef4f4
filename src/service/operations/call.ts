import type { ParameterValue } from "../../api/operations/parameter.ts";
import type { ClientLogins } from "../limits/login_throttle.ts";
import type { Orders } from "../fulfilment/orders.ts";
import type { Files } from "../files/files.ts";
import type { Licence } from "../store/licence.ts";
import type { Store } from "../store/store.ts";

/** What every answer draws on. */
export interface ServiceParts {
  /** What the service remembers. */
  readonly store: Store;
  /** Its immutable files. */
  readonly files: Files;
  /** Its climate orders. */
  readonly orders: Orders;
}

/** One request, checked: licence and parameters are as the contract wants them. */
export interface Call extends ServiceParts {
  /** Parameters by wire name; an absent one has its default. */
  readonly parameters: Readonly<Record<string, ParameterValue | undefined>>;
  /** Licence of the request; the local one for operations without key. */
  readonly licence: Licence;
  /** What its client attempts to get access. */
  readonly attempts: ClientLogins;
  /** Scheme, host and port that the request was sent to. */
  readonly origin: string;
  /** Its `Accept-Encoding`. */
  readonly acceptEncoding: string | null;
  /** Its `If-None-Match`. */
  readonly ifNoneMatch: string | null;
}

/** Answers one operation. */
export type Answer = (call: Call) => Promise<Response>;

/** A parameter that the contract says is a text. */
export function textOf(call: Call, name: string): string {
  return call.parameters[name] as string;
}

/** A parameter that the contract says is a number. */
export function numberOf(call: Call, name: string): number {
  return call.parameters[name] as number;
}
