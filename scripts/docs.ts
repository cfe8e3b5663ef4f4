/** Writes docs/api.md from the contract, or compares it. */
import { type Command, runCommand } from "@vindkit/vindkit/cli";
import { apiReference } from "@vindkit/vindkit/service";

const PATH = "docs/api.md";

const docs: Command = {
  forms: ["[--check]"],
  options: { check: { about: "only compares, and fails where the page differs" } },
  example: "--check",
  rest: 0,
  async run({ flag }) {
    const text = apiReference();
    if (!flag("check")) {
      await Deno.writeTextFile(PATH, text);
      console.log(`${PATH} written`);
    } else if (text !== await Deno.readTextFile(PATH).catch(() => "")) {
      throw new Error(`${PATH} is not what the contract says. Run: deno task docs`);
    }
  },
};

const purpose = "Writes docs/api.md from the contract";
Deno.exit(await runCommand({ name: "docs", purpose }, docs, Deno.args));
