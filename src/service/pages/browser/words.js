/**
 * What went wrong, in plain words, and what to do.
 *
 * @module
 */
import { Refused } from "./ask.js";

/** Of a turbine that has no calibration. */
export const NOT_CALIBRATED =
  "No index yet: the turbine is not calibrated. Its index appears here after an import of its production.";

/** @type {Readonly<Record<string, string>>} */
const OF_ACCESS = {
  licence_expired:
    "This key was not accepted: it is not known, or its licence has ended. Check it for a slip, or ask whoever runs this service for a new one.",
  no_data:
    "The key is right, but its licence covers no turbine. Ask whoever runs this service which turbines it should cover.",
};

/** @type {Readonly<Record<string, string>>} */
const OF_ALL = {
  unreachable:
    "The service did not answer. Check that it is running and that you are connected, then try again.",
  unreadable:
    "What came back is no answer of this service. Check whether something stands between you and it, such as a sign-in page.",
  faulty:
    "This page could not show what came back. Reload it; if it stays so, tell whoever runs this service.",
  licence_expired: "The licence has ended. Reload the page and enter a new key.",
  no_data: "There is no index of this turbine yet.",
};

/**
 * @param {unknown} error
 * @param {Readonly<Record<string, string>>} own
 */
function words(error, own) {
  if (!(error instanceof Refused)) {
    reportError(error); // a fault of this page: the console has it, and whoever looks at it is not left waiting
    return OF_ALL.faulty;
  }
  const { meaning, status, retryAfter } = error;
  const said = own[meaning] ?? OF_ALL[meaning];
  if (said) return said;
  if (meaning === "too_many_requests") {
    return `There were too many attempts. Wait ${retryAfter ?? "60"} seconds, then try again.`;
  }
  return `The service failed (status ${status}). Try again in a minute; if it stays so, tell whoever runs this service.`;
}

/**
 * Why the turbines of a key cannot be shown.
 *
 * @param {unknown} error
 */
export function wordsOfAccess(error) {
  return words(error, OF_ACCESS);
}

/**
 * Why one turbine cannot be shown.
 *
 * @param {unknown} error
 */
export function wordsOfTurbine(error) {
  return words(error, {});
}
