import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../src/api/errors.ts";
import { operations } from "../../src/api/operations/operations.ts";
import { ORDER_FILES } from "../../src/service/fulfilment/orders.ts";
import type { Fault, FaultAct } from "../../src/testing/fault.ts";
import { FaultPlan } from "../../src/testing/faulty_server.ts";
import { requestKindOf, requestKinds } from "../../src/testing/exchange.ts";

const reset: FaultAct = { kind: "reset" };
const lose: FaultAct = { kind: "lose_answer" };

/** Acts of so many requests of a kind, one after the other. */
function acts(plan: FaultPlan, count: number, kind: Fault["on"] = "turbines"): unknown[] {
  return Array.from({ length: count }, () => plan.take(kind, false)?.kind ?? "honest");
}

describe("FaultPlan", () => {
  it("affects only the first request by default", () => {
    assertEquals(acts(new FaultPlan([{ act: reset }]), 3), ["reset", "honest", "honest"]);
  });

  it("lets requests pass first, and affects as many as given", () => {
    const plan = new FaultPlan([{ after: 1, times: 2, act: reset }]);
    assertEquals(acts(plan, 4), ["honest", "reset", "reset", "honest"]);
    assertEquals(acts(new FaultPlan([{ times: Infinity, act: reset }]), 9), Array(9).fill("reset"));
  });

  it("counts requests of its kind only", () => {
    const plan = new FaultPlan([{ on: "turbines", after: 1, act: reset }]);
    assertEquals(acts(plan, 2, "datasets"), ["honest", "honest"]);
    assertEquals(acts(plan, 2), ["honest", "reset"]);
  });

  it("hits requests for nothing that is there where it names no kind", () => {
    assertEquals(new FaultPlan([{ act: reset }]).take(undefined, false), reset);
    assertEquals(new FaultPlan([{ on: "turbines", act: reset }]).take(undefined, false), undefined);
  });

  it("gives a request to the first fault that takes it, and the later ones do not count it", () => {
    const plan = new FaultPlan([{ act: reset }, { after: 1, act: lose }]);
    assertEquals(acts(plan, 4), ["reset", "honest", "lose_answer", "honest"]);
  });

  it("takes faults during a test, behind the others", () => {
    const plan = new FaultPlan([{ act: reset }]);
    plan.inject({ act: lose });
    assertEquals(acts(plan, 3), ["reset", "lose_answer", "honest"]);
  });

  it("applies a fault about ranges only to requests with a matching range", () => {
    const plan = new FaultPlan([
      { act: { kind: "range", how: "ignore" } },
      { act: { kind: "range", how: "unasked" } },
    ]);
    const how = (hasRange: boolean) => (plan.take("order_file", hasRange) as { how: string }).how;
    assertEquals([how(false), how(true)], ["unasked", "ignore"]);
  });

  const refused: [string, unknown, RegExp][] = [
    ["an unknown operation", { on: "turbine", act: reset }, /unknown kind of request "turbine"/],
    ["a negative after", { after: -1, act: reset }, /after is -1/],
    ["times of nothing", { times: 0, act: reset }, /times is 0/],
    ["half a time", { times: 1.5, act: reset }, /times is 1.5/],
    ["an unknown act", { act: { kind: "explode" } }, /unknown act "explode"/],
    ["an unknown place to stall", { act: { kind: "stall", where: "end" } }, /where is "end"/],
    ["an unknown framing", { act: { kind: "cut", framing: "zip" } }, /framing is "zip"/],
    ["a share above one", { act: { kind: "cut", framing: "close", at: 50 } }, /at is 50/],
    ["a status that ends nothing", { act: { kind: "status", status: 100 } }, /status is 100/],
    ["headers in two lines", {
      act: { kind: "status", status: 503, headers: { a: "b\r\nc: d" } },
    }, /its headers/],
    ["a redirect that leads nowhere", {
      act: { kind: "redirect", to: "/", status: 404 },
    }, /status is 404/],
    ["a redirect in two lines", { act: { kind: "redirect", to: "/\r\na: b" } }, /its headers/],
    ["a body with a status of none", { act: { kind: "body", body: "", status: 1 } }, /status is 1/],
    ["an endless pause", { act: { kind: "slow", milliseconds: Infinity } }, /milliseconds/],
    ["parts of nothing", { act: { kind: "trickle", bytes: 0, milliseconds: 1 } }, /bytes is 0/],
    ["an unknown mistake", { act: { kind: "range", how: "other" } }, /how is "other"/],
  ];
  for (const [what, fault, message] of refused) {
    it(`refuses ${what} at once`, () => {
      const { message: actual } = assertThrows(
        () => new FaultPlan([fault as Fault]),
        ArgumentError,
      );
      assertEquals(message.test(actual), true, actual);
    });
  }
});

describe("requestKindOf()", () => {
  it("knows each operation by its path, with and without the last slash", () => {
    for (const { id, path } of operations) {
      const filled = path.replaceAll(/\{\w+\}/g, "a%2Fb").replace(/\/$/, "");
      assertEquals([requestKindOf(filled), requestKindOf(`${filled}/`)], [id, id]);
    }
  });

  it("knows the files of orders, and nothing else", () => {
    assertEquals(requestKindOf(`${ORDER_FILES}/token/file.zip`), "order_file");
    for (const path of ["/", ORDER_FILES, "/wind-index/calibrated/details/", "/apikey/x"]) {
      assertEquals(requestKindOf(path), undefined, path);
    }
    assertEquals(requestKinds.length, operations.length + 1);
  });
});
