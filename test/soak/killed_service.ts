import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { killedDownload } from "./_killed_download.ts";
import { KilledImport } from "./_killed_import.ts";
import { killedOrder } from "./_killed_order.ts";
import { LongService } from "./_long_service.ts";

/**
 * Kills the service at random moments of import, order and download, in turn. Then starts it again, and compares its
 * answers with the right ones.
 *
 * @param rounds How often
 * @param say Prints the results
 * @param advance Called after each
 * @returns Violations, in words
 */
export async function killedService(
  rounds: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const faults: string[] = [];
  const random = new SeededRandom("killed service");
  const imports = await KilledImport.prepare();
  const long = await LongService.prepare();
  const kinds = [
    (fault: (text: string) => void) => imports.round(random, fault),
    (fault: (text: string) => void) => killedOrder(long, random, fault),
    (fault: (text: string) => void) => killedDownload(long, random, fault),
  ];
  const seen: Record<string, number>[] = kinds.map(() => ({}));
  try {
    for (let round = 0; round < rounds; round++) {
      const kind = round % kinds.length;
      const moment = await kinds[kind]((text) => faults.push(`round ${round}: ${text}`));
      seen[kind][moment] = (seen[kind][moment] ?? 0) + 1;
      advance();
    }
  } finally {
    await imports.remove();
    await long.remove();
  }
  for (const [i, name] of ["import", "order", "download"].entries()) {
    const moments = Object.entries(seen[i]).sort().map(([moment, count]) => `${moment} ${count}`);
    say(`killed during ${name}: ${moments.join(", ")}`);
  }
  return faults;
}
