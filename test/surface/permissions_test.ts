import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import project from "../../deno.json" with { type: "json" };

describe("an entry in a program without permissions", () => {
  for (const entry of [".", "./report", "./sites", "./service"] as const) {
    it(`NB11: ${entry} explains how to run it`, async () => {
      const path = new URL(`../../${project.exports[entry]}`, import.meta.url).pathname;
      const { code, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-prompt", path],
        env: { NO_COLOR: "1" },
        stdin: "null",
      }).output();
      const text = new TextDecoder().decode(stderr);
      assertEquals(code, 1, text);
      assertStringIncludes(
        text,
        "ConfigurationError: Cannot load Vindkit: this program has no permissions. In a folder",
      );
    });
  }
});
