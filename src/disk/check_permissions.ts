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
      "Run it with: deno run -P SCRIPT in a folder of `deno task new`. Elsewhere run: deno run --allow-ffi " +
      "--allow-sys --allow-env --allow-read --allow-write SCRIPT, and --allow-net=HOST for each host that it contacts",
  });
}
