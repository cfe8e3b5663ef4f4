/**
 * The service on the SYNTHETIC sample, over HTTP, with licences of several kinds. All tests that only read share its
 * folder, so each site is made once.
 *
 * @module
 */
import type { Operation } from "../../src/api/operations/operation.ts";
import { KEY_HEADER, operationOf } from "../../src/api/operations/operations.ts";
import { sha256 } from "../../src/disk/hashes.ts";
import { homePath } from "../../src/disk/home.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { issueKey, issueLocalKey } from "../../src/service/licences/licences.ts";
import { SAMPLE_FOLDER } from "../../src/sample/sample_world.ts";
import { serve } from "../../src/service/running/serve.ts";
import { openSample, type OpenServiceOptions } from "../../src/service/running/service.ts";
import type { Store } from "../../src/storage/store/store.ts";
import type { Licence } from "../../src/storage/store/licences.ts";

/** Folder of the sample that tests share; named by its version, so an old one is never served. */
export const SHARED_SAMPLE: string = homePath(`for-tests-${SAMPLE_FOLDER}`);

/** A day that is over. */
export const OVER = "2020-12-31";

/** Keys by their special property. */
export interface Keys {
  /** Covers everything. */
  readonly full: string;
  /** Of a licence for no turbine and no dataset. */
  readonly nothing: string;
  /** Of a licence for T2 only. */
  readonly t2: string;
  /** Of an expired licence. */
  readonly expiredLicence: string;
  /** Expired, although its licence is valid. */
  readonly expiredKey: string;
  /** Was never issued. */
  readonly unknown: string;
}

function licence(name: string, licenceFields: Partial<Licence> = {}): Licence {
  return {
    serialNumber: `test-${name}`,
    email: `${name}@example.com`,
    expires: null,
    turbines: null,
    datasets: null,
    ...licenceFields,
  };
}

/** Licences that the shared sample knows, by name. */
export const licences = {
  valid: licence("valid"),
  nothing: licence("nothing", { turbines: [], datasets: [] }),
  t2: licence("t2", { turbines: ["T2"] }),
  ends: licence("ends", { expires: "2999-12-31" }),
  over: licence("over", { expires: OVER }),
};

/** Puts the licences into a store and issues their keys. */
export async function issueKeys(store: Store): Promise<Keys> {
  for (const entry of Object.values(licences)) await store.licences.put(entry);
  const expiredKey = crypto.getRandomValues(new Uint8Array(32)).toHex();
  await store.licences.addKey({
    hash: sha256(expiredKey),
    serialNumber: licences.valid.serialNumber,
    expires: OVER,
  });
  return {
    full: await issueLocalKey(store.licences),
    nothing: await issueKey(licences.nothing, store.licences),
    t2: await issueKey(licences.t2, store.licences),
    expiredLicence: await issueKey(licences.over, store.licences),
    expiredKey,
    unknown: crypto.getRandomValues(new Uint8Array(32)).toHex(),
  };
}

/** A request as tests give it: path and query, key, method. */
export interface Ask {
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer, read whole. */
export interface AnswerText {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly text: string;
}

/** The sample over HTTP. */
export interface ServedSample {
  readonly url: string;
  readonly keys: Keys;
  /** All answers so far. */
  readonly answers: readonly AnswerText[];
  /** An address that signs a browser in. */
  issueSignInUrl(): string;
  /** A key of a new licence that covers everything: no other test has orders there. */
  newLicence(): Promise<string>;
  /** Sends a request to a path, and reads the answer whole. */
  ask(path: string, how?: Ask): Promise<AnswerText>;
  close(): Promise<void>;
}

/** Serves the shared sample on a free port; by default without a limit on failed attempts. */
export async function serveSample(
  options: OpenServiceOptions = {},
  folder: string = SHARED_SAMPLE,
): Promise<ServedSample> {
  const service = await openSample({ failedAttempts: Infinity, ...options, folder });
  const server = serve(service);
  const { store } = await openStorage(folder);
  const keys = await issueKeys(store);
  await store.close();
  const answers: AnswerText[] = [];
  return {
    url: server.url,
    keys,
    answers,
    issueSignInUrl: () => server.issueSignInUrl()!,
    newLicence: async () => {
      const { store } = await openStorage(folder);
      try {
        const newLicence = licence(crypto.randomUUID());
        await store.licences.put(newLicence);
        return await issueKey(newLicence, store.licences);
      } finally {
        await store.close();
      }
    },
    ask: async (path, { key, method = "GET", headers: others = {} } = {}) => {
      const headers = key === undefined ? { ...others } : { ...others, [KEY_HEADER]: key };
      const response = await fetch(server.url + path, { method, headers, redirect: "manual" });
      const bytes = await response.bytes();
      const text = new TextDecoder().decode(bytes);
      const answered = { status: response.status, headers: response.headers, bytes, text };
      answers.push(answered);
      return answered;
    },
    close: () => server.close(),
  };
}

/** Path and query of an operation, with unchecked values. */
export function buildPath(
  operation: Operation,
  values: Readonly<Record<string, string | number | undefined>>,
): string {
  let { path } = operation;
  const query = new URLSearchParams();
  for (const parameter of operation.parameters) {
    const value = values[parameter.name];
    if (value === undefined) continue;
    if (parameter.in === "query") query.set(parameter.name, String(value));
    else path = path.replace(`{${parameter.name}}`, () => encodeURIComponent(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Values for each operation that the sample answers with 200; for order_status only the name. */
export const validValues: Readonly<
  Record<Operation["id"], Readonly<Record<string, string | number>>>
> = {
  turbines: {},
  turbine_details: { turbine_id: "T1" },
  model_data: { turbine_id: "T1", start_date: "2024-01-01", end_date: "2024-01-08" },
  wind_indices: { turbine_id: "T1" },
  monthly_index: { turbine_id: "T1", year: 2024, month: 5 },
  datasets: {},
  coverage: { service_id: "era5", lat: 55.6, lon: 7.9, num_points: 4 },
  place_order: {
    service_id: "era5",
    lat: 55.5,
    lon: 7.75,
    start_year: 2023,
    end_year: 2023,
    filetype: "csv",
  },
  order_status: { order_id: "an order placed before" },
  download_climate: {
    service_id: "era5",
    lat: 55.5,
    lon: 7.75,
    start_year: 2023,
    end_year: 2023,
    filetype: "zipcsv",
  },
  report_turbines: {},
  report_months: { turbine_id: "T1" },
  monthly_report: { turbine_id: "T1", period: "2024-05" },
  api_key: { serial_number: licences.valid.serialNumber, email: licences.valid.email },
};

let climate: Promise<void> | undefined; // made once for all tests of a file

/** Makes the climate points of the shared sample, which the first request for them creates. */
export function makeSharedClimate(): Promise<void> {
  return climate ??= (async () => {
    const service = await openSample({ folder: SHARED_SAMPLE, trusted: true });
    const { lat, lon } = validValues.place_order;
    const values = { service_id: "era5", lat, lon, num_points: 4 };
    const path = buildPath(operationOf("coverage"), values);
    await (await service.fetch(new Request(`http://127.0.0.1${path}`))).body?.cancel();
    await service.close();
  })();
}
