/**
 * Processes that are killed, and two at once: no request is lost or sent twice, and there is no half file.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Ledger } from "../../src/client/orders/ledger.ts";
import { CDS_KEY, type CdsRoute, type CdsServer, withCds } from "./_cds_server.ts";

const SCRIPT = new URL("./_era5_process.ts", import.meta.url).pathname;

function start({ home, url }: CdsServer): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", SCRIPT, home],
    env: { CDSAPI_URL: url, CDSAPI_KEY: CDS_KEY },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function readLastLine(child: Deno.ChildProcess): Promise<string> {
  const { stdout, stderr } = await child.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  return out.split("\n").at(-1) || err;
}

/** Puts a process to death when the stand-in sees a request of a kind; the answer is lost. */
async function killAt(server: CdsServer, on: CdsRoute, late: boolean): Promise<void> {
  const seen = Promise.withResolvers<void>();
  server.faults.push({
    on,
    late,
    answer: () => {
      child.kill("SIGKILL");
      seen.resolve();
      return new Response(null, { status: 503 });
    },
  });
  const child = start(server);
  const ended = child.output();
  await Promise.race([seen.promise, ended]);
  await ended;
}

describe("era5() in processes", () => {
  const moments: readonly (readonly [CdsRoute, boolean])[] = [
    ["submit", true],
    ["submit", false],
    ["job", false],
    ["results", false],
    ["file", false],
    ["delete", true],
  ];
  for (const [route, late] of moments) {
    const when = `${late ? "after" : "before"} its ${route} request took effect`;
    it(`killed ${when}, the next one goes on: nothing is lost or sent twice`, async () => {
      await withCds(async (server) => {
        await killAt(server, route, late);
        assertEquals(await readLastLine(start(server)), String(59 * 24));
        assertEquals(server.submitted.length, 1);
        const states = new Ledger(server.home).listEntries().map(({ state }) => state);
        assertEquals([states, server.jobs.size], [["delivered"], 0]);
      });
    });
  }

  it("two at once send one request, and both get its hours", async () => {
    await withCds(async (server) => {
      const both = await Promise.all([start(server), start(server)].map(readLastLine));
      assertEquals([both, server.submitted.length], [["1416", "1416"], 1]);
    });
  });
});
