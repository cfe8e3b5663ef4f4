/**
 * Redirects, end to end: the client follows them within the service, elsewhere only by consent and without the key.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { NetworkError, ServiceError } from "../../src/api/errors.ts";
import { MAX_REDIRECTS } from "../../src/client/http/exchange.ts";
import { turbines } from "../../src/client/calls/turbines.ts";
import { type Fault, withService } from "./_with_service.ts";
import type { FaultAct } from "./_fault.ts";
import { withServer } from "../client/_local_server.ts";
import { reads } from "./_reads.ts";

/** A fault for every request of a kind. */
const buildFault = (act: FaultAct, on: Fault["on"] = "turbines"): Fault => ({
  on,
  times: Infinity,
  act,
});
const buildFirstFault = (act: FaultAct, on: Fault["on"] = "turbines", times = 1): Fault => ({
  on,
  times,
  act,
});

describe("F12 and F18 redirects", () => {
  it("F12 a loop of relative redirects ends after five, and is not retried", async () => {
    for (const to of [".", "./", "?", "/wind-index/calibrated/"]) {
      await withService(async ({ connection, requests }) => {
        const error = await assertRejects(() => turbines({ connection }), NetworkError);
        assertStringIncludes(error.message, `more than ${MAX_REDIRECTS} redirects`);
        assertEquals([requests.length, MAX_REDIRECTS], [6, 5], to);
      }, { faults: [buildFault({ kind: "redirect", to })] });
    }
  });

  it("F12 a redirect within the service is followed, with the key", async () => {
    await withService(async ({ connection, requests }) => {
      assertEquals((await turbines({ connection })).height, 8);
      assertEquals(requests.length, 3);
    }, { faults: [buildFirstFault({ kind: "redirect", to: "./../calibrated/" }, "turbines", 2)] });
  });

  for (const [name, { operation, call }] of Object.entries(reads)) {
    it(`F18 ${name} follows no redirect to another origin: no request there, no key`, async () => {
      await withServer(() => Response.json([]), async (other) => {
        await withService(async ({ connection }) => {
          const error = await assertRejects(() => call({ connection }), NetworkError);
          assertStringIncludes(error.message, "downloadOrigins");
          assertEquals(other.seen, []);
        }, {
          faults: [buildFault({ kind: "redirect", to: `${other.url}/x?secret=1` }, operation)],
        });
      });
    });

    it(`F18 ${name} follows a redirect to an origin of downloadOrigins, without the key`, async () => {
      await withServer(() => Response.json({}, { status: 418 }), async (other) => {
        await withService(async ({ connection, requests }) => {
          await assertRejects(() => call({ connection }), ServiceError, "418");
          assert(requests.every(({ headers }) => headers.has("x-auth")));
          assertEquals(other.seen.map(({ path, key }) => [path, key]), [["/x", null]]);
        }, {
          faults: [buildFault({ kind: "redirect", to: `${other.url}/x` }, operation)],
          connection: { downloadOrigins: [other.url] },
        });
      });
    });
  }

  it("F18 the key is sent again if the other origin redirects to the service", async () => {
    let back = "";
    const answer = () => new Response(null, { status: 307, headers: { location: back } });
    await withServer(answer, async (other) => {
      await withService(async ({ connection, url, requests }) => {
        back = `${url}/wind-index/calibrated/`;
        assertEquals((await turbines({ connection })).height, 8);
        assertEquals([requests.length, other.seen.map(({ key }) => key)], [2, [null]]);
      }, {
        faults: [buildFirstFault({ kind: "redirect", to: `${other.url}/x` })],
        connection: { downloadOrigins: [other.url] },
      });
    });
  });
});
