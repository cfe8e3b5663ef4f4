import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { exampleFile } from "../../../mod.ts";
import { copyExample } from "../../sites/_site.ts";
import { callCommand, callSuccessfully } from "../_command.ts";
import { runSuccessfully } from "../_task.ts";

describe("deno task prove", () => {
  it("prints the accuracy of the index of a site file, and writes it as three files", async () => {
    const to = await Deno.makeTempDir();
    const site = await exampleFile("site.json");
    const out = await runSuccessfully("prove", site, "--tolerance", "4", "--to", to);
    assertMatch(
      out.replaceAll(/\s+/g, " "),
      /^E1 In months left out of the calibration, the index is off by [\d.]+ % on average and [\d.]+ % at most\. The bias is [^ ]+ %\. The proof predicted each of \d+ months from the others\./,
    );
    assertStringIncludes(out.replaceAll(/\s+/g, " "), "to predict a normal year to within 4.0 %");
    assertEquals(
      [...Deno.readDirSync(to)].map(({ name }) => name).sort(),
      ["proof_E1.html", "proof_E1.json", "proof_E1.md"],
    );
    const { notice, frames, summary } = JSON.parse(await Deno.readTextFile(`${to}/proof_E1.json`));
    assertStringIncludes(notice, "SYNTHETIC");
    assertEquals(frames.lengths.rows[0].months, 1);
    assertStringIncludes(await Deno.readTextFile(`${to}/proof_E1.html`), summary[0]);
    await Deno.remove(to, { recursive: true });
  });

  it("adds the proof to a report on its turbines, which names proofs without a page", async () => {
    const to = await Deno.makeTempDir();
    await copyExample(`${to}/site`); // five years of climate
    const words = ["--sample", "--turbines", "T1", "--prove", `${to}/site/site.json`, "--to", to];
    assertStringIncludes(
      await callSuccessfully("report", ...words),
      "Proof of E1 is not used, because the report does not have this turbine\n",
    );
    await Deno.remove(to, { recursive: true });
  });

  it("names the turbines of the file if it lacks the requested one", async () => {
    const { code, error } = await callCommand(
      "prove",
      await exampleFile("site.json"),
      "--turbine",
      "T9",
    );
    assertEquals(code, 1);
    assertStringIncludes(
      error,
      "Cannot prove the index of T9: the site file declares production only for E1",
    );
  });
});
