import type { Machines } from "../machines/mod.ts";
import { callerPath } from "./caller_path.ts";
import { type Arguments, type CommandOption, MisuseError } from "./command.ts";
import { pairAddresses } from "./shared_storage.ts";

/** The options that name where data are moved from. */
export const sourceOptions = {
  from: { value: "DIR", about: "moves the data of this data directory" },
  "from-database": {
    value: "URL",
    about: "moves the data of this PostgreSQL database, with --from-files",
  },
  "from-files": { value: "ADDRESS", about: "its files: s3://bucket/prefix, or a folder" },
} as const satisfies Record<string, CommandOption>;

/**
 * Reads the values of {@linkcode sourceOptions}.
 *
 * @returns `undefined` where none is given
 * @throws {MisuseError} If they contradict each other, or one of a pair is missing
 */
export function readSource(text: Arguments["text"]): string | Machines | undefined {
  const [from, database, files] = ["from", "from-database", "from-files"].map(text);
  if (database === undefined && files === undefined) return from ? callerPath(from) : undefined;
  if (from === undefined) {
    return pairAddresses({ "--from-database": database, "--from-files": files });
  }
  throw new MisuseError(
    "Cannot use --from together with --from-database and --from-files: give a data directory, or what machines share",
  );
}
