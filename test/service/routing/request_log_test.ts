import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ORDER_FILES } from "../../../src/service/fulfilment/orders.ts";
import { type AnswerRecord, RequestLog } from "../../../src/service/routing/request_log.ts";
import { openSample } from "../../../src/service/running/service.ts";
import { SHARED_SAMPLE } from "../_sample.ts";

const decoder = new TextDecoder();

const answered: AnswerRecord = {
  operation: "turbines",
  method: "GET",
  status: 200,
  milliseconds: 1,
};

describe("RequestLog", () => {
  it("writes a line of JSON for each answer, in batches", () => {
    const written: string[] = [];
    const log = new RequestLog((bytes) => {
      written.push(decoder.decode(bytes));
      return bytes.length;
    });
    for (let i = 0; i < 300; i++) {
      log.add({ operation: "turbines", method: "GET", status: 200, milliseconds: 1.2345 });
    }
    assertEquals(written.length, 1);
    log.flush();
    log.flush(); // no line waits
    assertEquals(written.length, 2);
    const lines = written.join("").trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(lines.length, 300);
    const { time, ...rest } = lines[0];
    assertMatch(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assertEquals(rest, { operation: "turbines", status: 200, ms: 1.2 });
  });

  it("writes waiting lines after a moment", async () => {
    const written = await new Promise<string>((resolve) => {
      const log = new RequestLog((bytes) => {
        resolve(decoder.decode(bytes));
        return bytes.length;
      });
      log.add({ operation: "datasets", method: "GET", status: 400, milliseconds: 3 });
    });
    assert(written.endsWith('"operation":"datasets","status":400,"ms":3}\n'), written);
  });

  it("F40 drops its lines if they cannot be written, also when they are flushed by the timer", async () => {
    const complaint = await new Promise<string>((resolve) => {
      const full = () => {
        throw new Error("No space left on device");
      };
      new RequestLog(full, resolve).add(answered);
    });
    assertMatch(complaint, /^The request log cannot be written \(No space left on device\)\. /);
  });

  it("F40 does not throw if a request fills a batch that cannot be written, and reports it once", () => {
    const complaints: string[] = [];
    const log = new RequestLog(() => {
      throw new Error("No space left on device");
    }, (text) => complaints.push(text));
    for (let i = 0; i < 1000; i++) log.add(answered);
    log.flush();
    assertEquals(complaints.length, 1);
  });

  it("F40 ends a truncated line before the next one, and reports dropped lines again the next time", () => {
    let [written, place] = ["", 20];
    const complaints: string[] = [];
    const log = new RequestLog((bytes) => {
      if (place <= 0) throw new Error("no place");
      const accepted = bytes.subarray(0, Math.min(place, 7));
      place -= accepted.length;
      written += decoder.decode(accepted);
      return accepted.length;
    }, (text) => complaints.push(text));
    const addOne = () => {
      log.add(answered);
      log.flush();
    };
    addOne();
    place = Infinity;
    addOne();
    const [broken, next] = written.split("\n");
    assert(broken.length < 28, broken);
    assertEquals(JSON.parse(next).operation, "turbines");
    place = 0;
    addOne();
    assertEquals(complaints.length, 2);
  });

  it("F40 does not wait forever if no byte is written, or if its warning cannot be written", () => {
    const log = new RequestLog(() => 0, () => {
      throw new Error("gone");
    });
    log.add(answered);
    log.flush();
  });
});

describe("onAnswer", () => {
  it("F20 F21 contains operation, status and time, and no key, address or token", async () => {
    const records: AnswerRecord[] = [];
    const service = await openSample({
      folder: SHARED_SAMPLE,
      onAnswer: (answer) => records.push(answer),
    });
    try {
      const paths = [
        "/wind-index/calibrated/turbines?secret=canary",
        "/user-access/apikey?serial_number=canary&email=canary@example.org",
        `${ORDER_FILES}/canary/file.zip`,
        "/canary",
        "/healthz",
      ];
      for (const path of paths) {
        const headers = { "X-Auth": "canary" };
        await (await service.fetch(new Request(`http://x${path}`, { headers }))).text();
      }
      await (await service.fetch(new Request("http://x/healthz", { method: "POST" }))).text();
    } finally {
      await service.close();
    }
    assertEquals(records.map(({ status }) => status).slice(-2), [200, 405]);
    assertEquals(records.length, 6);
    assert(!JSON.stringify(records).includes("canary"), JSON.stringify(records));
    assert(records.every(({ milliseconds }) => milliseconds >= 0));
    assertEquals(records[4].operation, "healthz");
    assertEquals(records[2].operation, "order_file");
  });
});
