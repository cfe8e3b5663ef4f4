import { sha256 } from "../../disk/hashes.ts";
import { KEY_HEADER } from "../../api/operations/operations.ts";
import type { ClientLogins } from "../limits/login_throttle.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import type { KeyWay, Licence, Licences } from "../../storage/store/licences.ts";
import type { Sites } from "../../sites/keep/sites.ts";

/**
 * Licence of the owner of the data directory: it covers everything and does not end. It has no e-mail, so its keys
 * cannot be requested at /apikey.
 */
export const LOCAL_LICENCE: Licence = {
  serialNumber: "local",
  email: "",
  expires: null,
  turbines: null,
  datasets: null,
};

/** Most keys of a licence that a customer can request: the next one ends the oldest. */
export const MAX_REQUESTED_KEYS = 10;

/** Whether a last day, `2026-12-31`, has passed; `null` never does. */
export function hasEnded(expires: string | null): boolean {
  return expires !== null && expires < formatToday();
}

function formatToday(): string {
  return Temporal.Now.plainDateISO("UTC").toString();
}

/**
 * Finds the licence of a request, each time: a revoked one ends with the next request. A known key works even if its
 * client has tried too many unknown ones, so one user cannot shut out another behind the same address.
 *
 * @param key Value of the key header
 * @param attempts Counts unknown keys
 * @throws {Refusal} If there is no key, or it or its licence is unknown or expired
 */
export async function findRequestLicence(
  key: string | null,
  licences: Licences,
  attempts?: ClientLogins,
): Promise<Licence> {
  if (!key) {
    throw new Refusal("licence_expired", `no key was sent. Send it in the header ${KEY_HEADER}`);
  }
  const match = await licences.findByKey(sha256(key));
  if (!match) {
    await attempts?.countUnknownKey();
    throw new Refusal("licence_expired", "the key is unknown. Request a new one");
  }
  const { licence, key: stored } = match;
  if (hasEnded(licence.expires)) {
    throw new Refusal("licence_expired", `the licence ended on ${licence.expires}`);
  }
  if (hasEnded(stored.expires)) {
    throw new Refusal("licence_expired", `the key ended on ${stored.expires}. Request a new one`);
  }
  return licence;
}

/**
 * Issues a key of 256 random bits for a licence; only its hash is stored. If customers request more than
 * {@linkcode MAX_REQUESTED_KEYS} the oldest of these end.
 *
 * @param expires Last day of its validity; `null` for as long as the licence, even if that is renewed
 */
export async function issueKey(
  { serialNumber }: Licence,
  licences: Licences,
  way: KeyWay = "command",
  expires: string | null = null,
): Promise<string> {
  const key = crypto.getRandomValues(new Uint8Array(32)).toHex();
  const hash = sha256(key);
  await licences.addKey({ hash, serialNumber, expires, issued: Date.now(), way });
  if (way !== "request") return key;
  const others = (await licences.keys(serialNumber))
    .filter((one) => one.way === way && one.hash !== hash);
  const oldest = others.slice(0, 1 - MAX_REQUESTED_KEYS);
  for (const one of oldest) await licences.removeKeys(serialNumber, one.hash);
  return key;
}

/**
 * Finds the licence of a customer.
 *
 * @param email The customer's e-mail address, in any case
 * @param attempts Counts wrong pairs; after too many it refuses all pairs, right or wrong
 * @throws {Refusal} If serial number and e-mail do not belong together, or the licence has ended
 */
export async function findCustomerLicence(
  serialNumber: string,
  email: string,
  licences: Licences,
  attempts?: ClientLogins,
): Promise<Licence> {
  const takeBack = await attempts?.countCustomer(serialNumber);
  const licence = await licences.get(serialNumber);
  if (!licence?.email || licence.email.toLowerCase() !== email.toLowerCase()) {
    throw new Refusal("invalid_user", "no licence has this serial number and e-mail address");
  }
  await takeBack?.();
  if (hasEnded(licence.expires)) {
    throw new Refusal("licence_expired", `the licence ended on ${licence.expires}`);
  }
  return licence;
}

/**
 * Issues a key of the local licence, which is created if it is missing.
 *
 * @param expires Last day of its validity; `null` for no end
 */
export async function issueLocalKey(
  licences: Licences,
  way: KeyWay = "command",
  expires: string | null = null,
): Promise<string> {
  await licences.put(LOCAL_LICENCE);
  return await issueKey(LOCAL_LICENCE, licences, way, expires);
}

/** Whether a licence covers a turbine, by its identifier. */
export function coversTurbine(licence: Licence, turbineId: string): boolean {
  return licence.turbines === null || licence.turbines.includes(turbineId);
}

/** Whether a licence covers a dataset. */
export function coversDataset(licence: Licence, serviceId: string): boolean {
  return licence.datasets === null || licence.datasets.includes(serviceId);
}

/** Creates an unguessable name of random bytes, for an order or the token of an address. */
export function createName(bytes = 24): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

/** Turbines read in one step of some milliseconds; other requests are answered in between. */
export const TURBINES_A_PAGE = 500;

/**
 * Lists the turbines that a licence covers, in their order and page by page: a fleet may have a hundred thousand.
 *
 * @returns Identifiers; a page may have none
 */
export async function* listCoveredTurbines(
  { turbines }: Licence,
  sites: Sites,
): AsyncGenerator<readonly string[]> {
  if (turbines === null) {
    const readAfter = (id: string) => sites.nextTurbineIds(id, TURBINES_A_PAGE);
    let page = await readAfter("");
    for (; page.length > 0; page = await readAfter(page.at(-1)!)) yield page;
    return;
  }
  const names = [...new Set(turbines)].sort();
  for (let at = 0; at < names.length; at += TURBINES_A_PAGE) {
    yield await sites.findTurbineIds(names.slice(at, at + TURBINES_A_PAGE));
  }
}
