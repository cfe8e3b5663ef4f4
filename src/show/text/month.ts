const NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Name of a month given as "2023-05": "May". */
export function calendarMonth(month: string): string {
  return NAMES[Number(month.slice(5, 7)) - 1];
}

/** Formats a month, the same in every locale: "May 2023" for "2023-05". */
export function formatMonth(month: string): string {
  return `${calendarMonth(month)} ${month.slice(0, 4)}`;
}

/** Name of the column of a calendar month in a table of years by months: "may" for 5. */
export function monthColumnName(month: number): string {
  return NAMES[month - 1].slice(0, 3).toLowerCase();
}

/**
 * Formats the time from one month or year to another, as short as it can be: "May 2023", "2019 to 2024",
 * "Jan to Jul 2021", "Aug 2017 to Jul 2021".
 *
 * @param first First month, "2017-08", or year, "2019"
 * @param last Last one, included
 */
export function formatMonthSpan(first: string, last: string): string {
  const [from, to] = [first, last].map((month) => month.slice(0, 4));
  const months = first.length > 4;
  if (first === last) return months ? formatMonth(first) : first;
  if (!months || (first.endsWith("-01") && last.endsWith("-12"))) {
    return from === to ? from : `${from} to ${to}`;
  }
  const short = (month: string) => calendarMonth(month).slice(0, 3);
  return `${short(first)}${from === to ? "" : ` ${from}`} to ${short(last)} ${to}`;
}
