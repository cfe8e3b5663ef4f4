/** The stop button of Jupyter for cells of our kernel, through jupyter_client. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { installKernelspec } from "../../../src/notebook/kernel/kernelspec.ts";
import { runPeer, whyWithout } from "../../peers/_venv.ts";
import { Folder } from "../_folder.ts";

interface Outcome {
  readonly status: string;
  readonly reply: string;
  readonly outputs: readonly string[];
  readonly seconds: number;
}

const why = whyWithout("jupyter_client");
const where = why ? describe.ignore : describe;

where(
  why ? `P2: an interrupt (${why})` : "P2: an interrupt",
  () => {
    it("ends a cell that waits for an order, one that does not await it, one that sleeps and one that computes; variables stay", async () => {
      await using folder = await Folder.make();
      await installKernelspec(`${folder.path}/jupyter`);
      const { code, out, err } = await runPeer("python", {
        // A separate sample, because other services would take over its order and complete it.
        args: [
          new URL("interrupt.py", import.meta.url).pathname,
          folder.path,
          `${folder.path}/sample`,
        ],
        cwd: folder.path,
        env: { JUPYTER_DATA_DIR: `${folder.path}/jupyter`, NO_COLOR: "1" },
      });
      assertEquals(code, 0, err);
      const outcomes: Readonly<Record<string, Outcome>> = JSON.parse(out);
      assertEquals(outcomes.setup.status, "ok", JSON.stringify(outcomes.setup));
      for (const name of ["order", "aside", "sleep", "busy", "late"]) {
        const { status, seconds } = outcomes[name];
        assertEquals(status, "error", `${name}: ${JSON.stringify(outcomes[name])}`);
        // NB4: Deno itself takes half a minute after the first await of a cell (docs/notebooks.md).
        assert(seconds < (name === "late" ? 90 : 2), `${name} answered after ${seconds} s`);
        assertEquals(outcomes[`${name} then`].outputs, ["42"]);
      }
      assertStringIncludes(outcomes.order.outputs.join(), "interrupted");
      assertStringIncludes(outcomes.order.outputs.join(), "The same call continues it");
      assertStringIncludes(outcomes.sleep.outputs.join(), "Interrupted: the pending calls");
      assertStringIncludes(outcomes.busy.reply, "Interrupted: the running cell was stopped");
      assertEquals(outcomes.idle.outputs, ["42"]);
    });
  },
);
