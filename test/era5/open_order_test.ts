/**
 * Requests to the Climate Data Store whose answer was lost or whose job is gone.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { NoAccessError, OrderUncertainError } from "../../src/api/errors.ts";
import { Ledger } from "../../src/client/orders/ledger.ts";
import { openSource, quote } from "../../src/era5/source_link.ts";
import { countRoute, finishJobs, getTwoMonths, stopWhileRunning } from "./_cds_call.ts";
import { CDS_KEY, type CdsServer, problem, withCds } from "./_cds_server.ts";
import { Secret } from "../../src/client/connection/settings.ts";

function listStates({ home }: CdsServer): string[] {
  return new Ledger(home).listEntries().map(({ state }) => state);
}

function gatewayTimeout(): Response {
  return new Response(null, { status: 504, headers: { "retry-after": "0" } });
}

describe("a request whose answer was lost", () => {
  it("H2: is not sent twice if its job is listed late", async () => {
    await withCds(async (server) => {
      server.hidden = 2;
      server.faults.push({ on: "submit", late: true, answer: gatewayTimeout });
      assertEquals((await getTwoMonths(server)).height, 59 * 24);
      assertEquals([countRoute(server, "submit"), countRoute(server, "jobs")], [1, 3]);
      assertEquals([listStates(server), server.jobs.size], [["delivered"], 0]);
    });
  });

  it("H2: stays uncertain if a later try is refused, and is found by the next call", async () => {
    await withCds(async (server) => {
      server.hidden = 3;
      const refusal = () => problem(403, "required licences not accepted");
      server.faults.push({ on: "submit", late: true, answer: gatewayTimeout });
      server.faults.push({ on: "submit", answer: refusal });
      await assertRejects(() => getTwoMonths(server), NoAccessError);
      assertEquals([listStates(server), server.jobs.size], [["sent"], 1]);
      assertEquals((await getTwoMonths(server)).height, 59 * 24);
      assertEquals([server.submitted.length, listStates(server)], [1, ["delivered"]]);
    });
  });

  it("H2: is given up as uncertain after three tries without a visible job", async () => {
    await withCds(async (server) => {
      for (let i = 0; i < 3; i++) server.faults.push({ on: "submit", answer: gatewayTimeout });
      await assertRejects(() => getTwoMonths(server), OrderUncertainError);
      assertEquals([countRoute(server, "submit"), listStates(server)], [3, ["sent"]]);
    });
  });

  it("L14: is not matched to a failed job", async () => {
    await withCds(async (server) => {
      server.plans.push({ states: ["failed"] });
      server.faults.push({ on: "submit", late: true, answer: gatewayTimeout });
      assertEquals((await getTwoMonths(server)).height, 59 * 24);
      assertEquals(server.submitted.length, 2);
    });
  });
});

describe("a job that is gone", () => {
  it("M3: of another account is left alone, and the request is sent again", async () => {
    await withCds(async (server) => {
      await stopWhileRunning(server);
      finishJobs(server);
      const foreign = () => problem(403, "operation not permitted");
      server.faults.push({ on: "job", answer: foreign }, { on: "delete", answer: foreign });
      assertEquals((await getTwoMonths(server)).height, 59 * 24);
      assertEquals([server.submitted.length, listStates(server)], [2, ["failed", "delivered"]]);
    });
  });

  it("M11: by deletion between two status checks is submitted again", async () => {
    await withCds(async (server) => {
      server.faults.push({ on: "results", answer: () => problem(404, "job not found") });
      assertEquals((await getTwoMonths(server)).height, 59 * 24);
      assertEquals(listStates(server), ["failed", "delivered"]);
    });
  });
});

describe("quotes of the store", () => {
  it("M1: keep the last letter of a text, whatever the first letter of the key", async () => {
    await withCds(({ connection, url }) => {
      const key = new Secret(CDS_KEY); // begins with 0
      const transport = openSource(connection, {
        url,
        key,
        keyHeader: "PRIVATE-TOKEN",
        read: { url: "CDSAPI_URL", key: "CDSAPI_KEY" },
      });
      assertEquals(
        quote("please check date 2023-02-30", transport),
        "please check date 2023-02-30",
      );
      return Promise.resolve();
    });
  });
});
