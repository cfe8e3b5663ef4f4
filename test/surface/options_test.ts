import { describe, it } from "@std/testing/bdd";
import { assert } from "@std/assert";

/** The entries of the package but the command line, whose module runs commands. */
const { exports } = (await import("../../deno.json", { with: { type: "json" } })).default;

describe("every exported function", () => {
  for (const [entry, path] of Object.entries(exports)) {
    if (entry === "./cli") continue;
    it(`of ${entry} that takes options checks them by name`, async () => {
      const module = await import(`../../${path}`) as Readonly<Record<string, unknown>>;
      for (const [name, value] of Object.entries(module)) {
        if (typeof value !== "function" || /^class\b/.test(String(value))) continue;
        const [head] = String(value).split(/\{\s*\n/);
        if (!/\boptions\b/.test(head)) continue;
        assert(String(value).includes(`checkOptions("${name}()"`), name);
      }
    });
  }
});
