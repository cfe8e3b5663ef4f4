import { type Connection, turbines } from "../../mod.ts";

/**
 * Reads the turbines that an option names, or loads all of the licence.
 *
 * @param text Identifiers, separated by commas; all where it is `undefined`
 * @param connection Connection whose licence counts
 * @throws {Error} If no identifier is before or after a comma
 */
export async function readTurbineIds(
  text: string | undefined,
  connection: Connection,
): Promise<string[]> {
  if (text === undefined) {
    return (await turbines({ connection })).getColumn("turbine_id").toArray().map(String);
  }
  const ids = text.split(",").map((id) => id.trim());
  if (ids.includes("")) {
    throw new Error(
      `Cannot read "${text}" in --turbines: it names no turbine before or after a comma`,
    );
  }
  return ids;
}
