/**
 * Reports of the sample: first as its task, then as the command that the task runs.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { exampleFile } from "../../../mod.ts";
import { callCommand } from "../_command.ts";
import { runTask } from "../_task.ts";

async function withFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await act(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

describe("deno task report", () => {
  it("writes the pages of the sample's fleet, and lists the turbines left out", () =>
    withFolder(async (folder) => {
      const { code, out } = await runTask(
        "report",
        "--sample",
        "--month",
        "2024-12",
        "--to",
        folder,
      );
      assertEquals(code, 0);
      assertMatch(out, /T8 has no page: the service reports that the data are not ready\n/);
      assertMatch(out, /index\.html: 7 of 8 turbines, 24 files, \d\.\d MB\n$/);
      const { turbines, figures, month, notice, form } = JSON.parse(
        await Deno.readTextFile(`${folder}/index.json`),
      );
      assertEquals([turbines.length, figures.turbines, month, form], [8, 7, "2024-12", 3]);
      assertMatch(notice, /^SYNTHETIC/);
      assertEquals(figures.units_measured, 6); // the park has only annual production, T8 has none
      assertEquals(figures.verdict.produced, null); // the six have less than half of the energy
      const page = await Deno.readTextFile(`${folder}/turbines/T1.html`);
      assertMatch(page, /As usual\. December 2024: /);
      assertEquals([...Deno.readDirSync(`${folder}/turbines`)].length, 21);
    }));

  it("adds the share of an owner from a site file, and refuses an owner who is not in it", () =>
    withFolder(async (folder) => {
      const path = `${folder}/site.json`;
      const site = JSON.parse(await Deno.readTextFile(await exampleFile("site.json")));
      Object.assign(site.turbines[0], {
        id: "T1",
        ownership: [{ owner: "A. Hansen", percent: 40 }],
      });
      await Deno.writeTextFile(path, JSON.stringify(site));
      const words = ["--sample", "--turbines", "T1", "--month", "2024-12", "--to", folder];
      const { code } = await callCommand(
        "report",
        ...words,
        "--owner",
        "A. Hansen",
        "--ownership",
        path,
      );
      assertEquals(code, 0);
      assertStringIncludes(await Deno.readTextFile(`${folder}/index.html`), "Share of A. Hansen");
      const other = await callCommand("report", ...words, "--owner", "B", "--ownership", path);
      assertMatch(other.error, /no turbine has the owner "B"\. Use one of "A\. Hansen"/);
      const alone = await callCommand("report", ...words, "--owner", "B");
      assertMatch(alone.error, /Give --ownership SITE\.json/);
    }));

  it("makes a workbook next to the pages with --xlsx, and with --pdf a PDF, or says that there is no browser", () =>
    withFolder(async (folder) => {
      const words = ["--sample", "--turbines", "T1", "--month", "2024-12", "--to", folder];
      const { code, error } = await runTask("report", ...words, "--xlsx", "--pdf");
      assert((await Deno.stat(`${folder}/report.xlsx`)).size > 10_000);
      if (code === 0) assert((await Deno.stat(`${folder}/report.pdf`)).size > 10_000);
      else assertMatch(error, /Cannot print the report: this machine has no Chromium/);
    }));

  it("V4: refuses a month without figures, and writes nothing", () =>
    withFolder(async (folder) => {
      for (const month of ["2027-01", "1990-01"]) {
        const to = `${folder}/report`;
        const words = ["--sample", "--month", month, "--to", to];
        const { code, out, error } = await callCommand("report", ...words);
        assertEquals([code, out.includes("T8 has no page: ")], [1, month === "1990-01"]);
        assertMatch(
          error,
          new RegExp(`on ${month}: .*The last month with figures is 2025-12`),
        );
        assertEquals([...Deno.readDirSync(folder)], []);
      }
    }));

  it("accepts some turbines, uses the last month with production, and reports an unknown turbine", () =>
    withFolder(async (folder) => {
      const words = ["--sample", "--turbines", "T1, T99", "--fleet", "Two & more", "--to", folder];
      const { code, out } = await callCommand("report", ...words);
      assertEquals(code, 0);
      assertMatch(out, /T99 has no page: .*no turbine "T99"/);
      const { month, fleet, turbines } = JSON.parse(
        await Deno.readTextFile(`${folder}/index.json`),
      );
      assertEquals([month, fleet, turbines.length], ["2024-12", "Two & more", 2]);
      const page = await Deno.readTextFile(`${folder}/index.html`);
      assert(page.includes("Two &amp; more · 2 turbines"));
    }));

  it("writes nothing if no turbine has details", () =>
    withFolder(async (folder) => {
      const words = ["--sample", "--turbines", "T98,T99", "--month", "2024-12", "--to", folder];
      const { code, error } = await callCommand("report", ...words);
      assertEquals(code, 1);
      assertMatch(error, /^Cannot make a report: no turbine has details\. .*no turbine "T98"/);
      assertEquals([...Deno.readDirSync(folder)], []);
    }));

  it("explains its arguments, and never uses the sample by accident", async () => {
    const help = await callCommand("report", "--help");
    assertEquals(help.code, 0);
    assertMatch(
      help.out,
      /deno task report \[OPTIONS\]\n[^]*--production SITE\.json [^]*--to DIR /,
    );
    const bare = await callCommand("report");
    assertEquals(bare.code, 1);
    assertMatch(bare.error, /VINDKIT_URL is not set, and --data is missing/);
    for (const way of ["--data DIR", "VINDKIT_URL and VINDKIT_KEY", "--sample"]) {
      assertStringIncludes(bare.error, way, "W17: all ways are named");
    }
    const wrong = await callCommand("report", "--sample", "--month", "2025-13");
    assertEquals(wrong.code, 2);
    assertMatch(wrong.error, /Cannot read --month: "2025-13" has the wrong form/);
    const gap = await callCommand("report", "--sample", "--turbines", "T1,,T2");
    assertEquals(gap.code, 2);
    assertMatch(gap.error, /an identifier is missing next to a comma/);
  });
});
