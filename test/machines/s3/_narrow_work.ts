/** Writes and reads a file at the address in its arguments, in a process with narrow permissions. */
import { openFiles } from "../../../src/machines/shared_storage.ts";

const files = await openFiles(Deno.args[0]);
const name = await files.put(new TextEncoder().encode("wind"), "txt");
console.log(new TextDecoder().decode(await files.read(name)));
files.close();
