import { assert, assertEquals, assertThrows } from "@std/assert";
import { beforeEach, describe, it } from "@std/testing/bdd";
import { FAILED_ATTEMPTS, LoginThrottle } from "../../../src/service/limits/login_throttle.ts";
import { Refusal } from "../../../src/service/responses/refusal.ts";

const MINUTE = 60_000;

describe("LoginThrottle", () => {
  let time: number;
  let attempts: LoginThrottle;
  const now = () => time;

  beforeEach(() => {
    time = 1e6;
    attempts = new LoginThrottle({ now });
  });

  const fill = (...names: string[]) => {
    for (let i = 0; i < FAILED_ATTEMPTS; i++) attempts.count(...names);
  };

  /** Seconds that a refusal names. */
  function readPause(attempt: () => unknown): number | undefined {
    const refusal = assertThrows(attempt, Refusal);
    assertEquals([refusal.meaning, refusal.status], ["too_many_requests", 429]);
    return refusal.retryAfter;
  }

  it("allows ten failed ones a minute, and then names the pause", () => {
    assertEquals(FAILED_ATTEMPTS, 10);
    fill("a");
    assertEquals(readPause(() => attempts.count("a")), 60);
    time += MINUTE - 1;
    assertEquals(readPause(() => attempts.count("a")), 1);
    time += 1;
    fill("a");
  });

  it("counts the last minute at every moment, not from one minute to the next", () => {
    for (let i = 0; i < FAILED_ATTEMPTS; i++, time += 1000) attempts.count("a");
    assertEquals(readPause(() => attempts.count("a")), 50);
    time += 50_000;
    attempts.count("a");
    assertEquals(readPause(() => attempts.count("a")), 1);
  });

  it("does not prolong the pause by attempts that were refused", () => {
    fill("a");
    for (let i = 0; i < 100; i++, time += 500) readPause(() => attempts.count("a"));
    time = 1e6 + MINUTE;
    attempts.count("a");
  });

  it("does not count what is taken back, also twice and late", () => {
    for (let i = 0; i < 100; i++) {
      const takeBack = attempts.count("a", "b");
      takeBack();
      takeBack();
    }
    assertEquals(attempts.size, 0);
    const takeBack = attempts.count("a");
    fill("b");
    time += 2 * MINUTE;
    attempts.count("c");
    takeBack();
    assertEquals(attempts.size, 1);
  });

  it("counts an attempt before its end is known: many at once are no way around", () => {
    const takeBacks = Array.from({ length: FAILED_ATTEMPTS }, () => attempts.count("a"));
    readPause(() => attempts.count("a"));
    takeBacks[0]();
    attempts.count("a");
  });

  it("counts names separately, and refuses where one of several has too many", () => {
    fill("a");
    attempts.count("b");
    readPause(() => attempts.count("b", "a"));
    for (let i = 0; i < FAILED_ATTEMPTS - 1; i++) attempts.count("b"); // the refused one did not count
    readPause(() => attempts.count("b"));
  });

  it("forgets what is over, and remembers no more names than it may", () => {
    attempts = new LoginThrottle({ now, capacity: 3 });
    for (let i = 0; i < 1000; i++) {
      attempts.count(`name ${i}`);
      assert(attempts.size <= 3);
    }
    time += MINUTE;
    attempts.count("another");
    assertEquals(attempts.size, 1);
  });

  it("forgets first the name that was longest without an attempt", () => {
    attempts = new LoginThrottle({ now, capacity: 2, limit: 1 });
    attempts.count("a");
    time += 1;
    attempts.count("b");
    attempts.count("c");
    readPause(() => attempts.count("b"));
    attempts.count("a");
  });

  it("has no limit where it is infinite, and remembers nothing then", () => {
    attempts = new LoginThrottle({ limit: Infinity });
    for (let i = 0; i < 1000; i++) attempts.count("a");
    assertEquals(attempts.size, 0);
  });

  describe("forClient()", () => {
    const at = (address: string) => attempts.forClient(() => address);

    it("counts by address", () => {
      for (let i = 0; i < FAILED_ATTEMPTS; i++) at("192.0.2.1").countUnknownKey();
      readPause(() => at("192.0.2.1").countUnknownKey());
      at("192.0.2.2").countUnknownKey();
    });

    it("counts customers by serial number from all addresses, and by address for all numbers", () => {
      for (let i = 0; i < FAILED_ATTEMPTS; i++) at(`192.0.2.${i}`).countCustomer("S-1");
      readPause(() => at("192.0.2.100").countCustomer("S-1"));
      for (let i = 0; i < FAILED_ATTEMPTS; i++) at("198.51.100.1").countCustomer(`S-${i + 2}`);
      readPause(() => at("198.51.100.1").countCustomer("S-100"));
    });

    it("counts keys and customers separately: after wrong keys a new one can be requested", () => {
      for (let i = 0; i < FAILED_ATTEMPTS; i++) at("192.0.2.1").countUnknownKey();
      at("192.0.2.1").countCustomer("S-1")();
    });
  });
});
