import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../mod.ts";
import { checkOwner, computeOwnerShare } from "../../src/frames/ownership.ts";

const ownership = new Map([
  ["T1", [
    { owner: "A", percent: 30, from: "2023-07-16" },
    { owner: "A", percent: 10, from: "2020-01-01" },
    { owner: "B", percent: 50 },
    { owner: "B", percent: 0, from: "2024-01-01" },
  ]],
]);

describe("the share of an owner", () => {
  const share = (owner: string, month: string, id = "T1") =>
    computeOwnerShare({ owner, ownership }, id, month);

  it("is the latest one begun, in any order, and 0 before the first and after the end", () => {
    assertEquals(
      ["2019-12", "2020-01", "2023-06", "2023-08"].map((month) => share("A", month)),
      [0, 0.1, 0.1, 0.3],
    );
    assertEquals(["2000-01", "2023-12", "2024-01"].map((month) => share("B", month)), [
      0.5,
      0.5,
      0,
    ]);
    assertEquals(share("A", "2023-08", "T2"), 0);
  });

  it("is the mean of the days of a month in which it changes", () => {
    assertAlmostEquals(share("A", "2023-07"), (15 * 0.1 + 16 * 0.3) / 31);
  });

  it("fails for an owner that no turbine has", () => {
    checkOwner({ owner: "B", ownership }, "report");
    assertThrows(
      () => checkOwner({ owner: "C", ownership }, "report"),
      ArgumentError,
      'Cannot report: no turbine has the owner "C". Use one of "A", "B"',
    );
    assertThrows(
      () => checkOwner({ owner: "C", ownership: new Map() }, "report"),
      ArgumentError,
      "In the site file, declare who owns the turbines",
    );
  });
});
