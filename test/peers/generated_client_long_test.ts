/**
 * A client generated from the service's `/openapi.json` reads every operation into its typed models, with the same
 * values as Vindkit's client (`read_generated.py`).
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import { operations } from "../../src/api/operations/operations.ts";
import { OPENAPI_PATH } from "../../src/service/pages/openapi_route.ts";
import type { ServedSample } from "../service/_sample.ts";
import { assertSameFacts } from "./_facts.ts";
import { type ReadByBoth, readByBoth } from "./_read_by_both.ts";
import { peerFile, runPeer, whyWithout } from "./_venv.ts";

const why = whyWithout("openapi_python_client", "httpx", "attrs", "pandas");
const group = why ? describe.ignore : describe;
let read: ReadByBoth;
let generated: string;

/** Generates the client into a folder, from the document of a running service. */
async function generate(sample: ServedSample, folder: string): Promise<readonly string[]> {
  const { code, out, err } = await runPeer("openapi-python-client", {
    cwd: folder,
    args: [
      ...["generate", "--url", sample.url + OPENAPI_PATH, "--meta", "none"],
      ...["--config", peerFile("generated_client.yml"), "--output-path", `${folder}/generated`],
    ],
  });
  generated = out + err;
  assertEquals(code, 0, generated);
  return [folder];
}

group(why ? `a generated client (${why})` : "a generated client", () => {
  beforeAll(async () => {
    read = await readByBoth("read_generated.py", generate);
  });

  it("is generated of the whole document: nothing is left out with a warning", () => {
    assertEquals(/warning|skipp|error/i.exec(generated), null, generated);
  });

  it("reads all operations and no more", () => {
    assertEquals(Object.keys(read.peer).sort(), operations.map(({ id }) => id).sort());
  });

  for (const { id } of operations) {
    it(`reads of ${id} what our own client reads`, () => {
      assertSameFacts(read.peer[id], read.ours[id]);
    });
  }
});
