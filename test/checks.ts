/**
 * Runs the checks of CI, and on request the tests.
 *
 * @module
 */
import { formatRooms, measureRooms } from "./architecture/_budgets.ts";
import { runTask } from "./_run_task.ts";

const CHECKS = [
  "fmt --check",
  "lint",
  "run --allow-read --allow-env test/words/check_words.ts",
  "check --doc mod.ts src test scripts site docs README.md", // without folders where suites of an older checkout may be
  "run --allow-read --allow-write --allow-run test/doc_lint.ts",
  "task docs --check",
  "publish --dry-run --allow-dirty",
];

const TESTS = ["task test", "task test --long"];

const all = Deno.args.includes("--all");
const steps = all ? [...CHECKS, ...TESTS] : CHECKS;

await runTask(all ? "ok" : "checks", {
  forms: [""],
  options: {},
  example: "",
  notes: [`Runs these in order, and ends at the first failure: deno ${steps.join(", ")}`],
  async run() {
    for (const step of steps) {
      console.error(`== deno ${step}`);
      const { code } = await new Deno.Command("deno", { args: step.split(" ") }).spawn().status;
      if (code !== 0) Deno.exit(code);
    }
    console.log(`== what each room costs, in tokens of TypeScript\n${formatRooms(measureRooms())}`);
  },
}, Deno.args.filter((arg) => arg !== "--all"));
