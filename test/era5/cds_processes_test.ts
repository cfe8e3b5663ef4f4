/**
 * Killed processes, and two at once: no request is lost or sent twice, and no partial file remains.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Ledger } from "../../src/client/orders/ledger.ts";
import { killAt, readLastLine, startEra5 } from "./_killed_era5.ts";
import { type CdsRoute, withCds } from "./_cds_server.ts";

describe("era5() in processes", () => {
  const moments: readonly (readonly [CdsRoute, boolean])[] = [
    ["submit", true],
    ["submit", false],
    ["job", false],
    ["results", false],
    ["file", false],
    ["delete", true],
  ];
  for (const [on, late] of moments) {
    const when = `${late ? "after" : "before"} its ${on} request took effect`;
    it(`killed ${when}, the next one continues: nothing is lost or sent twice`, async () => {
      await withCds(async (server) => {
        await killAt(server, { on, late });
        assertEquals(await readLastLine(startEra5(server)), String(59 * 24));
        assertEquals(server.submitted.length, 1);
        const states = new Ledger(server.home).listEntries().map(({ state }) => state);
        assertEquals([states, server.jobs.size], [["delivered"], 0]);
      });
    });
  }

  it("work if the environment has a key of the wind-index service without its address", async () => {
    await withCds(async (server) => { // all of these processes have one
      assertEquals(await readLastLine(startEra5(server)), String(59 * 24));
    });
  });

  it("two at once send one request, and both get its hours", async () => {
    await withCds(async (server) => {
      const lines = await Promise.all([startEra5(server), startEra5(server)].map(readLastLine));
      assertEquals([lines, server.submitted.length], [["1416", "1416"], 1]);
    });
  });
});
