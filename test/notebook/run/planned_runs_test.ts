import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { planRuns, renderRunsIndex } from "../../../src/notebook/run/planned_runs.ts";

const planned = (values: Record<string, string[]>, fixed = {}) =>
  planRuns(["in/n.ipynb"], new Map(Object.entries(values)), fixed);

describe("planRuns()", () => {
  it("makes a run of every combination, named by its values in the order given", () => {
    const runs = planned({ turbine: ["T1", "T2"], month: ["2025-12", "2026-01"] }, { wide: "1" });
    assertEquals(runs.map(({ name }) => name), [
      "n_T1_2025-12",
      "n_T1_2026-01",
      "n_T2_2025-12",
      "n_T2_2026-01",
    ]);
    assertEquals(runs[1].parameters, { wide: "1", turbine: "T1", month: "2026-01" });
  });

  it("makes one run, named as its notebook, where no value is to differ", () => {
    assertEquals(planned({}), [{ path: "in/n.ipynb", parameters: {}, name: "n" }]);
  });

  it("names no page outside of the folder", () => {
    const runs = planned({ turbine: ["../../etc/x", "/T1", "Øst 1", ".."] });
    assertEquals(runs.map(({ name }) => name), ["n_..-..-etc-x", "n_-T1", "n_Øst-1", "n_.."]);
  });
});

describe("renderRunsIndex()", () => {
  it("links every page, names what failed, and shows values and messages as they are", async () => {
    const runs = planned({ turbine: ["T1", "a|b *x* <script>`[y](z)"] });
    const page = await renderRunsIndex(runs, [[], ["cell 2: Error: <b> no | data\n    code()"]]);
    assertStringIncludes(page, '<a href="./n_T1.html">n_T1</a>');
    assertStringIncludes(page, ">2 runs, 1 failed</h1>");
    assertStringIncludes(page, "<td>a|b *x* &lt;script&gt;`[y](z)</td>");
    assertStringIncludes(
      page,
      "<td>failed, cell 2: Error: &lt;b&gt; no | data</td>",
    );
  });
});
