import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { operations } from "../../src/api/operations/operations.ts";
import { ORDER_FILES } from "../../src/service/fulfilment/orders.ts";
import type { Fault, FaultAct } from "./_fault.ts";
import { FaultPlan } from "./_faulty_server.ts";
import { requestKindOf } from "./_exchange.ts";

const reset: FaultAct = { kind: "reset" };
const loseAnswer: FaultAct = { kind: "lose_answer" };

/** Acts on a number of requests of a kind, one after the other. */
function acts(plan: FaultPlan, count: number, kind: Fault["on"] = "turbines"): unknown[] {
  return Array.from({ length: count }, () => plan.take(kind, false)?.kind ?? "honest");
}

describe("FaultPlan", () => {
  it("affects only the first request by default", () => {
    assertEquals(acts(new FaultPlan([{ act: reset }]), 3), ["reset", "honest", "honest"]);
  });

  it("lets requests pass first, and affects the given number", () => {
    const plan = new FaultPlan([{ after: 1, times: 2, act: reset }]);
    assertEquals(acts(plan, 4), ["honest", "reset", "reset", "honest"]);
    assertEquals(acts(new FaultPlan([{ times: Infinity, act: reset }]), 9), Array(9).fill("reset"));
  });

  it("counts only requests of its kind", () => {
    const plan = new FaultPlan([{ on: "turbines", after: 1, act: reset }]);
    assertEquals(acts(plan, 2, "datasets"), ["honest", "honest"]);
    assertEquals(acts(plan, 2), ["honest", "reset"]);
  });

  it("affects requests for unknown paths if it names no kind", () => {
    assertEquals(new FaultPlan([{ act: reset }]).take(undefined, false), reset);
    assertEquals(new FaultPlan([{ on: "turbines", act: reset }]).take(undefined, false), undefined);
  });

  it("gives a request to the first matching fault, and later faults do not count it", () => {
    const plan = new FaultPlan([{ act: reset }, { after: 1, act: loseAnswer }]);
    assertEquals(acts(plan, 4), ["reset", "honest", "lose_answer", "honest"]);
  });

  it("accepts faults during a test, after the others", () => {
    const plan = new FaultPlan([{ act: reset }]);
    plan.inject({ act: loseAnswer });
    assertEquals(acts(plan, 3), ["reset", "lose_answer", "honest"]);
  });

  it("applies a range fault only to requests with a matching range", () => {
    const plan = new FaultPlan([
      { act: { kind: "range", how: "ignore" } },
      { act: { kind: "range", how: "unasked" } },
    ]);
    const how = (hasRange: boolean) => (plan.take("order_file", hasRange) as { how: string }).how;
    assertEquals([how(false), how(true)], ["unasked", "ignore"]);
  });
});

describe("requestKindOf()", () => {
  it("finds each operation by its path, with and without the last slash", () => {
    for (const { id, path } of operations) {
      const filled = path.replaceAll(/\{\w+\}/g, "a%2Fb").replace(/\/$/, "");
      assertEquals([requestKindOf(filled), requestKindOf(`${filled}/`)], [id, id]);
    }
  });

  it("finds the files of orders, and nothing else", () => {
    assertEquals(requestKindOf(`${ORDER_FILES}/token/file.zip`), "order_file");
    for (const path of ["/", ORDER_FILES, "/wind-index/calibrated/details/", "/apikey/x"]) {
      assertEquals(requestKindOf(path), undefined, path);
    }
  });
});
