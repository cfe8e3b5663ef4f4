/** Makes the package to publish. */
import { callerPath } from "../../src/cli/command/arguments.ts";
import { runTask } from "../_run_task.ts";
import { pack } from "./pack.ts";

await runTask("pack", {
  forms: ["[--to DIR]"],
  options: { to: { value: "DIR", about: "folder of the packages (default: out/pack)" } },
  example: "--to /tmp/vindkit",
  async run({ text }) {
    const to = callerPath(text("to") ?? "out/pack");
    const { jsr, npm } = await pack(to);
    console.log(`${to}/jsr: ${jsr} files, ${to}/npm: ${npm} files`);
  },
});
