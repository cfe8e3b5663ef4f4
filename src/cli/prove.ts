import { era5, type IndexProof, plotProof, proveIndex } from "../../mod.ts";
import { writeAtomically } from "../disk/side_file.ts";
import { answerReport } from "../report/mod.ts";
import { readSiteFile, readTraining } from "../sites/mod.ts";
import { callerPath, readFormed, writeFiles } from "./arguments.ts";
import type { Arguments, Command } from "./command.ts";
import { wrap } from "./run_command.ts";

/** Proves the index of the turbines of a site file, or of one of them. */
export async function proveSite(
  siteFile: string,
  { text, signal }: Pick<Arguments, "text" | "signal">,
): Promise<Map<string, IndexProof>> {
  const all = await readTraining(await readSiteFile(callerPath(siteFile)), { era5, signal });
  const id = text("turbine");
  const chosen = all.filter(({ turbine }) => id === undefined || turbine.id === id);
  if (chosen.length === 0) {
    const known = all.map(({ turbine }) => turbine.id).join(", ");
    throw new Error(`Cannot prove the index of ${id}: production is declared for ${known}`);
  }
  const tolerance = readFormed(text, "tolerance", /^\s*\d+(\.\d+)?\s*$/, "a number such as 5");
  return new Map(chosen.map((training) => {
    signal.throwIfAborted();
    return [training.turbine.id, proveIndex(training, { tolerance: Number(tolerance ?? 5) })];
  }));
}

/** Writes how good the index of a site is. What it takes from `../../mod.ts` is what a script of your own needs. */
export const prove: Command = {
  forms: ["SITE.json [OPTIONS]"],
  arguments: {
    "SITE.json": "declares climate sources, turbines and production files (see docs/site-file.md)",
  },
  options: {
    turbine: { value: "ID", about: "one turbine of the site file (default: all with production)" },
    tolerance: { value: "PERCENT", about: "error of a normal year that is asked for (default: 5)" },
    to: { value: "DIR", about: "folder of the pages (default: out)" },
  },
  example: "site.json --turbine T1",
  notes: [
    "Each month is predicted by a calibration that has not seen it, beside simpler methods. Nothing is imported or changed.",
  ],
  rest: 1,
  resume: "Files that are written are complete: the same command writes all of them again.",
  async run(given) {
    for (const [id, proof] of await proveSite(given.rest[0], given)) {
      const name = `proof_${id.replaceAll(/[^\w.-]/g, "_")}`;
      const files = await Array.fromAsync(
        answerReport(proof, { charts: [plotProof(proof)], name }),
      );
      const [path] = await writeFiles(
        given,
        Object.fromEntries(files.map(({ name, content }) => [
          name,
          (path) => writeAtomically(path, new TextEncoder().encode(content), { mode: 0o666 }),
        ])),
      );
      console.log(
        [id, ...proof.summary, ...proof.notes].map((line) => wrap(line, 80).join("\n  ")).join(
          "\n",
        ),
      );
      console.log(`${path}, .md and .json\n`);
    }
  },
};
