import { monthNumberOf } from "../../time/zones.ts";
import type { StoredMonth } from "./site_record.ts";

/**
 * Selects the latest revision of every month of a turbine.
 *
 * @param revisions All revisions of all its months, in order of time and revision
 * @param edition Those of later editions are left out
 */
export function selectLatest(
  revisions: readonly StoredMonth[],
  edition: number = Infinity,
): StoredMonth[] {
  const latest = new Map<number, StoredMonth>();
  for (const month of revisions) {
    if (month.edition <= edition) latest.set(monthNumberOf(month), month);
  }
  return [...latest.values()];
}

/**
 * Finds one month of a turbine.
 *
 * @param revisions All revisions of all its months, in order of time and revision
 * @param revision The latest unless named
 */
export function findMonth(
  revisions: readonly StoredMonth[],
  { year, month, revision }: { year: number; month: number; revision?: number | undefined },
): StoredMonth | undefined {
  return revisions.findLast((own) =>
    own.year === year && own.month === month && own.revision === (revision ?? own.revision)
  );
}
