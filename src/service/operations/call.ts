import type { ParameterValue } from "../../api/operations/parameter.ts";
import type { ClientLogins } from "../limits/login_throttle.ts";
import type { Orders } from "../fulfilment/orders.ts";
import type { Files } from "../../storage/files/files.ts";
import type { Jobs } from "../../storage/jobs/job.ts";
import type { Store } from "../../storage/store/store.ts";
import type { Licence } from "../../storage/store/licences.ts";
import { ATTRIBUTION_HEADER, NOTES_HEADER, WORLD_HEADER } from "../../api/world.ts";
import { listMarks } from "../../sites/calibration/calibration_notes.ts";
import type { StoredTurbine } from "../../sites/keep/site_record.ts";

/** Store, files, jobs and orders behind every answer. */
export interface ServiceParts {
  readonly store: Store;
  readonly files: Files;
  readonly jobs: Jobs;
  readonly orders: Orders;
}

/** A checked request: licence and parameters are as the contract requires, and the store is for this request. */
export interface Call extends ServiceParts {
  /** Parameters by wire name; an absent one has its default. */
  readonly parameters: Readonly<Record<string, ParameterValue | undefined>>;
  /** Licence of the request; the local one for operations without key. */
  readonly licence: Licence;
  readonly attempts: ClientLogins;
  /** Scheme, host and port that the request was sent to. */
  readonly origin: string;
  /** Headers of the request. */
  readonly headers: Headers;
}

/** Answers one operation. */
export type Answer = (call: Call) => Promise<Response>;

/** Reads a parameter that is a text by the contract. */
export function textOf(call: Call, name: string): string {
  return call.parameters[name] as string;
}

/** Reads a parameter that is a number by the contract. */
export function numberOf(call: Call, name: string): number {
  return call.parameters[name] as number;
}

/**
 * Builds the headers that state the origin of figures: the world, the attributions that their data require, and a mark if
 * they are not calibrated.
 *
 * @param of Attribution lines that the data require (duplicates are sent once), and the calibration of the figures
 */
export async function buildOriginHeaders(
  store: Store,
  { attribution = [], calibration }: Partial<Pick<StoredTurbine, "attribution" | "calibration">> =
    {},
): Promise<Record<string, string>> {
  const encode = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? {} : {
      [name]: [...new Set(lines)].map((line) => encodeURIComponent(line.toWellFormed())).join(","),
    };
  return {
    [WORLD_HEADER]: await store.world(),
    ...encode(ATTRIBUTION_HEADER, attribution),
    ...encode(NOTES_HEADER, listMarks(calibration)),
  };
}

/** Media type of figures as CSV. */
export const CSV = { "content-type": "text/csv; charset=utf-8" } as const;
