import { connect, type Connection } from "@vindkit/vindkit";
import { type Arguments, callerPath } from "./_command.ts";

/** Options by which a script says where its figures come from. */
export const connectionOptions = {
  data: { type: "string" },
  sample: { type: "boolean" },
} as const;

/** What the help says of them. */
export const CONNECTION_HELP =
  `  --data DIR          your data directory, instead of VINDKIT_URL and VINDKIT_KEY
  --sample            the SYNTHETIC sample; never used without this word`;

/**
 * Connects as the arguments say; never to the sample by accident, so that a lost environment variable puts no invented
 * figures before a board.
 */
export function connectionOf({ text, flag }: Arguments): Connection {
  const sample = flag("sample");
  const data = text("data");
  if (sample && data) throw new Error("Cannot use both: give --data or --sample");
  const connection = connect(sample ? { sample } : data ? { data: callerPath(data) } : {});
  if (connection.target === "sample" && !sample) {
    throw new Error(
      "Cannot begin: neither VINDKIT_URL nor a data directory is set. Set one, or say --sample for invented figures",
    );
  }
  return connection;
}
