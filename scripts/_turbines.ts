import { type Connection, turbines } from "@vindkit/vindkit";

/**
 * The turbines that an option names, or all of the licence.
 *
 * @param asked Identifiers, separated by commas; all where it is `undefined`
 * @param connection Connection whose licence counts
 * @throws {Error} If no identifier stands before or after a comma
 */
export async function turbineIdsOf(
  asked: string | undefined,
  connection: Connection,
): Promise<string[]> {
  if (asked === undefined) {
    return (await turbines({ connection })).getColumn("turbine_id").toArray().map(String);
  }
  const ids = asked.split(",").map((id) => id.trim());
  if (ids.includes("")) {
    throw new Error(
      `Cannot read "${asked}" in --turbines: it names no turbine before or after a comma`,
    );
  }
  return ids;
}
