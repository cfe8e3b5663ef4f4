import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { acceptsGzip } from "../../../src/service/responses/http_headers.ts";

describe("acceptsGzip()", () => {
  for (
    const [header, accepted] of [
      [null, false],
      ["", false],
      ["identity", false],
      ["gzip", true],
      ["GZIP", true],
      ["br, gzip;q=0.5", true],
      ["gzip; q=1.000", true],
      ["gzip;q=0", false],
      ["gzip;q=0, *", false],
      ["*", true],
      ["*;q=0", false],
      ["br, identity;q=0.1", false],
      ["gzip;q=much", false],
      ["x-gzip", false],
    ] as const
  ) {
    it(`${accepted ? "takes" : "does not take"} ${JSON.stringify(header)} for gzip`, () => {
      assertEquals(acceptsGzip(header), accepted);
    });
  }
});
