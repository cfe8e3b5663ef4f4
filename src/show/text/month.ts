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
