/**
 * Data directories of an older program: brought up to the schema of today as a whole or not at all, readable before the
 * next import, recalibrated by it.
 *
 * @module
 */
import { putSite } from "../../../../src/sites/keep/put_site.ts";
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../../../../src/api/errors.ts";
import { openStorage } from "../../../../src/storage/storage.ts";
import {
  openSqliteStore,
  SCHEMA_VERSION,
} from "../../../../src/storage/store/sqlite/open_sqlite_store.ts";
import type { Licence } from "../../../../src/storage/store/licence.ts";
import type { Order } from "../../../../src/storage/store/order.ts";
import type { StoredMonth } from "../../../../src/sites/keep/site_record.ts";
import { readAnswers, toJson } from "../_contents.ts";
import { dataset, point, site } from "../_records.ts";
import { importFile, type TestSite } from "../../../sites/_site.ts";
import {
  makeOldData,
  makeOldSite,
  makeSealedData,
  OLD_MODEL,
  OLD_VERSIONS,
  readOldAnswers,
} from "../../../service/_old_data.ts";
import {
  mapRevisions,
  type PublishedFigures,
  readPublished,
  reportPath,
  withAsk,
} from "../../../service/_published.ts";
import { sitesOf } from "../../../../src/sites/keep/sites.ts";
import { listSiteFiles } from "../../../../src/sites/keep/named_files.ts";

const licence: Licence = {
  serialNumber: "S-1",
  email: "a@example.com",
  expires: "2030-12-31",
  turbines: ["E1"],
  datasets: null,
};

const order: Order = {
  id: "order-1",
  serialNumber: "S-1",
  serviceId: "example-climate",
  parameters: { lat: 55.5, start_year: 2020 },
  state: "complete",
  token: "t",
  file: "0f.csv",
  expires: 1e12,
};

function withDatabase<T>(path: string, body: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path);
  try {
    return body(database);
  } finally {
    database.close();
  }
}

const versionOf = (path: string) =>
  withDatabase(path, (database) => database.prepare("PRAGMA user_version").get()!.user_version);

/** Columns of every table, in their order. */
const columnsOf = (path: string) =>
  withDatabase(path, (database) =>
    database.prepare(
      `SELECT tables.name AS "table", columns.name, columns.type, columns."notnull", columns.dflt_value, columns.pk
       FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' ORDER BY tables.name, columns.cid`,
    ).all().map((row) => ({ ...row })));

/** Indices by name, with their statements. */
const indicesOf = (path: string) =>
  withDatabase(path, (database) =>
    database.prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name",
    ).all().map((row) => ({ ...row })));

/** All rows of every table. */
const contentOf = (path: string) =>
  withDatabase(path, (database) =>
    Object.fromEntries(
      database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all().map((
        { name },
      ) => [
        name as string,
        database.prepare(`SELECT * FROM ${name}`).all().map((row) => ({ ...row })),
      ]),
    ));

describe("a data directory", () => {
  for (const version of OLD_VERSIONS) {
    it(`of version ${version} comes to the tables of today, in one step and once`, async () => {
      const data = await Deno.makeTempDir();
      const [path, fresh] = [`${data}/vindkit.sqlite`, `${data}/fresh.sqlite`];
      try {
        await makeOldData(data, version);
        assertEquals(versionOf(path), version);
        await (await openSqliteStore(path)).close();
        assertEquals(versionOf(path), SCHEMA_VERSION);
        await (await openSqliteStore(fresh)).close();
        assertEquals(columnsOf(path), columnsOf(fresh));
        assertEquals(indicesOf(path), indicesOf(fresh));
        const migrated = contentOf(path);
        await (await openSqliteStore(path)).close();
        assertEquals(contentOf(path), migrated);
      } finally {
        await Deno.remove(data, { recursive: true });
      }
    });
  }
});

describe("a data directory of version 3", () => {
  let data: string;
  let rows: ReturnType<typeof contentOf>;

  beforeEach(async () => {
    data = await Deno.makeTempDir();
    await makeOldData(data, 3);
    rows = contentOf(`${data}/vindkit.sqlite`);
  });
  afterEach(async () => await Deno.remove(data, { recursive: true }));

  it("keeps each month of each revision as it was published", async () => {
    const { store } = await openStorage(data);
    try {
      for (const row of rows.months) {
        const [year, month, revision] = [row.year, row.month, row.revision].map(Number);
        const stored = (await sitesOf(store).month("E1", year, month, revision))!;
        assertEquals({ turbine_id: "E1", ...stored }, row);
      }
      assertEquals(rows.months.length, 18 + 24);
    } finally {
      await store.close();
    }
  });

  it("keeps its reports, with a scaling that is not fitted any more", async () => {
    const { revisions } = await readPublished(data);
    const [first, second] = rows.calibrations.map((row) => JSON.parse(row.record as string));
    assertEquals([first, second].map(({ calibration }) => calibration.scaling.kind), [
      "factor",
      "linear",
    ]);
    for (const [own, name] of [[first, "2023-05 1"], [second, "2023-05 2"]] as const) {
      const { calibration, intervals, notes, reference_period } = revisions.get(name)!;
      const { scaling: { kind, ...parameters }, k, candidates, hours, periods } = own.calibration;
      assertEquals([calibration.revision, calibration.k, calibration.scaling], [
        own.revision,
        k,
        kind,
      ]);
      assertEquals(
        calibration.parameters,
        Object.entries<number>(parameters).map(([name, value]) => ({ name, value })),
      );
      // The engine of then applied the power curve as it is, and knew one reanalysis.
      assertEquals(calibration.smoothing, 0);
      assertEquals(calibration.reanalyses, []);
      assertEquals(
        calibration.candidates,
        candidates.map((candidate: { kind: string; error: number }) => ({
          scaling: candidate.kind,
          smoothing: 0,
          error: 100 * candidate.error,
        })),
      );
      assertEquals([calibration.hours, calibration.periods], [hours, periods.length]);
      const { draws, seed, longTerm } = own.uncertainty;
      assertEquals(intervals, { level: intervals!.level, draws, seed, parts: null });
      assertEquals(reference_period.mean_annual_production_low, longTerm.low / 1000);
      assertEquals(notes, own.notes);
    }
  });

  it("keeps its hourly model", async () => {
    await withAsk(data, async (ask) => {
      const text = await (await ask("/wind-index/calibrated/model_data/E1")).text();
      const [header, ...lines] = text.trimEnd().split("\n").map((line) => line.split(","));
      const at = header.indexOf("power");
      assertEquals(lines.map((fields) => Number(fields[at])), [...OLD_MODEL.power]);
    });
  });
});

describe("a data directory of version 1", () => {
  let site: TestSite;
  let data: string;
  let path: string;

  let base: string; // the same directory, as version 3 kept it
  let before: PublishedFigures;

  beforeAll(async () => {
    base = await Deno.makeTempDir();
    await makeOldData(base, 3);
    before = await readPublished(base);
  });
  afterAll(async () => await Deno.remove(base, { recursive: true }));
  beforeEach(async () => {
    site = await makeOldSite();
    data = await Deno.makeTempDir();
    path = `${data}/vindkit.sqlite`;
    await makeOldData(data, 1);
  });
  afterEach(async () => {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(data, { recursive: true });
  });

  it("keeps all of its data", async () => {
    const { store: later } = await openStorage(base);
    const points = await sitesOf(later).points("example-climate");
    const datasets = await sitesOf(later).datasets();
    const fingerprint = await sitesOf(later).fingerprint("example");
    await later.close();
    const { store } = await openStorage(data);
    try {
      assertEquals(await store.world(), "own");
      assertEquals(await store.licences.get("S-1"), licence);
      assertEquals((await store.licences.findByKey("0c"))?.licence, licence);
      assertEquals(await store.orders.get("order-1"), order);
      assertEquals(await store.orders.findByToken("t"), order);
      assertEquals(await sitesOf(store).points("example-climate"), points);
      assertEquals(await sitesOf(store).datasets(), datasets);
      assertEquals(await sitesOf(store).fingerprint("example"), fingerprint);
      const withoutInterval = (month: StoredMonth) => ({
        ...month,
        predicted_production_low: null,
        predicted_production_high: null,
      });
      const plain = (months: readonly StoredMonth[]) => months.map((month) => ({ ...month }));
      assertEquals(plain(await sitesOf(store).months("E1")), before.months.map(withoutInterval));
      // The edition with which a month came is that of its calibration.
      const early = await sitesOf(store).months("E1", 1);
      assert(early.every(({ edition, revision }) => edition === 1 && revision === 1));
      assertEquals(early.length, 18);
    } finally {
      await store.close();
    }
  });

  it("has of each calibration what is known, and null or nothing for the rest", async () => {
    const known = before.turbine.calibration!;
    const { store } = await openStorage(data);
    try {
      const stored = (await sitesOf(store).turbine("E1"))!;
      assertEquals([stored.edition, stored.calibration!.revision], [2, 2]);
      assertEquals(await sitesOf(store).calibration("E1", 2), stored.calibration!);
      for (const revision of [1, 2]) {
        const calibration = (await sitesOf(store).calibration("E1", revision))!;
        const { k, scaling, candidates, periods } = calibration.calibration;
        assertEquals([calibration.revision, scaling], [revision, { kind: "factor", k }]);
        assertEquals([candidates, calibration.findings], [[], []]);
        assertEquals([calibration.meanAnnualEnergy, calibration.uncertainty], [null, null]);
        assertEquals(calibration.basis, { declaration: "", engine: "2", hours: [], periods: [] });
        assertEquals(periods.length, 12);
      }
      const { calibration, notes, referenceYears, trainingStart, trainingEnd } = stored
        .calibration!;
      assertEquals(calibration.k, known.calibration.k);
      assertEquals([notes, referenceYears], [known.notes, known.referenceYears]);
      assertEquals([trainingStart, trainingEnd], [known.trainingStart, known.trainingEnd]);
    } finally {
      await store.close();
    }
  });

  it("is served: every answer fits its resource, with null for unknown values", async () => {
    const { details, table, records, reports, revisions } = await readPublished(data);
    assertEquals(details, before.details);
    for (const [month, row] of before.table) {
      const none = { predicted_production_low: "", predicted_production_high: "" };
      assertEquals(table.get(month), { ...row, ...none }, month);
      assertEquals(records.get(month)!.predicted_production_low, null, month);
    }
    assertEquals([...revisions.keys()], [...before.revisions.keys()]);
    for (const [name, report] of revisions) {
      const { calibration, reference_period, indices } = report;
      const [low, high] = [indices.predicted_production_low, indices.predicted_production_high];
      assertEquals([low, high, calibration.k_low, calibration.k_high], [null, null, null, null]);
      assertEquals([calibration.candidates, calibration.findings], [[], []]);
      assertEquals(calibration.scaling, "factor");
      assertEquals(calibration.parameters, [{ name: "k", value: calibration.k }]);
      const { first_year, last_year, ...unknown } = reference_period;
      assertEquals(new Set(Object.values(unknown)), new Set([null]));
      const known = before.revisions.get(name)!;
      assertEquals([first_year, last_year], [
        known.reference_period.first_year,
        known.reference_period.last_year,
      ]);
      assertEquals(calibration.periods, known.calibration.periods);
      assertEquals(report.notes, known.notes);
      assertEquals(
        report.history.map(({ period, revision, monthIndex }) => [period, revision, monthIndex]),
        known.history.map(({ period, revision, monthIndex }) => [period, revision, monthIndex]),
        name,
      );
    }
    assertEquals(reports.size, 24);
    await withAsk(data, async (ask) => {
      const model = await ask("/wind-index/calibrated/model_data/E1?end_date=2023-01-08");
      assertEquals(model.status, 200);
      await model.body!.cancel();
      assertEquals((await ask(reportPath("E1", "2024-05", 3))).status, 404);
    });
  });

  it("is recalibrated by the next import, which keeps the reference period", async () => {
    const before = await readPublished(data);
    const { unchanged, turbines: [{ outcome }] } = await importFile(await site.siteFile(), data);
    assertEquals([unchanged, outcome], [false, "other engine"]);
    const after = await readPublished(data);
    const { calibration, edition } = after.turbine;
    assertEquals([calibration!.revision, edition], [3, 3]);
    assertEquals(calibration!.referenceYears, before.turbine.calibration!.referenceYears);
    assertNotEquals(calibration!.uncertainty, null);
    assert(calibration!.basis.hours.length === 1);
    for (const [name, report] of before.revisions) {
      assertEquals(after.revisions.get(name), report, name);
    }
    // From then on it holds.
    await site.edit("climate.csv", (text) => text.replace(/\n[^\n]*\n$/, "\n"));
    assertEquals((await importFile(await site.siteFile(), data)).turbines[0].outcome, "unchanged");
  });

  it("gets intervals with the next import: a revision of months that had none", async () => {
    const before = await readPublished(data);
    await importFile(await site.siteFile(), data);
    const after = await readPublished(data);
    for (const [month, { indices, calibration }] of after.reports) {
      assertEquals(typeof indices.predicted_production_low, "number", month);
      assertEquals(typeof calibration.k_low, "number", month);
    }
    const next = Object.entries(mapRevisions(before)).map(([month, own]) => [month, own + 1]);
    assertEquals(mapRevisions(after), Object.fromEntries(next));
  });

  it("knows a turbine without production", async () => {
    site.declared.turbines[0].production = [];
    site.declared.turbines[0].id = "E2";
    site.declared.site = "other";
    site.declared.dataset.service_id = "other-climate";
    withDatabase(path, (database) =>
      database.exec(`
        INSERT INTO sites VALUES ('other', '');
        INSERT INTO turbines SELECT 'E2', 'other', json_set(record, '$.turbine.id', 'E2',
          '$.site', 'other', '$.calibration', NULL, '$.modelFile', NULL) FROM turbines`));
    const { turbine, details } = await readPublished(data, "E2");
    assertEquals([turbine.edition, turbine.calibration, details.data_ready], [0, null, false]);
    assertEquals((await importFile(await site.siteFile(), data)).unchanged, false);
    assertEquals((await readPublished(data, "E2")).turbine.edition, 1);
  });

  it("counts editions on for a turbine that has lost its production", async () => {
    withDatabase(path, (database) =>
      // as the older program left them: months without figures, of the calibration that is gone
      database.exec(`
        UPDATE turbines SET record = json_set(record, '$.calibration', NULL, '$.modelFile', NULL);
        INSERT INTO months SELECT turbine_id, year, month, max(revision) + 1, 2,
          NULL, NULL, NULL, NULL, NULL, NULL, 0, 'final' FROM months GROUP BY year, month`));
    assertEquals((await readPublished(data)).turbine.calibration, null);
    await importFile(await site.siteFile(), data);
    const { turbine, months } = await readPublished(data);
    const latest = Math.max(...months.map(({ edition }) => edition));
    assertEquals(turbine.edition, latest);
    assert(latest > 2, `edition ${latest} comes after 2`);
  });

  it("stays unchanged where a record cannot be migrated", async () => {
    withDatabase(
      path,
      (database) =>
        database.exec(`UPDATE calibrations SET record = '{"revision":' WHERE revision = 2`),
    );
    const before = contentOf(path);
    await assertRejects(() => openSqliteStore(path), ConfigurationError, path);
    assertEquals(versionOf(path), 1);
    assertEquals(contentOf(path), before);
    assertEquals(
      withDatabase(
        path,
        (database) =>
          database.prepare(
            "SELECT count(*) AS n FROM pragma_table_info('months') WHERE name = 'edition'",
          )
            .get()!.n,
      ),
      0,
    );
    // Once it is whole again, it is brought up.
    withDatabase(path, (database) => database.exec("DELETE FROM calibrations WHERE revision = 2"));
    await (await openSqliteStore(path)).close();
    assertEquals(versionOf(path), SCHEMA_VERSION);
    assertEquals((await readPublished(data)).reports.size, 24);
  });

  it("is brought up by the first of two openings, and read by both", async () => {
    const [first, second] = await Promise.all([openSqliteStore(path), openSqliteStore(path)]);
    try {
      assertEquals(await sitesOf(second).turbine("E1"), await sitesOf(first).turbine("E1"));
      assertEquals(await sitesOf(second).months("E1"), await sitesOf(first).months("E1"));
    } finally {
      await first.close();
      await second.close();
    }
  });
});

describe("a database of version 2", () => {
  it("is migrated: no key ends before its renewed licence any more", async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/vindkit.sqlite`;
    await makeOldData(folder, 2);
    withDatabase(path, (database) => database.exec("UPDATE api_keys SET expires = '2020-12-31'"));

    const again = await openSqliteStore(path);
    assertEquals((await again.licences.findByKey("0c"))!.key.expires, null);
    await again.close();
    assertEquals(versionOf(path), SCHEMA_VERSION);
    await Deno.remove(folder, { recursive: true });
  });
});

describe("a database of version 5", () => {
  it("that is damaged is refused, and not sealed as it is", async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/vindkit.sqlite`;
    await makeSealedData(path, 5);
    const set = (expires: string) =>
      withDatabase(
        path,
        (database) =>
          database.exec(`UPDATE licences SET expires = '${expires}' WHERE serial_number = 'S-1'`),
      );
    set("2999-12-31");
    await assertRejects(() => openSqliteStore(path), Error, "a row of licences is damaged");
    assertEquals(versionOf(path), 5);
    set(licence.expires!);
    await (await openSqliteStore(path)).close();
    assertEquals(versionOf(path), SCHEMA_VERSION);
    await Deno.remove(folder, { recursive: true });
  });
});

describe("a database of version 6", () => {
  it("that had one point of two sites has that of each again once they are stored, and the same figures", async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/vindkit.sqlite`;
    await makeSealedData(path, 6);
    const store = await openSqliteStore(path);
    await store.verify();
    const sites = sitesOf(store);
    const listFiles = async (site: string) =>
      (await listSiteFiles(store.documents, site)).map(({ name }) => name).sort();
    assertEquals(await listFiles("coast"), ["0a.parquet", "0b.parquet", "0d.parquet"]);
    assertEquals(await listFiles("hill"), []);
    for (const site of ["coast", "hill"]) assertEquals(await sites.fingerprint(site), "");
    assertEquals((await sites.points("era5")).map(({ attribution }) => attribution), [
      dataset.attribution,
      dataset.attribution,
    ]);
    assertEquals((await sites.turbine("T1"))!.attribution, dataset.attribution);
    const [, ...turbines] = toJson(await readAnswers(store)) as unknown[];
    const [, ...before] = await readOldAnswers() as unknown[];
    const figures = (all: unknown[]) => all.slice(0, 3).map((own) => (own as unknown[]).slice(1));
    assertEquals(figures(turbines), figures(before));
    await putSite(
      store,
      site({
        site: "hill",
        points: [{ ...point, file: "0e.parquet" }],
        turbines: [],
        keptTurbines: ["B"],
      }),
    );
    assertEquals(await listFiles("hill"), ["0e.parquet"]);
    assertEquals((await listFiles("coast")).length, 3);
    await store.close();
    await Deno.remove(folder, { recursive: true });
  });
});

describe("a database of version 7", () => {
  it("R6: has keys of which is not known when and how they were issued, which stay valid", async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/vindkit.sqlite`;
    await makeSealedData(path, 7);
    const store = await openSqliteStore(path);
    const { licences } = store;
    const [key] = await licences.keys("S-2"); // its way was "request", which version 7 did not know
    assertEquals([key.hash, key.issued, key.way], ["0d", null, null]);
    assertEquals((await licences.findByKey("0d"))!.licence.serialNumber, "S-2");
    await store.close();
    assertEquals(versionOf(path), SCHEMA_VERSION);
    await Deno.remove(folder, { recursive: true });
  });
});

describe("a database of version 8, the last with tables of its own for everything", () => {
  it("has the same answers as documents, and no old table", async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/vindkit.sqlite`;
    await makeSealedData(path, 8);
    const store = await openSqliteStore(path);
    await store.verify();
    assertEquals(toJson(await readAnswers(store)), await readOldAnswers());
    await store.close();
    assertEquals(Object.keys(contentOf(path)).sort(), ["contents", "documents", "lists"]);
    await Deno.remove(folder, { recursive: true });
  });
});

describe("a database", () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    path = `${folder}/vindkit.sqlite`;
    await makeOldData(folder, 1);
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  for (const version of [SCHEMA_VERSION + 1, 99, -1]) {
    it(`of version ${version} is refused, and left as it is`, async () => {
      withDatabase(path, (database) => database.exec(`PRAGMA user_version = ${version}`));
      const columns = columnsOf(path);
      await assertRejects(
        () => openSqliteStore(path),
        ConfigurationError,
        `Cannot open ${path}: its schema has version ${version}, this version reads ${SCHEMA_VERSION}`,
      );
      assertEquals([versionOf(path), columnsOf(path)], [version, columns]);
    });
  }

  it("of version 1 without a row comes to that of today", async () => {
    const tables = Object.keys(contentOf(path));
    withDatabase(path, (database) => {
      database.exec("PRAGMA foreign_keys = OFF");
      for (const table of tables) database.exec(`DELETE FROM ${table}`);
      database.exec("INSERT INTO about VALUES ('world', 'sample')");
    });
    const store = await openSqliteStore(path);
    assertEquals([await store.world(), await sitesOf(store).turbineIds()], ["sample", []]);
    await store.close();
    assertEquals(versionOf(path), SCHEMA_VERSION);
  });
});
