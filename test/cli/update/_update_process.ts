/**
 * A process that updates as the command does, with short pauses between polls of a job.
 *
 * @module
 */
import { runCommand } from "../../../src/cli/command/run_command.ts";
import { buildUpdate } from "../../../src/cli/update/update.ts";
import { getEra5 } from "../../../src/era5/era5.ts";

const pauses = { look: 10, queue: 10, search: 10 };
const update = buildUpdate(async (options) => await getEra5(options, Deno.env, pauses));
Deno.exit(await runCommand({ name: "update", purpose: "" }, update, Deno.args));
