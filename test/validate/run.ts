/**
 * Compares the engine with real sites.
 *
 * @module
 */
import { runTask } from "../_run_task.ts";
import { validation } from "./validation_page.ts";

await runTask("validate", {
  forms: [""],
  options: {},
  example: "",
  notes: [
    "Prints the tables and writes them into docs/validation.md. It fails if the data are absent or a goal is missed.",
  ],
  async run() {
    const file = new URL("../../docs/validation.md", import.meta.url);
    const { page, missed } = await validation(await Deno.readTextFile(file), true);
    console.log(page);
    await Deno.writeTextFile(file, page);
    for (const line of missed) console.log(`FAILS  ${line}`);
    if (missed.length > 0) throw new Error(`${missed.length} goals missed`);
    console.log("holds");
  },
});
