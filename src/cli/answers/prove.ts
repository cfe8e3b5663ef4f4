import { era5, plotProof, proveIndex } from "../../../mod.ts";
import { answerReport } from "../../report/mod.ts";
import { readSiteFile, readTraining } from "../../sites/mod.ts";
import { callerPath, readFormed, writeFiles } from "../command/arguments.ts";
import type { Command } from "../command/command.ts";
import { wrap } from "../command/run_command.ts";
import { listNames } from "../../show/text/numbers.ts";

/** Proves the index of one or all turbines of a site file; the tolerated error of a normal year is in %. */
export async function proveSite(
  siteFile: string,
  { id, tolerance = 5, signal }: { id?: string; tolerance?: number; signal: AbortSignal },
): Promise<Map<string, ReturnType<typeof proveIndex>>> {
  const all = await readTraining(await readSiteFile(callerPath(siteFile)), { era5, signal });
  const chosen = all.filter(({ turbine }) => id === undefined || turbine.id === id);
  if (chosen.length === 0) {
    const known = listNames(all.map(({ turbine }) => turbine.id));
    throw new Error(
      `Cannot prove the index of ${id}: the site file declares production only for ${known}. Name a turbine with production`,
    );
  }
  return new Map(chosen.map((training) => {
    signal.throwIfAborted();
    return [training.turbine.id, proveIndex(training, { tolerance })];
  }));
}

/** Shows how accurate the index of a site is. Your own script needs the same imports from `../../mod.ts`. */
export const prove: Command = {
  forms: ["SITE.json [OPTIONS]"],
  arguments: {
    "SITE.json": "declares climate sources, turbines and production files (see docs/site-file.md)",
  },
  options: {
    turbine: { value: "ID", about: "one turbine of the site file (default: all with production)" },
    tolerance: {
      value: "PERCENT",
      about: "largest acceptable error of a normal year (default: 5)",
    },
    to: { value: "DIR", about: "folder for the pages (default: out)" },
  },
  example: "site.json --turbine T1",
  notes: [
    "The command predicts each month with a calibration that excludes this month, and compares the error with simpler methods. It does not import or change any data.",
  ],
  resume: "All files written so far are complete. Run the same command to write all of them again.",
  async run(args) {
    const { text, rest: [siteFile], signal } = args;
    const tolerance = readFormed(text, "tolerance", /^\d+(\.\d+)?$/, "a number such as 5");
    const options = { id: text("turbine"), tolerance: Number(tolerance ?? 5), signal };
    for (const [id, proof] of await proveSite(siteFile, options)) {
      const name = `proof_${id.replaceAll(/[^\w.-]/g, "_")}`;
      const files = await Array.fromAsync(
        answerReport(proof, { charts: [plotProof(proof)], name }),
      );
      const texts = files.map(({ name, content }) => [name, content]);
      const [path] = await writeFiles(args, Object.fromEntries(texts));
      for (const line of [id, ...proof.summary, ...proof.notes]) {
        console.log(wrap(line, 80).join("\n  "));
      }
      console.log(`${path}, .md and .json\n`);
    }
  },
};
