/**
 * The first import of each entry that loads Polars, because Polars asks for permissions before our code runs.
 *
 * @module
 */
import { ConfigurationError } from "../api/errors.ts";

// In a terminal Deno asks the user itself.
if (
  Deno.permissions.querySync({ name: "sys", kind: "cpus" }).state !== "granted" &&
  !Deno.stdin.isTerminal()
) {
  throw new ConfigurationError("Cannot load Vindkit: this program has no permissions", {
    hint:
      "In a folder that `deno task new` created, run: deno run -P SCRIPT. In any other folder, run: deno run --allow-ffi --allow-sys --allow-env --allow-read --allow-write --allow-net=HOST SCRIPT. Instead of HOST, list each host that the script contacts, separated by commas",
  });
}
