import { assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { operations } from "../../../src/api/operations/operations.ts";
import type { AnswerRecord } from "../../../src/service/routing/request_log.ts";
import { MAX_URL_LENGTH } from "../../../src/service/limits/request_limits.ts";
import { nameMethod, nameRequest } from "../../../src/service/routing/request_name.ts";
import { askRaw, buildHead } from "../_raw_http.ts";
import { buildPath, type ServedSample, serveSample, validValues } from "../_sample.ts";

const pathnameOf = (path: string) => path.split("?")[0];

describe("nameRequest()", () => {
  it("is the operation of each path of the contract, with and without the last slash", () => {
    for (const operation of operations) {
      const path = pathnameOf(buildPath(operation, validValues[operation.id]));
      for (const form of [path, path.replace(/\/?$/, "/"), path.replace(/\/$/, "")]) {
        assertEquals(nameRequest(form), operation.id, form);
      }
    }
  });

  it("does not repeat a path that is not in the contract", () => {
    for (
      const path of [
        "",
        "/canary",
        "/apikey/canary",
        "/wind-index/calibrated/details/a/b",
        "/xwind-index/calibrated/",
      ]
    ) {
      assertEquals(nameRequest(path), "none", path);
    }
  });
});

describe("nameMethod()", () => {
  it("is a known method, or _OTHER", () => {
    const named = ["GET", "POST", "canary", "get"].map(nameMethod);
    assertEquals(named, ["GET", "POST", "_OTHER", "_OTHER"]);
  });
});

describe("the record of a request that is refused immediately", () => {
  const records: AnswerRecord[] = [];
  let sample: ServedSample;

  beforeAll(async () => {
    sample = await serveSample({ onAnswer: (answer) => void records.push(answer) });
  });
  afterAll(async () => await sample.close());

  it("names operation and method, like the record of an answered one", async () => {
    for (const operation of operations) {
      records.length = 0;
      const path = buildPath(operation, validValues[operation.id]);
      await sample.ask(path, { method: "POST" });
      await sample.ask(`${path}${path.includes("?") ? "&" : "?"}${"x".repeat(MAX_URL_LENGTH)}`);
      await askRaw(sample.url, buildHead(path).replace("GET", "CANARY"));
      assertEquals(records.map(({ operation, method, status }) => [operation, method, status]), [
        [operation.id, "POST", 405],
        [operation.id, "GET", 414],
        [operation.id, "_OTHER", 405],
      ]);
    }
  });
});
