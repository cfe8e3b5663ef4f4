/**
 * The long runs: `deno task soak`. What they print is kept in docs/soak.md with `--write`.
 *
 * @module
 */
import { killedClient } from "./killed_client.ts";

const rounds = Number(Deno.args.find((argument) => /^\d+$/.test(argument)) ?? 50);
const lines: string[] = [];
const say = (line: string) => {
  lines.push(line);
  console.log(line);
};

const faults = await killedClient(rounds, say);
for (const fault of faults) say(`FAILS  ${fault}`);
say(faults.length === 0 ? "holds" : `${faults.length} faults`);

if (Deno.args.includes("--write")) {
  const page = new URL("../../docs/soak.md", import.meta.url);
  const text = [
    "# The long runs",
    "",
    "Written by `deno task soak --write`: a client is killed with SIGKILL in order, download and cache",
    "write, each round at another moment, and started again.",
    "",
    "```",
    ...lines,
    "```",
    "",
  ];
  await Deno.writeTextFile(page, text.join("\n"));
}
if (faults.length > 0) Deno.exit(1);
