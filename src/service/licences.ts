import { KEY_HEADER } from "../api/operations.ts";
import { Refusal } from "./refusal.ts";
import { sha256 } from "./store/files.ts";
import type { Licence, Store, StoredTurbine } from "./store/store.ts";

/**
 * Licence of whoever has the data directory: it covers everything and has no end. It has no e-mail, so that nobody
 * gets a key for it by asking.
 */
export const LOCAL_LICENCE: Licence = {
  serialNumber: "local",
  email: "",
  expires: null,
  turbines: null,
  datasets: null,
};

function hashOf(key: string): Promise<string> {
  return sha256(new TextEncoder().encode(key));
}

function isOver(expires: string | null, today: string): boolean {
  return expires !== null && expires < today;
}

function today(): string {
  return Temporal.Now.plainDateISO("UTC").toString();
}

/**
 * The licence of a request.
 *
 * @param key Value of the key header
 * @param store Where licences are kept
 * @throws {Refusal} If there is no key, or it or its licence is unknown or expired
 */
export async function licenceOfRequest(key: string | null, store: Store): Promise<Licence> {
  if (!key) {
    throw new Refusal("licence_expired", `no key was sent. Send it in the header ${KEY_HEADER}`);
  }
  const found = await store.licenceOfKey(await hashOf(key));
  if (!found) throw new Refusal("licence_expired", "the key is not known. Ask for a new one");
  const { licence, key: stored } = found;
  if (isOver(licence.expires, today())) {
    throw new Refusal("licence_expired", `the licence ended on ${licence.expires}`);
  }
  if (isOver(stored.expires, today())) {
    throw new Refusal("licence_expired", `the key ended on ${stored.expires}. Ask for a new one`);
  }
  return licence;
}

/**
 * Makes a key of 256 random bits for a licence; only its hash is kept.
 *
 * @param licence The licence
 * @param store Where its hash is kept
 */
export async function issueKey(licence: Licence, store: Store): Promise<string> {
  const key = crypto.getRandomValues(new Uint8Array(32)).toHex();
  await store.addKey({
    hash: await hashOf(key),
    serialNumber: licence.serialNumber,
    expires: licence.expires,
  });
  return key;
}

/**
 * Finds the licence of a customer.
 *
 * @throws {Refusal} If serial number and e-mail do not belong together, or the licence has ended
 */
export async function licenceOfCustomer(
  serialNumber: string,
  email: string,
  store: Store,
): Promise<Licence> {
  const licence = await store.licence(serialNumber);
  if (!licence?.email || licence.email.toLowerCase() !== email.toLowerCase()) {
    throw new Refusal("invalid_user", "serial number and e-mail do not belong to a licence");
  }
  if (isOver(licence.expires, today())) {
    throw new Refusal("licence_expired", `the licence ended on ${licence.expires}`);
  }
  return licence;
}

/** Issues a key of the local licence, which is made where it is not there. */
export async function issueLocalKey(store: Store): Promise<string> {
  await store.putLicence(LOCAL_LICENCE);
  return await issueKey(LOCAL_LICENCE, store);
}

/** Whether a data directory has its local licence. */
export async function hasLocalLicence(store: Store): Promise<boolean> {
  return await store.licence(LOCAL_LICENCE.serialNumber) !== undefined;
}

/** Whether a licence covers a turbine. */
export function coversTurbine(licence: Licence, { turbine }: StoredTurbine): boolean {
  return licence.turbines === null || licence.turbines.includes(turbine.id);
}

/** Whether a licence covers a dataset. */
export function coversDataset(licence: Licence, serviceId: string): boolean {
  return licence.datasets === null || licence.datasets.includes(serviceId);
}
