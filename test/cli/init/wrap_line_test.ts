import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { wrapLine } from "../../../src/cli/init/wrap_line.ts";

describe("wrapLine()", () => {
  it("breaks a long line between words, indents what follows, and leaves a path whole", () => {
    assertEquals(wrapLine("  short"), "  short");
    const words = "word ".repeat(30).trim();
    const lines = wrapLine(`  ${words}`).split("\n");
    assertEquals(lines.map((line) => line.length <= 100), [true, true]);
    assertEquals(/^ {4}word/.test(lines[1]), true);
    assertEquals(lines.join(" ").split(/\s+/).filter((word) => word === "word").length, 30);
    const path = `/${"folder/".repeat(20)}`;
    assertEquals(wrapLine(`Written: ${path}`), `Written:\n  ${path}`);
  });
});
