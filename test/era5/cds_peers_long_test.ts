/**
 * The two Python clients of the Climate Data Store fetch the same bytes from the fake server as ours, so it is faithful
 * as far as they use it.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { provenance } from "../../src/frames/origin/provenance.ts";
import { jsonOfPeer, whyWithout } from "../peers/_venv.ts";
import { getTwoMonths } from "./_cds_call.ts";
import { CDS_KEY, withCds } from "./_cds_server.ts";

const SCRIPT = new URL("./fetch_era5.py", import.meta.url).pathname;
const why = whyWithout("cdsapi", "ecmwf.datastores");
const group = why ? describe.ignore : describe;

group(`cdsapi and ecmwf-datastores-client${why ? ` (${why})` : ""}`, () => {
  const cases = [
    { points: 1, packed: "bare" },
    { points: 1, packed: "zip" },
    { points: 4, packed: "bare" },
  ] as const;
  for (const { points, packed } of cases) {
    it(`fetch the same bytes as era5() from the fake server: ${points} points, ${packed}`, async () => {
      await withCds(async (server) => {
        server.packed = packed;
        server.cached = true;
        const frame = await getTwoMonths(server, { points });
        const [{ dataset, inputs }] = server.submitted;
        const cwd = await Deno.makeTempDir();
        const args = [server.url, CDS_KEY, dataset, JSON.stringify(inputs)];
        const hashes = await jsonOfPeer(SCRIPT, { args, cwd });
        await Deno.remove(cwd, { recursive: true });
        const [{ sha256: [ours] }] = provenance(frame);
        assertEquals(hashes, [ours, ours]);
      });
    });
  }
});
