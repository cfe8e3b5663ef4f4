/**
 * One suite of the login throttle, for counters in memory and in a store that several servers share.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { beforeEach, describe, it } from "@std/testing/bdd";
import type { Attempts } from "../../../src/storage/store/attempts.ts";
import { FAILED_ATTEMPTS, LoginThrottle } from "../../../src/service/limits/login_throttle.ts";
import { Refusal } from "../../../src/storage/jobs/refusal.ts";

const MINUTE = 60_000;

/**
 * Describes the throttle.
 *
 * @param name Name of the counter
 * @param open Makes a new counter
 */
export function loginThrottleSuite(
  name: string,
  open: (now: () => number) => Attempts,
): void {
  describe(`LoginThrottle with ${name}`, () => {
    let time: number;
    let counter: Attempts;
    let attempts: LoginThrottle;

    beforeEach(() => {
      time = 1e6;
      counter = open(() => time);
      attempts = new LoginThrottle(counter);
    });

    const fill = async (...names: string[]) => {
      for (let i = 0; i < FAILED_ATTEMPTS; i++) await attempts.count(...names);
    };

    /** Seconds that a refusal names. */
    async function readPause(attempt: () => Promise<unknown>): Promise<number | undefined> {
      const refusal = await assertRejects(attempt, Refusal);
      assertEquals([refusal.meaning, refusal.status], ["too_many_requests", 429]);
      return refusal.retryAfter;
    }

    it("allows ten failures a minute, and then names the pause", async () => {
      assertEquals(FAILED_ATTEMPTS, 10);
      await fill("a");
      assertEquals(await readPause(() => attempts.count("a")), 60);
      time += MINUTE - 1;
      assertEquals(await readPause(() => attempts.count("a")), 1);
      time += 1;
      await fill("a");
    });

    it("counts the last minute at every moment, not from one minute to the next", async () => {
      for (let i = 0; i < FAILED_ATTEMPTS; i++, time += 1000) await attempts.count("a");
      assertEquals(await readPause(() => attempts.count("a")), 50);
      time += 50_000;
      await attempts.count("a");
      assertEquals(await readPause(() => attempts.count("a")), 1);
    });

    it("does not prolong the pause by refused attempts", async () => {
      await fill("a");
      for (let i = 0; i < 100; i++, time += 500) await readPause(() => attempts.count("a"));
      time = 1e6 + MINUTE;
      await attempts.count("a");
    });

    it("does not count attempts that are taken back, even twice or late", async () => {
      for (let i = 0; i < 100; i++) {
        const takeBack = await attempts.count("a", "b");
        await takeBack();
        await takeBack();
      }
      const takeBack = await attempts.count("a");
      await fill("b");
      time += 2 * MINUTE;
      await attempts.count("c");
      await takeBack();
      await fill("a");
      await readPause(() => attempts.count("a"));
    });

    it("takes back one of several attempts in the same millisecond", async () => {
      const takeBacks = [];
      for (let i = 0; i < FAILED_ATTEMPTS; i++) takeBacks.push(await attempts.count("a"));
      await takeBacks[0]();
      await takeBacks[1]();
      for (let i = 0; i < 2; i++) await attempts.count("a");
      await readPause(() => attempts.count("a"));
    });

    it("counts an attempt before its result is known, so concurrent attempts are no way around", async () => {
      const takeBacks = await Promise.all(
        Array.from({ length: FAILED_ATTEMPTS }, () => attempts.count("a")),
      );
      await readPause(() => attempts.count("a"));
      await takeBacks[0]();
      await attempts.count("a");
    });

    it("counts names separately, and refuses if one of several has too many", async () => {
      await fill("a");
      await attempts.count("b");
      await readPause(() => attempts.count("b", "a"));
      for (let i = 0; i < FAILED_ATTEMPTS - 1; i++) await attempts.count("b"); // the refused one did not count
      await readPause(() => attempts.count("b"));
    });

    it("counts concurrent attempts exactly", async () => {
      const all = await Promise.allSettled(
        Array.from({ length: 3 * FAILED_ATTEMPTS }, () => attempts.count("a", "b")),
      );
      const counted = all.filter(({ status }) => status === "fulfilled");
      assertEquals(counted.length, FAILED_ATTEMPTS);
    });

    it("has no limit if it is infinite, and then remembers no attempts", async () => {
      const unlimited = new LoginThrottle(counter, Infinity);
      for (let i = 0; i < 1000; i++) await unlimited.count("a");
      await fill("a");
    });

    describe("forClient()", () => {
      const at = (address: string) => attempts.forClient(() => address);

      it("counts by address", async () => {
        for (let i = 0; i < FAILED_ATTEMPTS; i++) await at("192.0.2.1").countUnknownKey();
        await readPause(() => at("192.0.2.1").countUnknownKey());
        await at("192.0.2.2").countUnknownKey();
      });

      it("counts customers by serial number from all addresses, and by address for all numbers", async () => {
        for (let i = 0; i < FAILED_ATTEMPTS; i++) await at(`192.0.2.${i}`).countCustomer("S-1");
        await readPause(() => at("192.0.2.100").countCustomer("S-1"));
        for (let i = 0; i < FAILED_ATTEMPTS; i++) {
          await at("198.51.100.1").countCustomer(`S-${i + 2}`);
        }
        await readPause(() => at("198.51.100.1").countCustomer("S-100"));
      });

      it("counts keys and customers separately: after wrong keys a new one can be requested", async () => {
        for (let i = 0; i < FAILED_ATTEMPTS; i++) await at("192.0.2.1").countUnknownKey();
        await at("192.0.2.1").countCustomer("S-1");
      });
    });
  });
}
