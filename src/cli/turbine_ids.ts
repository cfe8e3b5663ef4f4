import { type CallOptions, turbines } from "../../mod.ts";
import { type CommandOption, MisuseError } from "./command.ts";

/** The option that names turbines. */
export const turbinesOption: CommandOption = {
  value: "IDS",
  about: "identifiers, separated by commas (default: all of the licence)",
};

/**
 * Reads the turbines that an option names, or loads all of the licence.
 *
 * @param text Identifiers, separated by commas; all where it is `undefined`
 * @param call Connection whose licence counts, and signal
 * @throws {MisuseError} If no identifier is before or after a comma
 */
export async function readTurbineIds(
  text: string | undefined,
  call: CallOptions,
): Promise<string[]> {
  if (text === undefined) {
    return (await turbines(call)).getColumn("turbine_id").toArray().map(String);
  }
  const ids = text.split(",").map((id) => id.trim());
  if (ids.includes("")) {
    throw new MisuseError(
      `Cannot read "${text}" in --turbines: it names no turbine before or after a comma`,
    );
  }
  return ids;
}
