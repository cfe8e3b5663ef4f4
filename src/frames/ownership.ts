import { ArgumentError } from "../api/errors.ts";
import { listTexts } from "./production/filter_rows.ts";

/** Share of an owner in a turbine, or in all turbines of an entry. */
export interface Ownership {
  /** Name of the owner. */
  readonly owner: string;
  /** Share of the energy, %; a later entry may change it, or end it with 0. */
  readonly percent: number;
  /** First day, such as "2019-07-01". @default all days before the owner's next entry */
  readonly from?: string | undefined;
}

/** An owner whose share is computed next to the total. */
export interface OwnerShare {
  /** Name of the owner. */
  readonly owner: string;
  /** Ownership of the turbines by identifier, as `readOwnership()` returns it. */
  readonly ownership: ReadonlyMap<string, readonly Ownership[]>;
}

/**
 * Refuses an owner that no turbine has.
 *
 * @param task Task, for the message
 * @throws {ArgumentError} If no turbine has the owner
 */
export function checkOwner({ owner, ownership }: OwnerShare, task: string): void {
  const owners = new Set([...ownership.values()].flat().map((one) => one.owner));
  if (owners.has(owner)) return;
  throw new ArgumentError(
    `Cannot ${task}: no turbine has the owner "${owner}". ` +
      (owners.size > 0
        ? `Use one of ${listTexts([...owners].sort())}`
        : "In the site file, declare who owns the turbines"),
  );
}

/** Finds the shares of all owners on a day, %. */
export function findOwners(parts: readonly Ownership[], day: string): Map<string, number> {
  const begun = parts.filter(({ from = "" }) => from <= day)
    .sort(({ from: a = "" }, { from: b = "" }) => a < b ? -1 : 1);
  return new Map(begun.map(({ owner, percent }) => [owner, percent]));
}

/** Computes the share of an owner in a turbine, 0 to 1. If it changes within the month, this is the mean of the days. */
export function computeOwnerShare(
  { owner, ownership }: OwnerShare,
  turbineId: string,
  month: string,
): number {
  const parts = ownership.get(turbineId) ?? [];
  const { daysInMonth } = Temporal.PlainYearMonth.from(month);
  const days = Array.from({ length: daysInMonth }, (_, i) => {
    const day = `${month}-${String(i + 1).padStart(2, "0")}`;
    return findOwners(parts, day).get(owner) ?? 0;
  });
  return days.reduce((sum, percent) => sum + percent, 0) / (100 * daysInMonth);
}
