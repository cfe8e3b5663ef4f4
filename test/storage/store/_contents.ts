/**
 * All contents of a store, for comparing two stores.
 *
 * @module
 */
import { putSite } from "../../../src/sites/keep/put_site.ts";
import { listSiteFiles, type NamedFile, wantedFiles } from "../../../src/sites/keep/named_files.ts";
import type { Store } from "../../../src/storage/store/store.ts";
import type { Draft } from "../../../src/storage/store/documents.ts";
import { bareTurbine, licence, month, order, point, site, turbine } from "./_records.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

/** Fills every table of a store, with revisions, editions, special characters, signs and ends. */
export async function fillStore(store: Store): Promise<void> {
  const far = { ...point, latitude: -3.125, longitude: 179.9, elevation: 12.5, file: "0d.parquet" };
  const first = site({
    siteFile: '/srv/wind/å "site".json',
    points: [point, far],
    turbines: [turbine("T1", [month(1), month(2)]), turbine('Ø"\\{}, NULL', [month(1)])],
  });
  await putSite(store, first);
  await putSite(
    store,
    site({
      site: "hill",
      points: [{ ...point, hours: 1, file: "0e.parquet" }],
      turbines: [bareTurbine("B")],
    }),
  );
  const changed = month(1, { month_index: 0.1 + 0.2, predicted_production: null });
  await putSite(store, {
    ...first,
    fingerprint: "2",
    turbines: [turbine("T1", [changed, month(2), month(3)]), first.turbines[1]],
  });
  await store.licences.put(licence);
  await store.licences.put({ ...licence, serialNumber: "S-2", expires: null, turbines: null });
  await store.licences.addKey({ hash: "0c", serialNumber: "S-1", expires: "2999-12-31" });
  await store.licences.addKey({ hash: "0d", serialNumber: "S-2", expires: null, way: "request" });
  await store.orders.place({ ...order, id: "z" }, 0);
  const delivered = { state: "delivered", token: "t", file: "0f.csv", expires: 1e12 } as const;
  await store.orders.place({ ...order, ...delivered, id: "a", serialNumber: "S-2" }, 0);
  await store.orders.place({ ...order, id: "m", serialNumber: "S-2" }, 0);
}

/** Reads the documents of all kinds. */
export async function readDocuments(store: Store): Promise<Record<string, Draft[]>> {
  const byKind: Record<string, Draft[]> = {};
  await store.snapshot((kind, documents) => {
    (byKind[kind] ??= []).push(...documents);
    return Promise.resolve();
  });
  return byKind;
}

function sortNames(files: readonly NamedFile[]): string[] {
  return files.map(({ name }) => name).sort();
}

/** Converts answers for JSON: a map to its entries, undefined to null. */
export function toJson(answers: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answers, (_, value) => value instanceof Map ? [...value] : value),
  );
}

/** Returns the answers of all reading methods. */
export async function readAnswers(store: Store): Promise<unknown[]> {
  const { licences, orders } = store;
  const sites = sitesOf(store);
  const ids = await sites.turbineIds();
  const ofTurbine = (id: string) =>
    Promise.all([
      sites.turbine(id),
      sites.months(id),
      sites.months(id, 1),
      sites.month(id, 2023, 1),
      sites.month(id, 2023, 1, 1),
      sites.calibration(id, 1),
    ]);
  return [
    ids,
    ...await Promise.all(ids.map(ofTurbine)),
    ...await Promise.all([
      store.world(),
      wantedFiles(store, 1e12).then((names) => names.sort()),
      sites.version(),
      sites.nextTurbineIds("B", 9),
      sites.findTurbineIds(ids),
      sites.turbines(ids),
      sites.fleetMonths(ids),
      sites.lastMonths(ids),
      sites.datasets(),
      sites.dataset("era5"),
      sites.points("era5"),
      listSiteFiles(store.documents).then(sortNames),
      listSiteFiles(store.documents, "hill").then(sortNames),
      sites.siteFiles(),
      ...["coast", "hill"].flatMap((site) => [sites.fingerprint(site), sites.edition(site)]),
      licences.all(),
      licences.get("S-1"),
      licences.findByKey("0c"),
      licences.findByKey("0d"),
      licences.keys("S-2"),
      ...["z", "a", "m"].map((id) => orders.get(id)),
      orders.findByToken("t"),
      orders.unfinished(),
    ]),
  ];
}
