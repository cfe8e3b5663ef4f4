import { joinNames } from "../../show/text/numbers.ts";
import { groupLines, type Sites, type StoredTurbine } from "../../sites/mod.ts";
import { startOfMonth } from "../../time/zones.ts";
import type { ImportedSites } from "./import_sites.ts";

/** A turbine with production of whole months after the end of its climate. */
export interface WaitingTurbine {
  readonly id: string;
  /** Whether a person has to add climate to the files of its site. */
  readonly needsFiles: boolean;
  /** Which months wait, and for what, in sentences. */
  readonly text: string;
}

/** Months that are named; of more the first ones and how many more. */
const MAX_NAMED = 3;

/** Lists the months that production covers to their end, and climate does not. */
function listMonths({ production, turbine: { timeZone } }: StoredTurbine, end: number): string[] {
  if (!production) return [];
  const next = Temporal.PlainDate.from(production.to).add({ days: 1 }).toPlainYearMonth();
  const months: string[] = [];
  for (let after = next; startOfMonth(after, timeZone) > end;) {
    after = after.subtract({ months: 1 });
    months.unshift(after.toString());
  }
  return months;
}

/**
 * Finds the turbines of imported sites whose production waits for climate.
 *
 * @param turbines All turbines that are stored
 */
export async function findWaiting(
  sites: Sites,
  turbines: readonly StoredTurbine[],
  { notes, sourced }: Pick<ImportedSites, "notes" | "sourced">,
): Promise<WaitingTurbine[]> {
  const found: WaitingTurbine[] = [];
  for (const [site, own] of Map.groupBy(turbines, ({ site }) => site)) {
    if (!notes.has(site)) continue;
    const end = await sites.climateEnd(site);
    const until = new Date(end - 1).toISOString().slice(0, 10);
    const needsFiles = !sourced.has(site);
    const remedy = needsFiles
      ? "Add later climate to its files, then update again"
      : "Each update asks its source for more";
    for (const turbine of own) {
      const months = listMonths(turbine, end);
      if (months.length === 0) continue;
      const text =
        `${joinNames(months, MAX_NAMED)} ${months.length === 1 ? "waits" : "wait"} for ` +
        `climate, which ends on ${until}. ${remedy}`;
      found.push({ id: turbine.turbine.id, needsFiles, text });
    }
  }
  return found;
}

/** Formats what waits, a line for all turbines that wait for the same. */
export function formatWaiting(waiting: readonly WaitingTurbine[]): string[] {
  if (waiting.length === 0) return [];
  const lines = groupLines(waiting.map(({ id, text }) => [id, text] as const));
  return ["Production without an index yet:", ...lines.map((line) => `  ${line}`)];
}
