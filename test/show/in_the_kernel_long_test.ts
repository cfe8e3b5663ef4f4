/**
 * Outputs that a notebook receives from Deno's own kernel.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Kernel } from "../../src/notebook/kernel/kernel.ts";

/** Outputs of a cell: bundles, and name, message and stack of an error. */
interface Seen {
  readonly bundles: Record<string, string>[];
  readonly text: string;
  readonly error: { ename: string; evalue: string; traceback: string[] } | undefined;
}

const ROOT = new URL("../../", import.meta.url).pathname;

describe("in Deno's kernel", () => {
  let kernel: Kernel;

  beforeAll(async () => {
    kernel = await Kernel.start({ folder: ROOT });
    await run(`import { attachOrder, connect, monthlyIndex, table, turbineDetails, turbines,
      VindkitError, windIndices } from "@vindkit/vindkit";
      const connection = connect({ sample: true, progress: false });`);
  });

  afterAll(() => kernel[Symbol.asyncDispose]());

  async function run(code: string): Promise<Seen> {
    const bundles: Record<string, string>[] = [];
    let text = "";
    let error: Seen["error"];
    await kernel.run(code, {
      onMessage: ({ content }) => {
        if (content.data) bundles.push(content.data as Record<string, string>);
        if (typeof content.text === "string") text += content.text;
        if (content.traceback) error = content as unknown as Seen["error"];
      },
    });
    return { bundles, text, error };
  }

  for (
    const [what, code, says] of [
      ["a frame", "await turbines({ connection })", "8 rows × 1 column"],
      ["a record", 'await turbineDetails("T1", { connection })', "Hub height"],
      ["a month", 'await monthlyIndex("T1", "2024-05", { connection })', "Month index"],
      ["a connection", "connection", "Goes to"],
    ]
  ) {
    it(`shows ${what} as HTML and as text without ANSI`, async () => {
      const { bundles: [bundle], error } = await run(code);
      assertEquals([error, Object.keys(bundle)], [undefined, ["text/html", "text/plain"]]);
      for (const text of Object.values(bundle)) {
        assertStringIncludes(text, says);
        assert(!text.includes("\u001b"));
      }
    });
  }

  it("shows a record on the console as below the cell", async () => {
    const code = 'await turbineDetails("T1", { connection })';
    const { bundles: [bundle] } = await run(code);
    assertEquals((await run(`console.log(${code})`)).text.trimEnd(), bundle["text/plain"]);
  });

  it("shows an error that is the result of a cell by name, message and hint", async () => {
    const { bundles } = await run('new VindkitError("Cannot do it", { hint: "Try again" })');
    assertEquals(bundles, [{ "text/plain": "VindkitError: Cannot do it.\n→ Try again" }]);
  });

  it("shows a thrown error by its message and the line of the cell, not by our stack frames", async () => {
    const { error } = await run('\n\nattachOrder("no-such-order", { connection });');
    assertEquals(error!.ename, "NotFoundError");
    assertStringIncludes(error!.evalue, "Cannot attach order no-such-order");
    const [first, ...frames] = error!.traceback.join("\n").split("\n");
    assertEquals(first, `NotFoundError: ${error!.evalue}`);
    assertEquals(frames.map((frame) => frame.replace(/\d+:\d+/, "")), ["    at <anonymous>:"]);
  });

  it("names the line of the cell, even if the error comes from a pool of calls", async () => {
    const { error } = await run('\n\nawait windIndices(["T98", "T99"], { connection });');
    assertEquals(error!.ename, "NoDataError");
    const [first, ...frames] = error!.traceback.join("\n").split("\n");
    assertEquals(first, `NoDataError: ${error!.evalue}`);
    assertEquals(frames.map((frame) => frame.replace(/\d+:\d+/, "")), [
      "    at async <anonymous>:",
    ]);
  });

  it("lists all failed turbines in the message, because members and causes do not arrive", async () => {
    const { error } = await run('await windIndices(["T1", "T98", "T99"], { connection })');
    assertEquals(error!.ename, "PartialError");
    for (const id of ["2 of 3 turbines failed", "T98: Cannot get", "T99: Cannot get"]) {
      assertStringIncludes(error!.evalue, id);
    }
    assert(!error!.traceback.join("\n").includes("/src/"), error!.traceback.join("\n"));
  });
});
