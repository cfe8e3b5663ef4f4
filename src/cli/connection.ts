import { connect, type Connection, lockData } from "../../mod.ts";
import { callerPath } from "./arguments.ts";
import { type Arguments, type Command, MisuseError } from "./command.ts";

/** Options that select the source of the figures. */
export const connectionOptions = {
  data: { value: "DIR", about: "your data directory, instead of VINDKIT_URL and VINDKIT_KEY" },
  sample: { about: "the SYNTHETIC sample; never used without this option" },
  lock: {
    value: "FILE",
    about:
      "data lock: records the answers that were used; an existing one makes the same answers used again",
  },
} as const satisfies Command["options"];

/**
 * Connects as the arguments say; never to the sample by accident, so that a lost environment variable puts no invented
 * figures before a board.
 */
export async function openConnection({ text, flag }: Arguments): Promise<Connection> {
  const sample = flag("sample");
  const data = text("data");
  if (sample && data) {
    throw new MisuseError("Cannot use --data and --sample together: give one of them");
  }
  const connection = connect(sample ? { sample } : data ? { data: callerPath(data) } : {});
  if (connection.target === "sample" && !sample) {
    throw new Error(
      "Cannot load figures: neither VINDKIT_URL nor a data directory is set. Give --data DIR for your own data, set " +
        "VINDKIT_URL and VINDKIT_KEY for a service, or give --sample for invented figures",
    );
  }
  const lock = text("lock");
  return lock ? await lockData(callerPath(lock), { connection }) : connection;
}
