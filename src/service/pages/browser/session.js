/**
 * Whether this browser is signed in: it then sends the key in a cookie that no script can read.
 *
 * @module
 */

/** Element that names the addresses, if the service has them. */
const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-session]"));

/** Finds out whether the browser is signed in. */
export async function isSignedIn() {
  if (!place) return false;
  const answer = await fetch(/** @type {string} */ (place.dataset.session), { cache: "no-store" })
    .catch(() => undefined);
  return answer?.ok === true && (await answer.json()).signed_in === true;
}

/** Signs the browser out, and ends its key; false if the service refuses. */
export async function signOut() {
  const address = /** @type {string} */ (place?.dataset.signOut);
  return (await fetch(address, { cache: "no-store" })).ok;
}
