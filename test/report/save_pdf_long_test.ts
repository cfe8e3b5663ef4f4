/**
 * Reports as PDF, printed by the Chromium of this machine.
 *
 * @module
 */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../src/api/errors.ts";
import { fleetReport, type Paper, savePdf } from "../../src/report/mod.ts";
import { readPdfText } from "../_pdf_text.ts";
import { CHROMIUM } from "../service/pages/_browser.ts";
import { fleet, MONTH } from "./_report.ts";

const described = CHROMIUM ? describe : describe.ignore;
if (!CHROMIUM) console.log("No Chromium on this machine: no report is printed");

/** Gives an owner a share of each turbine. */
const shareIn = (all: ReturnType<typeof fleet>) => ({
  owner: "A. Hansen",
  ownership: new Map(
    all.map(({ details }) => [details.turbine_id, [{ owner: "A. Hansen", percent: 12.5 }]]),
  ),
});

const latin = new TextDecoder("latin1");

described("savePdf()", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(async () => await Deno.remove(folder, { recursive: true }));

  for (const [paper, width] of [["A4", 595], ["Letter", 612]] as [Paper, number][]) {
    it(`prints each turbine on one sheet of ${paper}, even with an owner's share, with no text below 7 pt`, async () => {
      const path = `${folder}/${paper}.pdf`;
      const counts: number[] = [];
      for (const turbines of [6, 8]) { // their tables take the same number of pages
        const all = fleet(turbines, "sample");
        const report = fleetReport(all, { month: MONTH, share: shareIn(all) });
        await savePdf(report, path, { paper });
        const { pages, texts } = readPdfText(await Deno.readFile(path));
        assertEquals(texts.filter(({ size }) => size < 6.995), []); // 7 pt in 1/64 px
        assert(new Set(texts.map(({ page }) => page)).size === pages, "a sheet is empty");
        counts.push(pages);
      }
      assertEquals(counts[1] - counts[0], 2);
      const pdf = latin.decode(await Deno.readFile(path));
      for (const [, boxWidth] of pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+)/g)) {
        assertAlmostEquals(Number(boxWidth), width, 1);
      }
    });
  }

  it("links the table of the fleet to the sheets of turbines, and to no file of this machine", async () => {
    const path = `${folder}/links.pdf`;
    await savePdf(fleetReport(fleet(3), { month: MONTH }), path);
    const pdf = latin.decode(await Deno.readFile(path));
    assertStringIncludes(pdf, "/Dest /turbines#2FW1");
    assert(!/file:\/\/|vindkit_print/.test(pdf));
    assertStringIncludes(pdf, "/Outlines");
  });

  it("refuses other paper, and says what to do without a browser", async () => {
    const report = fleetReport(fleet(1), { month: MONTH });
    await assertRejects(
      () => savePdf(report, `${folder}/x.pdf`, { paper: "A3" as Paper }),
      ArgumentError,
      'Cannot print on "A3": the paper is unknown. Give "A4" or "Letter"',
    );
    const script = `import { answerReport, savePdf } from "./src/report/mod.ts";
      import { monthlyIndices, planBudget } from "./mod.ts";
      const budget = planBudget(await monthlyIndices("T1"), { from: "2026-01" });
      await savePdf(answerReport(budget), "${folder}/x.pdf").catch((error) => console.log(error.message));`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--quiet", script],
      cwd: new URL("../../", import.meta.url).pathname,
      env: { PATH: folder },
    }).output();
    const output = new TextDecoder().decode(stdout);
    assertStringIncludes(
      output,
      "Cannot print the report: this machine has no Chromium, Chrome or Edge",
    );
    assertStringIncludes(output, "open index.html");
    await assertRejects(() => Deno.stat(`${folder}/x.pdf`), Deno.errors.NotFound);
  });
});
