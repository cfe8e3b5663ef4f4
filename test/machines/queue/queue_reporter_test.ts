import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createQueueReporter } from "../../../src/machines/queue/open_boss.ts";

describe("createQueueReporter()", () => {
  it("logs a problem that every loop of pg-boss reports once, and again after another problem", () => {
    const logged: unknown[] = [];
    const { error } = console;
    console.error = (line) => logged.push(line);
    try {
      const report = createQueueReporter("postgres://h/n");
      const away = "connect ECONNREFUSED 127.0.0.1:5432";
      const loops = ["", " (Queue: jobs, Worker: 5e1d)", "", " (Queue: jobs, Worker: 77ab)"];
      for (const loop of loops) report({ message: away + loop });
      report({ message: "another" });
      report({ message: away });
      assertEquals(
        logged,
        [away, "another", away].map((message) => `the queue of postgres://h/n: ${message}`),
      );
    } finally {
      console.error = error;
    }
  });
});
