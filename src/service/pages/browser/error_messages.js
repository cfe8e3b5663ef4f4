/**
 * Messages about errors: what went wrong, and what to do.
 *
 * @module
 */
import { RefusalError } from "./service.js";

/** Of a turbine that has no calibration. */
export const NOT_CALIBRATED =
  "No index yet: the turbine is not calibrated. Its index appears here after an import of its production.";

/** @type {Readonly<Record<string, string>>} */
const ACCESS_MESSAGES = {
  licence_expired:
    "This key was not accepted: it is not known, or its licence has ended. Check it for a typing error, or ask the operator of this service for a new one.",
  no_data:
    "The key is right, but its licence covers no turbine. Ask the operator of this service which turbines it should cover.",
};

/** @type {Readonly<Record<string, string>>} */
const MESSAGES = {
  unreachable:
    "The service did not answer. Check that it is running and that you are connected, then try again.",
  unreadable:
    "The answer is not from this service. Check whether a sign-in page or a proxy is in between.",
  faulty:
    "This page could not show the answer. Reload it; if that does not help, tell the operator of this service.",
  licence_expired: "The licence has ended. Reload the page and enter a new key.",
  no_data: "There is no index of this turbine yet.",
};

/**
 * @param {unknown} error
 * @param {Readonly<Record<string, string>>} own
 */
function findMessage(error, own) {
  if (!(error instanceof RefusalError)) {
    reportError(error); // a fault of this page: logged to the console
    return MESSAGES.faulty;
  }
  const { meaning, status, retryAfter } = error;
  const message = own[meaning] ?? MESSAGES[meaning];
  if (message) return message;
  if (meaning === "too_many_requests") {
    return `There were too many attempts. Wait ${retryAfter ?? "60"} seconds, then try again.`;
  }
  return `The service failed (status ${status}). Try again in a minute; if that does not help, tell the operator of this service.`;
}

/**
 * Describes why the turbines of a key cannot be shown.
 *
 * @param {unknown} error
 */
export function describeAccessError(error) {
  return findMessage(error, ACCESS_MESSAGES);
}

/**
 * Describes why one turbine cannot be shown.
 *
 * @param {unknown} error
 */
export function describeTurbineError(error) {
  return findMessage(error, {});
}
