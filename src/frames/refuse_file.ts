import { DataFormatError, type ErrorFacts } from "../api/errors.ts";

/**
 * Refuses a file.
 *
 * @param found What is wrong with it
 * @param facts What is known beside; a line, and a column there, are named in the message too
 * @throws {DataFormatError} Always
 */
export function refuseFile(file: string, found: string, facts: ErrorFacts = {}): never {
  const { row, column } = facts;
  const place = column === undefined ? `line ${row}: ` : `line ${row}, column "${column}": `;
  throw new DataFormatError(
    `Cannot read ${file}: ${row === undefined ? "" : place}${found}`,
    facts,
  );
}
