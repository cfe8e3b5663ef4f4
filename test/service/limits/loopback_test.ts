import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isLoopback } from "../../../src/service/limits/request_host.ts";

describe("isLoopback()", () => {
  it("knows the names and addresses of this machine only", () => {
    const loopbacks = ["127.0.0.1", "127.8.0.1", "localhost", "::1", "[::1]", "::ffff:127.0.0.1"];
    assertEquals(loopbacks.map(isLoopback), loopbacks.map(() => true));
    const others = [
      "0.0.0.0",
      "::",
      "10.0.0.1",
      "localhost.example.org",
      "127.0.0.1.example.org",
      "",
    ];
    assertEquals(others.map(isLoopback), others.map(() => false));
  });
});
