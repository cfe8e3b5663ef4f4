import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { RecentTurns } from "../../../src/service/responses/do_in_turn.ts";

describe("H4: RecentTurns", () => {
  it("has no other before the first request, and with a single licence", () => {
    const recent = new RecentTurns();
    assertEquals(recent.hasOther("a", 0), false);
    for (const at of [0, 10, 20]) recent.add("a", at);
    assertEquals([recent.hasOther("a", 20), recent.hasOther("b", 20)], [false, true]);
  });

  it("has another for a quarter of a second after its request", () => {
    const recent = new RecentTurns();
    recent.add("b", 0);
    recent.add("a", 100);
    recent.add("a", 200);
    assertEquals([249, 250].map((now) => recent.hasOther("a", now)), [true, false]);
    assertEquals([449, 450].map((now) => recent.hasOther("b", now)), [true, false]);
  });

  it("has another for all licences that alternate", () => {
    const recent = new RecentTurns();
    ["a", "b", "c", "a"].forEach((turn, at) => recent.add(turn, at));
    assertEquals(["a", "b", "c"].map((turn) => recent.hasOther(turn, 3)), [true, true, true]);
  });
});
