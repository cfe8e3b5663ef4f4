/** Puts and reads a file at the address that it is given, in a process of narrow permissions. */
import { openFiles } from "../../../src/machines/shared_storage.ts";

const files = await openFiles(Deno.args[0]);
const name = await files.put(new TextEncoder().encode("wind"), "txt");
console.log(new TextDecoder().decode(await files.read(name)));
files.close();
