import { type CallOptions, connect, type Connection, lockData, turbines } from "../../../mod.ts";
import { callerPath } from "./arguments.ts";
import { type Arguments, type Command, type CommandOption, MisuseError } from "./command.ts";

/** Options that select the source of the figures. */
export const connectionOptions = {
  data: { value: "DIR", about: "your data directory, instead of VINDKIT_URL and VINDKIT_KEY" },
  sample: { about: "the SYNTHETIC sample; never used without this option" },
  lock: {
    value: "FILE",
    about:
      "data lock: records the answers used; with an existing lock, the command uses the same answers again",
  },
} as const satisfies Command["options"];

/**
 * Connects to the source in the arguments. It never falls back to the sample, so a lost environment variable cannot put
 * invented figures in a report.
 */
export async function openConnection({ text, flag }: Arguments): Promise<Connection> {
  const sample = flag("sample");
  const data = text("data");
  if (sample && data) {
    throw new MisuseError(
      "Cannot use --data and --sample together: both name a source. Omit one of these options",
    );
  }
  const connection = connect(sample ? { sample } : data ? { data: callerPath(data) } : {});
  if (connection.target === "sample" && !sample) {
    throw new Error(
      "Cannot load figures: VINDKIT_URL is not set, and --data is missing. Give --data DIR for your own data, " +
        "set VINDKIT_URL and VINDKIT_KEY for a service, or give --sample for invented figures",
    );
  }
  const lock = text("lock");
  return lock ? await lockData(callerPath(lock), { connection }) : connection;
}

/** The option that names turbines. */
export const turbinesOption: CommandOption = {
  value: "IDS",
  about: "identifiers, separated by commas (default: all turbines of the licence)",
};

/**
 * Reads the turbines in an option, or loads all of the licence.
 *
 * @param text Identifiers, separated by commas; all if it is `undefined`
 * @param call Connection with the licence, and signal
 * @throws {MisuseError} If an identifier before or after a comma is empty
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
      `Cannot read "${text}" in --turbines: an identifier is missing next to a comma. Give identifiers such as T1,T2`,
    );
  }
  return ids;
}
