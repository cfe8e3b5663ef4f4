import { MAX_IDENTIFIER_LENGTH } from "../../api/operations/parameter.ts";
import { MAX_ACTIVE_DOWNLOADS } from "../operations/climate_data.ts";
import { FAILED_ATTEMPTS } from "../limits/login_throttle.ts";
import { MAX_ORDER_DISTANCE } from "../fulfilment/climate_delivery.ts";
import { MAX_REQUESTED_KEYS } from "../licences/licences.ts";
import { TOKEN_LIFETIME } from "../licences/sign_in_tokens.ts";
import { ADDRESS_LIFETIME } from "../fulfilment/build_order.ts";
import { MAX_UNFINISHED_ORDERS } from "../fulfilment/orders.ts";
import { READER_TIMEOUT, READING_TIMEOUT } from "../responses/stream_parts.ts";
import {
  ANSWER_TIMEOUT,
  LICENCE_SHARE,
  MAX_HEAD_BYTES,
  MAX_HEADERS,
  MAX_REQUESTS,
  MAX_URL_LENGTH,
  type RequestLimitsOptions,
} from "../limits/request_limits.ts";

/** Limits that a service may be started with. */
export interface LimitsInForce extends RequestLimitsOptions {
  /** Failed attempts to get access within a minute. */
  failedAttempts?: number;
  /** Whether browsers of this machine can sign in. @default {true} */
  signIn?: boolean;
  /** Whom to contact for a licence. */
  contact?: string;
}

const count = new Intl.NumberFormat("en-GB");

/** Formats a duration in ms in the largest unit that is whole. */
function formatDuration(milliseconds: number): string {
  const units: readonly (readonly [string, number])[] = [
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
    ["second", 1000],
  ];
  const [unit, length] = units.find(([, length]) => milliseconds % length === 0) ??
    ["millisecond", 1];
  const number = milliseconds / length;
  return `${count.format(number)} ${unit}${number === 1 ? "" : "s"}`;
}

/**
 * Lists the limits of this service that the API text does not state, each read from where it is enforced.
 *
 * @param inForce Those that the service was started with
 */
export function listServiceLimits(
  {
    failedAttempts = FAILED_ATTEMPTS,
    maxRequests = MAX_REQUESTS,
    answerTimeout = ANSWER_TIMEOUT,
    signIn = true,
  }: LimitsInForce = {},
) {
  return [
    {
      what: "Failed attempts to get access, of one address or for one serial number",
      allowed: failedAttempts === Infinity
        ? "not limited"
        : `${count.format(failedAttempts)} within a minute`,
      beyond: "429 with Retry-After; a valid key still works",
    },
    {
      what: "Direct downloads of climate data at the same time, of one licence",
      allowed: count.format(MAX_ACTIVE_DOWNLOADS),
      beyond: "406 with Retry-After; orders wait in a queue instead",
    },
    {
      what: "Distance from the location of an order to the nearest point with data",
      allowed: `${MAX_ORDER_DISTANCE} km`,
      beyond: "404, no data found",
    },
    {
      what: "How long the address of an ordered file is valid",
      allowed: formatDuration(ADDRESS_LIFETIME),
      beyond: "the order is shown as delivered; order again",
    },
    ...(signIn
      ? [{
        what: "Use of the address that signs in a browser on the machine of the service",
        allowed: `once, within ${formatDuration(TOKEN_LIFETIME)}`,
        beyond: "401; start the service again for another address",
      }]
      : []),
    {
      what: "Length of an identifier",
      allowed: `${MAX_IDENTIFIER_LENGTH} characters`,
      beyond: "422",
    },
    {
      what: "Length of an address with its query",
      allowed: `${count.format(MAX_URL_LENGTH)} characters`,
      beyond: "414",
    },
    {
      what: "Headers of a request",
      allowed: `${MAX_HEADERS} of ${count.format(MAX_HEAD_BYTES)} bytes in all`,
      beyond: "400 without a body",
    },
    { what: "Body of a request", allowed: "any", beyond: "ignored" },
    {
      what: "Orders of one licence that wait to be built",
      allowed: count.format(MAX_UNFINISHED_ORDERS),
      beyond: "429 with Retry-After",
    },
    {
      what: "Keys of one licence that were requested",
      allowed: count.format(MAX_REQUESTED_KEYS),
      beyond: "the oldest of them ends",
    },
    {
      what: "Requests under way at the same time",
      allowed: `${count.format(maxRequests)}, ${100 * LICENCE_SHARE} % of them of one licence`,
      beyond: "503 with Retry-After",
    },
    {
      what: "Time until an answer begins",
      allowed: formatDuration(answerTimeout),
      beyond: "503 with Retry-After",
    },
    {
      what: "Time for which a reader may leave an answer unread",
      allowed: `${formatDuration(READER_TIMEOUT)}, ${
        formatDuration(READING_TIMEOUT)
      } for the whole`,
      beyond: "the answer ends in the middle; ask for the rest, or again",
    },
  ];
}
