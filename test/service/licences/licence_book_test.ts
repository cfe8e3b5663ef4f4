import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { ArgumentError, ConfigurationError } from "../../../src/api/errors.ts";
import { sha256 } from "../../../src/disk/hashes.ts";
import { KEY_HEADER } from "../../../src/api/operations/operations.ts";
import { claimFiles, removeOrphanFiles } from "../../../src/sites/keep/named_files.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import {
  addLicence,
  listKeys,
  listLicences,
  type NewLicence,
  revokeKey,
  revokeLicence,
} from "../../../src/service/licences/licence_book.ts";
import { keyTable, licenceTable } from "../../../src/service/licences/licence_table.ts";
import { issueKey, issueLocalKey } from "../../../src/service/licences/licences.ts";
import { serve } from "../../../src/service/running/serve.ts";
import { openService } from "../../../src/service/running/service.ts";
import { makeSmallData } from "../_small_data.ts";

const ann = { serialNumber: "S-1", email: "Ann@example.com" };

/** A day so far from today in UTC. */
function day(distance: number): string {
  return Temporal.Now.plainDateISO("UTC").add({ days: distance }).toString();
}

describe("the licences of a data directory", () => {
  let data: string;

  beforeEach(async () => {
    data = await Deno.makeTempDir();
    await makeSmallData(data);
  });
  afterEach(async () => await Deno.remove(data, { recursive: true }));

  async function readRefusal(call: Promise<unknown>): Promise<string> {
    return (await assertRejects(() => call, ArgumentError)).message;
  }

  describe("addLicence()", () => {
    it("adds one for everything without an end, with its first key", async () => {
      const { licence, replaced, key } = await addLicence(data, ann);
      assertEquals(licence, { ...ann, expires: null, turbines: null, datasets: null });
      assertEquals(replaced, false);
      assertMatch(key!, /^[0-9a-f]{64}$/);
      assertEquals(await listLicences(data), [{ licence, keys: 1 }]);
    });

    it("adds one with an end, turbines and datasets without duplicates, and without a key on request", async () => {
      const limits = { expires: day(0), turbines: ["T2", "T1", "T2"], datasets: [] };
      const { licence, key } = await addLicence(data, { ...ann, ...limits }, { key: false });
      assertEquals(licence, { ...ann, ...limits, turbines: ["T2", "T1"] });
      assertEquals(key, undefined);
      assertEquals(await listLicences(data), [{ licence, keys: 0 }]);
    });

    it("replaces one only on request, and keeps its keys", async () => {
      await addLicence(data, ann);
      const before = await listLicences(data);
      const renewed = { ...ann, email: "b@example.com", turbines: ["T1"] };
      assertEquals(
        await readRefusal(addLicence(data, renewed)),
        'Cannot add the licence "S-1": it already exists. To keep its keys, replace the ' +
          "licence with --replace. To end its keys, revoke the licence first",
      );
      assertEquals(await listLicences(data), before);
      const { licence, replaced } = await addLicence(data, renewed, { replace: true, key: false });
      assertEquals(replaced, true);
      assertEquals(await listLicences(data), [{ licence, keys: 1 }]);
    });

    for (
      const [label, changes, message] of [
        [
          "turbines that are not there",
          { turbines: ["T1", "t2", "T9"] },
          'has no turbine "t2", "T9". Choose from its turbines: T1 and T2',
        ],
        [
          "datasets that are not there",
          { datasets: ["era6"] },
          'has no dataset "era6". Choose from its datasets: era5',
        ],
        [
          "an impossible day",
          { expires: "2027-02-30" },
          "Give the day as YYYY-MM-DD, or omit it for a licence without an end",
        ],
        [
          "a day in another form",
          { expires: "31.12.2027" },
          'the last day "31.12.2027" is not valid',
        ],
        ["a day in the past", { expires: "2020-12-31" }, "its last day 2020-12-31 is before today"],
        [
          "no serial number",
          { serialNumber: "" },
          'the serial number "" is not valid: it is empty',
        ],
        [
          "a serial number with a line end",
          { serialNumber: "S\n" },
          "it has a line break at character 2",
        ],
        [
          "a serial number with a space around",
          { serialNumber: " S" },
          "begins or ends with a space",
        ],
        ["an invalid e-mail", { email: "ann" }, "it is not an e-mail address"],
        ["the local licence", { serialNumber: "local" }, "the serial number of the local licence"],
      ] satisfies [string, Partial<NewLicence>, string][]
    ) {
      it(`refuses ${label}, and does not change the data`, async () => {
        const refusal = await readRefusal(
          addLicence(data, { ...ann, ...changes }, { replace: true }),
        );
        assert(refusal.includes(message), refusal);
        assert(refusal.startsWith("Cannot add the licence "), refusal);
        assertEquals(await listLicences(data), []);
      });
    }

    it("refuses a missing directory, and does not create it", async () => {
      const nowhere = `${data}/nowhere`;
      for (
        const call of [
          () => addLicence(nowhere, ann),
          () => listLicences(nowhere),
          () => revokeLicence(nowhere, "S-1"),
        ]
      ) await assertRejects(call, ConfigurationError, nowhere);
      await assertRejects(() => Deno.stat(nowhere), Deno.errors.NotFound);
    });

    it("F20 stores only the hash of the key", async () => {
      const { key } = await addLicence(data, ann);
      for (const { name, isFile } of Deno.readDirSync(data)) {
        if (!isFile) continue;
        const text = new TextDecoder("latin1").decode(await Deno.readFile(`${data}/${name}`));
        assert(!text.includes(key!), name);
      }
      assert(!JSON.stringify(await listLicences(data)).includes(key!));
    });
  });

  describe("revokeLicence()", () => {
    it("ends a licence and its keys, and returns their number", async () => {
      await addLicence(data, ann);
      await addLicence(data, ann, { replace: true });
      await addLicence(data, { ...ann, serialNumber: "S-2" });
      assertEquals(await revokeLicence(data, "S-1"), 2);
      const remaining = await listLicences(data);
      assertEquals(remaining.map(({ licence, keys }) => [licence.serialNumber, keys]), [[
        "S-2",
        1,
      ]]);
    });

    it("keeps the files of its orders for a day, because a backup may have begun", async () => {
      await addLicence(data, ann);
      await using storage = await openStorage(data);
      const { store, files } = storage;
      await claimFiles(store, files);
      const file = await files.put(new Uint8Array([1]), "csv");
      await store.orders.place({
        ...{ id: "o", serialNumber: "S-1", serviceId: "era5", parameters: {}, file },
        ...{ state: "delivered", token: "t", expires: Date.now() + 1e9 },
      }, Date.now());
      await Deno.utime(files.path(file), 0, 0);
      await revokeLicence(data, "S-1");
      const hours = (n: number) => Date.now() + n * 3_600_000;
      assertEquals(await removeOrphanFiles(store, files, hours(23)), []);
      assertEquals(await removeOrphanFiles(store, files, hours(25)), [file]);
    });

    it("ends a licence even if the stored turbines are damaged", async () => {
      await addLicence(data, ann);
      {
        using database = new DatabaseSync(`${data}/vindkit.sqlite`);
        database.exec(
          "UPDATE contents SET body = replace(body, 'T1', 'T3') WHERE kind = 'turbine'",
        );
      }
      assertEquals(await revokeLicence(data, "S-1"), 1);
    });

    it("refuses an unknown one, and names those that exist", async () => {
      const action =
        `Cannot revoke the licence "S-9": ${data} has no licence with this serial number.`;
      assertEquals(
        await readRefusal(revokeLicence(data, "S-9")),
        `${action} It has no licences`,
      );
      for (let i = 0; i < 32; i++) {
        await addLicence(data, { ...ann, serialNumber: `N-${i + 10}` }, { key: false });
      }
      const refusal = await readRefusal(revokeLicence(data, "S-9"));
      assert(refusal.startsWith(`${action} Give one of the serial numbers N-10, N-11, `), refusal);
      assert(refusal.endsWith("N-39 and 2 more"), refusal);
    });

    it("ends the keys of the local licence, which itself stays", async () => {
      const { store } = await openStorage(data);
      for (let i = 0; i < 3; i++) await issueLocalKey(store.licences);
      await store.close();
      assertEquals(await revokeLicence(data, "local"), 3);
      const remaining = await listLicences(data);
      assertEquals(remaining.map(({ licence, keys }) => [licence.serialNumber, keys]), [[
        "local",
        0,
      ]]);
    });
  });

  describe("listKeys() and revokeKey()", () => {
    it("R6: list keys by their hash with time and way of issue, and end a single one", async () => {
      await addLicence(data, ann);
      const storage = await openStorage(data);
      const keys = [await issueLocalKey(storage.store.licences)];
      const [licence] = await listLicences(data);
      keys.push(await issueKey(licence.licence, storage.store.licences, "request"));
      await storage.close();
      const listed = await listKeys(data, "S-1");
      assertEquals(listed.map(({ way, expires }) => [way, expires]), [
        ["command", null],
        ["request", null],
      ]);
      const hash = sha256(keys[1]);
      assertEquals(listed[1].hash, hash);
      for (const { issued } of listed) assert(Math.abs(issued! - Date.now()) < 60_000);
      assert(!keys.some((key) => JSON.stringify(listed).includes(key)));
      await revokeKey(data, "S-1", hash.slice(0, 12));
      assertEquals(await listKeys(data, "S-1"), [listed[0]]);
      assertEquals((await listKeys(data, "local")).length, 1);
    });

    it("R6: refuse an unknown licence or key, and an ambiguous name", async () => {
      for (let i = 0; i < 17; i++) await addLicence(data, ann, { replace: true }); // of 16 first digits
      const firsts = (await listKeys(data, "S-1")).map(({ hash }) => hash[0]);
      const several = firsts.find((digit, i) => firsts.indexOf(digit) < i)!;
      assertEquals(
        await readRefusal(listKeys(data, "S-9")),
        `Cannot list the keys of the licence "S-9": ${data} has no licence with this serial number. ` +
          "Give one of the serial numbers S-1",
      );
      for (
        const [serialNumber, start, problem] of [
          ["S-1", "", "no key begins with this text"],
          ["S-1", several, "several keys begin with this text"],
          ["S-1", "x", "no key begins with this text"],
          ["S-9", "", "no key begins with this text"],
        ]
      ) {
        assertEquals(
          await readRefusal(revokeKey(data, serialNumber, start)),
          `Cannot revoke the key "${start}" of "${serialNumber}": ${problem}. List the keys with: ` +
            "vindkit licence keys SERIAL (in a checkout: deno task licence keys SERIAL)",
        );
      }
      assertEquals((await listKeys(data, "S-1")).length, 17);
    });
  });

  it("take effect immediately in a running service", async () => {
    const server = serve(await openService(data));
    const ask = async (key: string) => {
      const headers = { [KEY_HEADER]: key };
      const response = await fetch(`${server.url}/wind-index/calibrated/`, { headers });
      const text = await response.text();
      return response.status === 200 ? text : response.status;
    };
    try {
      const { key } = await addLicence(data, { ...ann, turbines: ["T2"] });
      assertEquals(await ask(key!), '[{"turbine_id":"T2"}]');
      await addLicence(data, { ...ann, turbines: ["T1"] }, { replace: true, key: false });
      assertEquals(await ask(key!), '[{"turbine_id":"T1"}]');
      await revokeLicence(data, "S-1");
      assertEquals(await ask(key!), 401);
      const query = new URLSearchParams({ serial_number: ann.serialNumber, email: ann.email });
      const response = await fetch(`${server.url}/apikey?${query}`);
      await response.body?.cancel();
      assertEquals(response.status, 400);
    } finally {
      await server.close();
    }
  });
});

describe("licenceTable()", () => {
  it("shows what each licence covers", () => {
    const licence = { ...ann, expires: null, turbines: null, datasets: [] };
    const local = { serialNumber: "local", email: "", expires: "2030-12-31", datasets: ["era5"] };
    assertEquals(
      licenceTable([
        { licence, keys: 12 },
        { licence: { ...local, turbines: ["T1", "T2"] }, keys: 0 },
      ]),
      [
        "serial number  e-mail           expires     turbines  datasets  keys",
        "S-1            Ann@example.com  never       all       none      12",
        "local          -                2030-12-31  T1, T2    era5      0",
      ].join("\n"),
    );
  });

  it("R6: has a counterpart for keys, with time and way of issue", () => {
    const hash = sha256("a key");
    const [old, current] = [hash, hash.split("").reverse().join("")];
    const issued = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    assertEquals(
      keyTable([
        { hash: old, serialNumber: "S-1", issued: null, expires: null, way: null },
        { hash: current, serialNumber: "S-1", issued, expires: "2030-12-31", way: "sign-in" },
      ]),
      [
        "key           issued                ends          by",
        `${old.slice(0, 12)}  -                     with licence  -`,
        `${current.slice(0, 12)}  2026-01-02T03:04:05Z  2030-12-31    sign-in`,
      ].join("\n"),
    );
  });

  it("is only its header if there are no rows", () => {
    assertEquals(licenceTable([]).split("\n").length, 1);
  });
});
