/**
 * Holds the engine against real sites: `deno task validate`. Prints the tables and writes them into docs/validation.md;
 * fails where the data are absent or a goal is missed.
 *
 * @module
 */
import { validation } from "./validation_page.ts";

const file = new URL("../../docs/validation.md", import.meta.url);
const { page, missed } = await validation(await Deno.readTextFile(file));
console.log(page);
await Deno.writeTextFile(file, page);
for (const line of missed) console.log(`FAILS  ${line}`);
console.log(missed.length === 0 ? "holds" : `${missed.length} goals missed`);
if (missed.length > 0) Deno.exit(1);
