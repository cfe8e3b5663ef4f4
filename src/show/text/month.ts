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

/** Name of the calendar month of "2023-05": "May". */
export function calendarMonth(month: string): string {
  return NAMES[Number(month.slice(5, 7)) - 1];
}

/** Writes a month in words, the same on every machine: "May 2023" for "2023-05". */
export function formatMonth(month: string): string {
  return `${calendarMonth(month)} ${month.slice(0, 4)}`;
}

/** Name of a column of a calendar month, where a table has years by months: "may" for 5. */
export function monthColumnName(month: number): string {
  return NAMES[month - 1].slice(0, 3).toLowerCase();
}
