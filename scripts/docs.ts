/** Writes docs/api.md from the contract, or compares it: `deno task docs [--check]`. */
import { apiReference } from "@vindkit/vindkit/service";

const PATH = "docs/api.md";

const text = apiReference();
if (Deno.args.includes("--check")) {
  const known = await Deno.readTextFile(PATH).catch(() => "");
  if (known !== text) {
    console.error(`${PATH} is not what the contract says. Run: deno task docs`);
    Deno.exit(1);
  }
} else {
  await Deno.writeTextFile(PATH, text);
  console.log(`${PATH} written`);
}
