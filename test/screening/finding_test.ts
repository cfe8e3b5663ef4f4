import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { buildMask, type Finding } from "../../src/screening/finding.ts";

const finding = (from: number, to: number): Finding => ({ kind: "stuck", from, to, message: "" });

describe("buildMask()", () => {
  it("marks the values from the first position to before the last one", () => {
    assertEquals(buildMask([finding(1, 3), finding(5, 6)], 7), Uint8Array.of(0, 1, 1, 0, 0, 1, 0));
  });

  it("marks a value in two findings once", () => {
    assertEquals(buildMask([finding(0, 3), finding(2, 4)], 4), Uint8Array.of(1, 1, 1, 1));
  });

  it("marks nothing without findings, even without values", () => {
    assertEquals(buildMask([], 3), new Uint8Array(3));
    assertEquals(buildMask([], 0), new Uint8Array(0));
  });
});
