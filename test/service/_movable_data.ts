/**
 * A data directory with everything that can be moved, and all answers of its services, to compare storages.
 *
 * @module
 */
import type { OperationId } from "../../src/api/operations/operation.ts";
import { KEY_HEADER, operationOf, operations } from "../../src/api/operations/operations.ts";
import { openFiles } from "../../src/machines/shared_storage.ts";
import { Orders } from "../../src/service/fulfilment/orders.ts";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { readSite } from "../../src/sites/import_site.ts";
import { storeSite } from "../../src/sites/fleet/store_site.ts";
import { issueKey, issueLocalKey } from "../../src/service/licences/licences.ts";
import { createApp } from "../../src/service/routing/app.ts";
import { openStorage, type Storage, type StorageHandle } from "../../src/storage/storage.ts";
import { type BuiltOrder, isBuilt, type Order } from "../../src/storage/store/orders.ts";
import { migratePostgres } from "../../src/machines/postgres/postgres_schema.ts";
import { openPostgresStore } from "../../src/machines/postgres/postgres_store.ts";
import type { S3Server } from "../_s3.ts";
import { DATASET, ORDERED } from "./_answers.ts";
import { inlineJobs, inlineOrders } from "./_inline_orders.ts";
import { monthsBetween } from "./_published.ts";
import { buildPath } from "./_sample.ts";
import { makeSite } from "../sites/_site.ts";
import type { Licence } from "../../src/storage/store/licences.ts";

const ORIGIN = "http://wind.test";

/** A past and a far future instant, milliseconds since 1970 UTC. */
const [ENDED, LATER] = [1e12, 4e12];

/** Keys by their licences. */
export type MovableKeys = Readonly<Record<"all" | "some" | "expired" | "none" | "local", string>>;

function licence(serialNumber: string, licenceFields: Partial<Licence> = {}): Licence {
  const email = `${serialNumber}@example.com`;
  return { serialNumber, email, expires: null, turbines: null, datasets: null, ...licenceFields };
}

/** Opens a shared storage; a new database gets its tables. */
export async function openShared(
  database: string,
  files: string,
  { environment }: S3Server,
): Promise<StorageHandle> {
  await migratePostgres(database);
  const store = await openPostgresStore(database);
  const opened = await openFiles(files, (name) => environment[name]);
  const close = async () => {
    opened.close();
    await store.close();
  };
  return { store, files: opened, close, [Symbol.asyncDispose]: close };
}

/** Imports a site of an example with scaled hourly production; another factor revises its months. */
export async function importSite(
  storage: Storage,
  name: string,
  turbine: string,
  factor: number,
): Promise<void> {
  const site = await makeSite();
  const [declared] = site.declared.turbines;
  const turbines = [{ ...declared, id: turbine, name: `${turbine} "Ø"` }];
  site.declared = { ...site.declared, site: name, turbines };
  await site.editColumn("production.csv", "power", (kw) => kw && `${factor * Number(kw)}`);
  await storeSite(await readSite(await readSiteFile(await site.siteFile())), storage);
  await Deno.remove(site.folder, { recursive: true });
}

/** Number of orders in the data directory. */
export const ORDERS = 10;

async function fillOrders({ store, files }: Storage): Promise<void> {
  // each for another place, because equal orders would be joined
  const put = (
    id: string,
    lat: number,
    orderFields: Partial<BuiltOrder> | Partial<Order>,
    filetype = "csv",
  ) =>
    store.orders.place({
      ...{ id, serialNumber: "S-all", serviceId: DATASET, state: "placed" },
      ...{ parameters: { ...ORDERED, lat, filetype } },
      ...orderFields,
    } as Order, 0);
  await put("built", 55.5, { state: "approved" });
  const orders = inlineOrders(store, files);
  await orders.resume();
  let built = await store.orders.get("built");
  while (!isBuilt(built!)) {
    await new Promise((resolve) => setTimeout(resolve)); // gives the order's work a turn
    built = await store.orders.get("built");
  }
  await orders.close();
  const { file } = built;
  for (const [id, serialNumber] of [["placed", "S-all"], ["p2", "S-some"], ["p3", "local"]]) {
    await put(id, 55.5, { serialNumber }, "zipcsv");
  }
  await put("approved", 55.41, { state: "approved" }, "zipraw");
  await put("failed", 55.42, { state: "failed" });
  await put("complete", 55.43, { state: "complete", token: "c", file, expires: LATER });
  const ended = { file: `${"0".repeat(64)}.csv`, expires: ENDED };
  await put("ended", 55.44, { state: "delivered", token: "e", ...ended });
  const delivered = { state: "delivered", expires: LATER } as const;
  await put("delivered", 55.45, { ...delivered, token: "d", file });
  const other = await files.put(new TextEncoder().encode("of another"), "csv");
  await put("o", 55.46, { ...delivered, serialNumber: "S-some", token: "o", file: other });
}

/**
 * Makes a data directory: two sites with revised months, licences for all, some and no turbines, one that has ended, and orders
 * in every state, whose addresses are valid, or over.
 *
 * @returns Keys of its licences
 */
export async function makeMovableData(data: string): Promise<MovableKeys> {
  await using storage = await openStorage(data, { create: true });
  await importSite(storage, "coast", "E1", 1);
  await importSite(storage, "coast", "E1", 0.95);
  await importSite(storage, "hill", "E2", 0.9);
  const { licences } = storage.store;
  const of = async (licenceRecord: Licence) => {
    await licences.put(licenceRecord);
    return await issueKey(licenceRecord, licences);
  };
  const keys = {
    all: await of(licence("S-all", { expires: "2999-12-31" })),
    some: await of(licence("S-some", { turbines: ["E2"] })),
    expired: await of(licence("S-expired", { expires: "2020-12-31" })),
    none: await of(licence("S-none", { turbines: [], datasets: [] })),
    local: await issueLocalKey(licences),
  };
  await fillOrders(storage);
  return keys;
}

/** A request; without a key unless one is given. */
interface Question {
  readonly path: string;
  readonly key?: keyof MovableKeys;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Accepted values of every operation but `order_status` and `api_key`, which have many. */
const VALUES: Readonly<Record<OperationId, Readonly<Record<string, string | number>>>> = {
  turbines: {},
  turbine_details: { turbine_id: "E1" },
  model_data: { turbine_id: "E1", start_date: "2023-03-20", end_date: "2023-04-02" },
  wind_indices: { turbine_id: "E1" },
  monthly_index: { turbine_id: "E1", year: 2023, month: 5 },
  datasets: {},
  coverage: { service_id: DATASET, lat: 55.5, lon: 8 },
  place_order: { ...ORDERED, filetype: "zipcsv" }, // joins the order that its licence has placed
  order_status: { order_id: "placed" },
  download_climate: ORDERED,
  report_turbines: {},
  report_months: { turbine_id: "E1" },
  monthly_report: { turbine_id: "E1", period: "2023-05" },
  api_key: { serial_number: "S-all", email: "nobody@example.com" },
};

/** Request for all hours: without dates. */
const WHOLE = { start_date: "1940-01-01", end_date: "2030-12-01" };

/** All requests: all operations, with every licence and with none, valid and invalid, and the files of orders. */
function listQuestions(): Question[] {
  const keys = ["all", "some", "expired", "none", "local", undefined] as const;
  const of = (id: OperationId, parameters: Record<string, string | number>) =>
    buildPath(operationOf(id), { ...VALUES[id], ...parameters });
  const all = (path: string): Question => ({ path, key: "all" });
  const months = monthsBetween("2023-01", "2023-12");
  const orders = ["built", "placed", "approved", "failed", "complete", "delivered", "ended"];
  const file = (token: string) => `/onlinedata-services/climatefile/${token}/${DATASET}.csv`;
  return [
    ...operations.flatMap(({ id }) => keys.map((key) => ({ path: of(id, {}), key }))),
    ...operations.flatMap(({ id, parameters }) => [
      ...parameters.some(({ name }) => name === "turbine_id")
        ? ["E2", "E3"].flatMap((turbine) => [
          all(of(id, { turbine_id: turbine })),
          { path: of(id, { turbine_id: turbine }), key: "some" as const },
        ])
        : [],
      ...parameters.some(({ name }) => name === "service_id")
        ? [
          all(of(id, { service_id: "era6" })),
          all(of(id, { lat: 91 })),
          all(of(id, { lat: -30 })),
          all(of(id, { filetype: "xls" })),
        ]
        : [],
    ]),
    ...["zipcsv", "zipraw"].map((filetype) => all(of("download_climate", { filetype }))),
    ...months.flatMap((period) => [
      all(of("monthly_index", { year: period.slice(0, 4), month: Number(period.slice(5)) })),
      ...[-1, 1, 2, 3].map((revision) => all(of("monthly_report", { period, revision }))),
    ]),
    all(of("model_data", WHOLE)),
    {
      ...all(of("model_data", { ...WHOLE, turbine_id: "E2" })),
      headers: { "accept-encoding": "gzip" },
    },
    ...[...orders, "o", "unknown"].map((id) => all(of("order_status", { order_id: id }))),
    { path: of("api_key", { serial_number: "S-expired", email: "S-expired@example.com" }) },
    ...["d", "o", "c", "e", "unknown"].flatMap((token) => [
      { path: file(token), method: "HEAD" },
      { path: file(token), headers: { range: "bytes=100-199" } },
      { path: file(token) },
    ]),
  ];
}

/** A service in this process. */
export interface Place {
  /** All answers, each with status, all headers and the body, by request. */
  answers(keys: MovableKeys): Promise<Record<string, string>>;
  /** Sends a request. */
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Ends the service, and closes its storage. */
  close(): Promise<void>;
}

/** Serves a storage; orders take no steps by themselves. */
export async function servePlace({ store, files, close }: StorageHandle): Promise<Place> {
  const jobs = inlineJobs(store, files);
  const orders = new Orders(store, { run: jobs.run.bind(jobs), close: () => Promise.resolve() });
  await orders.close();
  const app = createApp({ store, files, jobs, orders }, { failedAttempts: Infinity });
  const ask = async (
    path: string,
    headers: Readonly<Record<string, string>> = {},
    method = "GET",
  ) => await app(new Request(ORIGIN + path, { headers, method }));
  return {
    ask,
    async answers(keys) {
      const answers: Record<string, string> = {};
      for (const { path, key, headers, method = "GET" } of listQuestions()) {
        const allHeaders = key === undefined ? headers : { ...headers, [KEY_HEADER]: keys[key] };
        const answer = await ask(path, allHeaders, method);
        const body = new TextDecoder("latin1").decode(await answer.bytes());
        answers[JSON.stringify([method, path, key, headers])] = `${answer.status} ${
          JSON.stringify([...answer.headers])
        } ${body}`;
      }
      return answers;
    },
    async close() {
      await jobs.close();
      await close();
    },
  };
}
