import { ArgumentError } from "../api/errors.ts";
import { listTexts } from "./production/filter_rows.ts";

/** What an owner has of a turbine, or of all turbines of an entry. */
export interface Ownership {
  /** Name of the owner. */
  readonly owner: string;
  /** Part of the energy, %; from a later day on another one, or 0. */
  readonly percent: number;
  /** First day, such as "2019-07-01". @default all days before the next one of the owner */
  readonly from?: string | undefined;
}

/** An owner whose share is wanted beside the whole. */
export interface OwnerShare {
  /** Name of the owner. */
  readonly owner: string;
  /** Who owns the turbines, by identifier, as `readOwnership()` gives it. */
  readonly ownership: ReadonlyMap<string, readonly Ownership[]>;
}

/**
 * Refuses an owner that no turbine has.
 *
 * @param what What is being done, for the message
 * @throws {ArgumentError} If it is so
 */
export function checkOwner({ owner, ownership }: OwnerShare, what: string): void {
  const owners = new Set([...ownership.values()].flat().map((one) => one.owner));
  if (owners.has(owner)) return;
  throw new ArgumentError(
    `Cannot ${what}: no turbine has the owner "${owner}". ` +
      (owners.size > 0
        ? `Use ${listTexts([...owners].sort())}`
        : "Give the turbines their ownership in the site file"),
  );
}

/** Who owns how much on a day, %. */
export function findOwners(parts: readonly Ownership[], day: string): Map<string, number> {
  const begun = parts.filter(({ from = "" }) => from <= day)
    .sort(({ from: a = "" }, { from: b = "" }) => a < b ? -1 : 1);
  return new Map(begun.map(({ owner, percent }) => [owner, percent]));
}

/** Share of an owner in a turbine, 0 to 1; in a month in which it changes, the mean of its days. */
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
