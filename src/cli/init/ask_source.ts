import type { ReanalysisSource } from "../../sites/mod.ts";
import { climateQuestions } from "./climate_questions.ts";
import type { Dialogue } from "./dialogue.ts";

/** Years of a good reference period. */
const YEARS = 20;

/**
 * Asks which ERA5 is fetched; that is done when the site is imported.
 *
 * @returns The climate; `undefined` where answers are missing
 */
export async function askSource(
  dialogue: Dialogue,
  source: ReanalysisSource["source"],
): Promise<ReanalysisSource | undefined> {
  const first = new Date().getUTCFullYear() - YEARS;
  const [from] = await dialogue.ask(climateQuestions.from, {
    answers: [`${first}`],
    reason: `${YEARS} years`,
  }) ?? [];
  const [points] = await dialogue.ask(climateQuestions.points, {
    answers: ["1"],
    reason: "the quickest",
  }) ?? [];
  if (from === undefined || points === undefined) return undefined;
  dialogue.say(
    source === "cds"
      ? "  The Climate Data Store needs a free key: docs/sources.md says how to get one"
      : "  Open-Meteo without a key is for non-commercial use, up to 10,000 calls a day",
  );
  dialogue.say("  It is fetched after the last answer, and stored for later calls");
  return { source, points: points === "4" ? 4 : 1, from };
}
