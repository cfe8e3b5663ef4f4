import { ArgumentError } from "../../api/errors.ts";
import { problemWithDate } from "../../api/calendar.ts";
import { operationOf } from "../../api/operations/operations.ts";
import { problemWith } from "../../api/operations/parameter.ts";
import { renewReplaced, wantedFiles } from "../../sites/keep/named_files.ts";
import { formatCommand } from "../../storage/format_command.ts";
import {
  formatStorage,
  openStorage,
  type Storage,
  type StorageAddress,
} from "../../storage/storage.ts";
import { issueKey, LOCAL_LICENCE } from "./licences.ts";
import type { Licence, LicenceEntry, Licences, StoredKey } from "../../storage/store/licences.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { joinNames } from "../../show/text/numbers.ts";
import { sitesOf } from "../../sites/keep/sites.ts";

/** Licence for {@linkcode addLicence}. */
export interface NewLicence {
  /** The customer's serial number. */
  readonly serialNumber: string;
  /** The customer's e-mail address: with both, the customer gets keys at /apikey. */
  readonly email: string;
  /** Last day of validity, `2026-12-31`; without it the licence does not end. */
  readonly expires?: string;
  /** Turbines that it covers, empty for none; without it all, future ones included. */
  readonly turbines?: readonly string[];
  /** Datasets that it covers, empty for none; without it all, future ones included. */
  readonly datasets?: readonly string[];
}

/** Options of {@linkcode addLicence}. */
export interface AddLicenceOptions {
  /** Replaces the licence with this serial number; its keys stay, with the rights of the new one. @default {false} */
  replace?: boolean;
  /** Issues a first key. @default {true} */
  key?: boolean;
}

/** Result of {@linkcode addLicence}. */
export interface AddedLicence {
  /** The licence as stored. */
  readonly licence: Licence;
  /** Whether it replaced one with this serial number. */
  readonly replaced: boolean;
  /** The issued key. Only its hash is stored, so it is never returned again. */
  readonly key?: string;
}

/** Largest number of names that a message lists; more are counted. */
const MAX_NAMED = 30;

/** Why a licence cannot be added, with a remedy; `undefined` if it can. */
type Problem = readonly [problem: string, hint: string] | undefined;

function findUnknown(
  kind: "turbine" | "dataset",
  wanted: readonly string[] = [],
  known: readonly string[],
  data: StorageAddress,
): Problem {
  const unknown = [...new Set(wanted).difference(new Set(known))].map((name) => `"${name}"`);
  return unknown.length === 0 ? undefined : [
    `${formatStorage(data)} has no ${kind} ${unknown.join(", ")}`,
    known.length
      ? `Choose from its ${kind}s: ${joinNames(known, MAX_NAMED)}`
      : `It has no ${kind}s`,
  ];
}

/** Finds a serial number or e-mail that a customer cannot send to /apikey. */
function findCustomerProblem({ serialNumber, email }: NewLicence): Problem {
  for (const parameter of operationOf("api_key").parameters) {
    const [label, value] = parameter.name === "email"
      ? ["e-mail", email]
      : ["serial number", serialNumber];
    const problem = problemWith(parameter, value) ??
      (value.trim() === value ? null : "it begins or ends with a space");
    if (!problem) continue;
    return [
      `the ${label} ${JSON.stringify(value)} is not valid: ${problem}`,
      `Give the ${label} as the customer would type it`,
    ];
  }
  if (serialNumber !== LOCAL_LICENCE.serialNumber) return undefined;
  return [
    "this is the serial number of the local licence, which belongs to the owner of the data directory",
    `Choose another serial number. For a key of the local licence: ${
      formatCommand("serve --new-key")
    }`,
  ];
}

function findExpiryProblem({ expires }: NewLicence): Problem {
  if (expires === undefined) return undefined;
  const problem = problemWithDate(expires);
  if (problem) {
    return [
      `the last day "${expires}" is not valid: ${problem}`,
      "Give the day as YYYY-MM-DD, or omit it for a licence without an end",
    ];
  }
  const today = Temporal.Now.plainDateISO("UTC").toString();
  return expires >= today ? undefined : [
    `its last day ${expires} is before today, ${today}`,
    `Give a later day. To end a licence at once: ${formatCommand("licence revoke SERIAL")}`,
  ];
}

const OPTIONS = declareOptions<AddLicenceOptions>()("", { replace: false, key: true });

/**
 * Adds a licence to a data directory, and issues its first key. A running service knows it immediately.
 *
 * @param data The data directory, or the addresses of a shared storage
 * @param wanted Serial number, e-mail, last day, turbines and datasets
 * @param options Whether to replace one, and to issue a key
 * @throws {ArgumentError} If it is not valid, names an unknown turbine or dataset, or exists; then nothing changes
 * @throws {ConfigurationError} If there is no data directory
 */
export async function addLicence(
  data: StorageAddress,
  wanted: NewLicence,
  options: AddLicenceOptions = {},
): Promise<AddedLicence> {
  const { replace, key } = readOptions("addLicence()", options, OPTIONS);
  const { serialNumber, email, expires } = wanted;
  const refuse = (objection: Problem) => {
    if (!objection) return;
    const [problem, hint] = objection;
    throw new ArgumentError(
      `Cannot add the licence ${JSON.stringify(serialNumber)}: ${problem}`,
      { hint },
    );
  };
  refuse(findCustomerProblem(wanted) ?? findExpiryProblem(wanted));
  await using storage = await openStorage(data);
  const { licences } = storage.store;
  const sites = sitesOf(storage.store);
  const replaced = await licences.get(serialNumber) !== undefined;
  if (replaced && !replace) {
    refuse([
      "it already exists",
      "To keep its keys, replace the licence with --replace. To end its keys, revoke the licence first",
    ]);
  }
  const datasets = (await sites.datasets()).map(({ serviceId }) => serviceId);
  refuse(
    findUnknown("turbine", wanted.turbines, await sites.turbineIds(), data) ??
      findUnknown("dataset", wanted.datasets, datasets, data),
  );
  const listOnce = (names?: readonly string[]) => names ? [...new Set(names)] : null;
  const licence: Licence = {
    serialNumber,
    email,
    expires: expires ?? null,
    turbines: listOnce(wanted.turbines),
    datasets: listOnce(wanted.datasets),
  };
  await licences.put(licence);
  return key
    ? { licence, replaced, key: await issueKey(licence, licences) }
    : { licence, replaced };
}

/**
 * The licences of a data directory, by serial number, with how many keys each has; never a key.
 *
 * @param data The data directory, or the addresses of a shared storage
 * @throws {ConfigurationError} If there is no data directory
 */
export async function listLicences(data: StorageAddress): Promise<LicenceEntry[]> {
  await using storage = await openStorage(data);
  return await storage.store.licences.all();
}

/** @throws {ArgumentError} If there is no such licence */
async function checkKnown(
  licences: Licences,
  serialNumber: string,
  action: string,
  data: StorageAddress,
): Promise<void> {
  if (await licences.get(serialNumber)) return;
  const known = (await licences.all()).map(({ licence }) => licence.serialNumber);
  throw new ArgumentError(
    `Cannot ${action} the licence ${JSON.stringify(serialNumber)}: ${
      formatStorage(data)
    } has no licence with this serial number`,
    {
      hint: known.length
        ? `Give one of the serial numbers ${joinNames(known, MAX_NAMED)}`
        : "It has no licences",
    },
  );
}

/**
 * The keys of a licence that have not ended, in the order in which they were issued; never a key itself.
 *
 * @param data The data directory, or the addresses of a shared storage
 * @param serialNumber Which licence
 * @throws {ArgumentError} If there is no such licence
 * @throws {ConfigurationError} If there is no data directory
 */
export async function listKeys(data: StorageAddress, serialNumber: string): Promise<StoredKey[]> {
  await using storage = await openStorage(data);
  const { licences } = storage.store;
  await checkKnown(licences, serialNumber, "list the keys of", data);
  return await licences.keys(serialNumber);
}

/**
 * Ends a key of a licence immediately, also in a running service; its other keys stay.
 *
 * @param data The data directory, or the addresses of a shared storage
 * @param serialNumber Which licence
 * @param start First characters of its hash
 * @throws {ArgumentError} If not exactly one key of the licence is named
 * @throws {ConfigurationError} If there is no data directory
 */
export async function revokeKey(
  data: StorageAddress,
  serialNumber: string,
  start: string,
): Promise<void> {
  await using storage = await openStorage(data);
  const { licences } = storage.store;
  const keys = await licences.keys(serialNumber);
  const [match, another] = keys.filter(({ hash }) => start !== "" && hash.startsWith(start));
  if (match && !another) return void await licences.removeKeys(serialNumber, match.hash);
  const fault = match ? "several keys begin with this text" : "no key begins with this text";
  throw new ArgumentError(`Cannot revoke the key "${start}" of "${serialNumber}": ${fault}`, {
    hint: `List the keys with: ${formatCommand("licence keys SERIAL")}`,
  });
}

/** Removes a licence with its orders, whose files stay for a day: a backup may have its rows already. */
async function removeLicence(
  { store, files }: Storage,
  serialNumber: string,
): Promise<number | undefined> {
  // If a row is damaged, the licence still ends, and no file is removed.
  const now = await store.now();
  const before = await wantedFiles(store, now).catch(() => undefined);
  const keys = await store.licences.remove(serialNumber);
  if (before) {
    const wanted = new Set(await wantedFiles(store, now));
    await renewReplaced(new Set(before).difference(wanted), files);
  }
  return keys;
}

/**
 * Ends a licence of a data directory immediately, with all its keys, orders and download addresses, also for a service
 * that runs on the directory. The local licence, which belongs to the owner of the data directory, loses only its keys.
 *
 * @param data The data directory, or the addresses of a shared storage
 * @param serialNumber Which licence
 * @returns How many keys ended with it
 * @throws {ArgumentError} If there is no such licence
 * @throws {ConfigurationError} If there is no data directory
 */
export async function revokeLicence(
  data: StorageAddress,
  serialNumber: string,
): Promise<number> {
  await using storage = await openStorage(data);
  const { licences } = storage.store;
  if (serialNumber === LOCAL_LICENCE.serialNumber) return await licences.removeKeys(serialNumber);
  const keys = await removeLicence(storage, serialNumber);
  if (keys === undefined) await checkKnown(licences, serialNumber, "revoke", data);
  return keys ?? 0;
}
