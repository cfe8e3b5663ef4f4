/** Whole months of a request: `first` to `last`, both included. */
export interface Months {
  /** First month. */
  readonly first: Temporal.PlainYearMonth;
  /** Last month, included. */
  readonly last: Temporal.PlainYearMonth;
}

/** Months after which ERA5 is final: a preliminary month (ERA5T) is replaced after two or three. */
const SETTLING_MONTHS = 4;

/** Lists the months. */
export function listMonths({ first, last }: Months): Temporal.PlainYearMonth[] {
  const count = first.until(last, { largestUnit: "months" }).months + 1;
  return Array.from({ length: count }, (_, i) => first.add({ months: i }));
}

/** Splits months into two halves; `undefined` for a single month. */
export function halveMonths(months: Months): readonly [Months, Months] | undefined {
  const all = listMonths(months);
  if (all.length === 1) return undefined;
  const middle = all[Math.ceil(all.length / 2)];
  return [
    { first: months.first, last: middle.subtract({ months: 1 }) },
    { first: middle, last: months.last },
  ];
}

/** Splits months at the ends of calendar years. */
export function splitYears({ first, last }: Months): Months[] {
  return Array.from({ length: last.year - first.year + 1 }, (_, i) => {
    const year = first.year + i;
    return {
      first: year === first.year ? first : Temporal.PlainYearMonth.from({ year, month: 1 }),
      last: year === last.year ? last : Temporal.PlainYearMonth.from({ year, month: 12 }),
    };
  });
}

/** The last day of months that has begun: later ones cannot be asked for. */
export function lastDayOf({ last }: Months, today: Temporal.PlainDate): Temporal.PlainDate {
  const end = last.add({ months: 1 }).toPlainDate({ day: 1 }).subtract({ days: 1 });
  return Temporal.PlainDate.compare(end, today) < 0 ? end : today;
}

/**
 * The first instant whose values may still be preliminary, ms since 1970 UTC: the begin of the month four months before
 * they were fetched.
 *
 * @param fetchedAt When they were fetched, ISO 8601 UTC
 */
export function findSettledEnd(fetchedAt: string): number {
  const at = Temporal.Instant.from(fetchedAt).toZonedDateTimeISO("UTC");
  return at.subtract({ months: SETTLING_MONTHS }).with({ day: 1 }).startOfDay().epochMilliseconds;
}
