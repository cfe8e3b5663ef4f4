/** Makes the package as it would be published: `deno task pack [--to DIR]`. */
import { parseArgs } from "node:util";
import { pack } from "./pack.ts";

const { values } = parseArgs({ options: { to: { type: "string", default: "out/pack" } } });
const folder = Deno.env.get("INIT_CWD") ?? Deno.cwd();
const to = values.to.startsWith("/") ? values.to : `${folder}/${values.to}`;
const { jsr, npm } = await pack(to);
console.log(`${to}/jsr: ${jsr} files, ${to}/npm: ${npm} files`);
