/**
 * Compares methods that predict a month, on the sites of your site files.
 *
 * @module
 */
import { callerPath } from "../../src/cli/command/arguments.ts";
import { MisuseError } from "../../src/cli/command/command.ts";
import { runTask } from "../_run_task.ts";
import { compareMethods } from "./compare_methods.ts";

await runTask("benchmark", {
  forms: ["SITE.json... "],
  arguments: {
    "SITE.json": "site files with hourly production, such as those of docs/benchmark.md",
  },
  options: {},
  example: "kelmarsh.json penmanshiel.json",
  notes: [
    "Prints a table of the mean absolute errors of months that no method has seen, by site, method and months of " +
    "training. It includes gradient boosting and brightwind if VINDKIT_PEERS names a virtual environment with them.",
  ],
  async run({ rest }) {
    if (rest.length === 0) throw new MisuseError("Cannot compare: name a site file, or several");
    for (const path of rest) {
      for (const line of await compareMethods(callerPath(path))) console.log(line);
    }
  },
});
