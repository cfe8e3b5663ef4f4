import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openStorage } from "../../../src/storage/storage.ts";
import { LoginThrottle } from "../../../src/service/limits/login_throttle.ts";
import {
  coversDataset,
  coversTurbine,
  findCustomerLicence,
  findRequestLicence,
  issueKey,
  issueLocalKey,
  LOCAL_LICENCE,
} from "../../../src/service/licences/licences.ts";
import { sha256 } from "../../../src/disk/hashes.ts";
import { Refusal } from "../../../src/storage/jobs/refusal.ts";
import type { Store } from "../../../src/storage/store/store.ts";
import type { Licence } from "../../../src/storage/store/licences.ts";
import { MemoryAttempts } from "../../../src/storage/store/attempts.ts";

const licence: Licence = {
  serialNumber: "S-1",
  email: "Ann@Example.com",
  expires: null,
  turbines: null,
  datasets: null,
};

/** A day so far from today in UTC. */
function day(distance: number): string {
  return Temporal.Now.plainDateISO("UTC").add({ days: distance }).toString();
}

describe("licences", () => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    ({ store } = await openStorage(folder, { create: true }));
  });
  afterEach(async () => {
    await store.close();
    await Deno.remove(folder, { recursive: true });
  });

  async function readMeaning(call: Promise<unknown>): Promise<string> {
    return (await assertRejects(() => call, Refusal)).meaning;
  }

  /** Adds a key that ends on its own last day. */
  async function addKey(expires: string): Promise<string> {
    const key = crypto.randomUUID();
    await store.licences.addKey({ hash: sha256(key), serialNumber: licence.serialNumber, expires });
    return key;
  }

  describe("issueKey()", () => {
    it("makes different keys of 256 bits", async () => {
      await store.licences.put(licence);
      const keys = new Set<string>();
      for (let i = 0; i < 50; i++) keys.add(await issueKey(licence, store.licences));
      assertEquals(keys.size, 50);
      for (const key of keys) assertMatch(key, /^[0-9a-f]{64}$/);
    });

    it("F20 stores only the hash: the key is nowhere on the disk", async () => {
      await store.licences.put(licence);
      const key = await issueKey(licence, store.licences);
      for (const { name } of Deno.readDirSync(folder)) {
        const text = new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/${name}`));
        assert(!text.includes(key), name);
      }
    });

    it("issues keys that are valid as long as their licence, even if that is renewed", async () => {
      const ending = { ...licence, expires: day(-1) };
      await store.licences.put(ending);
      const key = await issueKey(ending, store.licences);
      assertEquals(await readMeaning(findRequestLicence(key, store.licences)), "licence_expired");
      await store.licences.put({ ...licence, expires: day(100) });
      assertEquals((await findRequestLicence(key, store.licences)).expires, day(100));
    });
  });

  describe("findRequestLicence()", () => {
    it("finds the licence of a key", async () => {
      await store.licences.put(licence);
      const key = await issueKey(licence, store.licences);
      assertEquals(await findRequestLicence(key, store.licences), licence);
    });

    it("refuses no key, an empty one and an unknown one", async () => {
      for (const key of [null, "", "0".repeat(64)]) {
        assertEquals(await readMeaning(findRequestLicence(key, store.licences)), "licence_expired");
      }
    });

    it("accepts a key only in its exact case", async () => {
      await store.licences.put(licence);
      const key = await issueKey(licence, store.licences);
      await readMeaning(findRequestLicence(key.toUpperCase(), store.licences));
    });

    for (const [distance, holds] of [[-1, false], [0, true], [1, true]] as const) {
      it(`${holds ? "takes" : "refuses"} a licence whose last day is ${distance} days from now`, async () => {
        await store.licences.put(licence);
        const key = await issueKey(licence, store.licences);
        await store.licences.put({ ...licence, expires: day(distance) });
        const call = findRequestLicence(key, store.licences);
        if (holds) assertEquals((await call).serialNumber, "S-1");
        else assertEquals(await readMeaning(call), "licence_expired");
      });

      it(`${holds ? "takes" : "refuses"} a key whose last day is ${distance} days from now`, async () => {
        await store.licences.put(licence);
        const key = await addKey(day(distance));
        const call = findRequestLicence(key, store.licences);
        if (holds) assertEquals((await call).serialNumber, "S-1");
        else assertEquals(await readMeaning(call), "licence_expired");
      });
    }

    it("counts only unknown keys, no known or expired ones, and always accepts a known one", async () => {
      await store.licences.put(licence);
      const key = await issueKey(licence, store.licences);
      const over = await addKey(day(-1));
      const attempts = new LoginThrottle(new MemoryAttempts(), 2).forClient(() => "nowhere");
      const ask = (key: string | null) => findRequestLicence(key, store.licences, attempts);
      for (let i = 0; i < 5; i++) {
        for (const none of [null, "", over]) {
          assertEquals(await readMeaning(ask(none)), "licence_expired");
        }
        await ask(key);
      }
      const meanings = [];
      for (const unknown of ["a", "b", "c"]) meanings.push(await readMeaning(ask(unknown)));
      assertEquals(meanings, ["licence_expired", "licence_expired", "too_many_requests"]);
      assertEquals(await ask(key), licence);
      assertEquals(await readMeaning(ask(over)), "licence_expired");
    });

    it("F20 shows the key in no refusal", async () => {
      const key = "canary-6b1e";
      const { message } = await assertRejects(
        () => findRequestLicence(key, store.licences),
        Refusal,
      );
      assert(!message.includes(key));
    });
  });

  describe("findCustomerLicence()", () => {
    it("finds the licence by serial number and e-mail, whose case does not matter", async () => {
      await store.licences.put(licence);
      assertEquals(await findCustomerLicence("S-1", "ANN@example.COM", store.licences), licence);
    });

    it("refuses pairs that do not belong together", async () => {
      await store.licences.put(licence);
      for (
        const [number, email] of [["S-1", "b@example.com"], ["s-1", licence.email], [
          "S-2",
          licence.email,
        ]]
      ) {
        assertEquals(
          await readMeaning(findCustomerLicence(number, email, store.licences)),
          "invalid_user",
        );
      }
    });

    it("refuses a licence that has ended", async () => {
      await store.licences.put({ ...licence, expires: day(-1) });
      const call = findCustomerLicence("S-1", licence.email, store.licences);
      assertEquals(await readMeaning(call), "licence_expired");
    });
  });

  describe("the local licence", () => {
    it("is created with its first key, and covers everything without end", async () => {
      const keys = [await issueLocalKey(store.licences), await issueLocalKey(store.licences)];
      for (const key of keys) {
        const licence = await findRequestLicence(key, store.licences);
        assertEquals(licence, LOCAL_LICENCE);
        assert(coversTurbine(licence, "any"));
        assert(coversDataset(licence, "any"));
        assertEquals(licence.expires, null);
      }
    });

    it("belongs to no customer, because it has no e-mail", async () => {
      await issueLocalKey(store.licences);
      const call = findCustomerLicence(
        LOCAL_LICENCE.serialNumber,
        LOCAL_LICENCE.email,
        store.licences,
      );
      assertEquals(await readMeaning(call), "invalid_user");
    });
  });

  describe("what a licence covers", () => {
    it("follows its list, and an empty list covers nothing", () => {
      const some = { ...licence, turbines: ["T1"], datasets: ["era5"] };
      assertEquals([coversTurbine(some, "T1"), coversDataset(some, "era5")], [true, true]);
      assertEquals([coversTurbine(some, "t1"), coversDataset(some, "era")], [
        false,
        false,
      ]);
      const none = { ...licence, turbines: [], datasets: [] };
      assertEquals([coversTurbine(none, "T1"), coversDataset(none, "era5")], [
        false,
        false,
      ]);
    });
  });
});
