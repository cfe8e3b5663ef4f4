import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { logFailure } from "../../../src/storage/failures/failure_log.ts";

/** What an act prints to the log. */
function listLines(act: () => void): string[] {
  const { error } = console;
  const lines: string[] = [];
  console.error = (line: string) => void lines.push(line);
  try {
    act();
  } finally {
    console.error = error;
  }
  return lines;
}

describe("R8, E3: logFailure()", () => {
  const full = (i: number) =>
    new Error(`No space left on device (os error 28), order ${i} of a8f3c2d1e`);

  it("prints a line a cause and minute, and how many it held back", () => {
    const lines = listLines(() => {
      for (let i = 0; i < 1000; i++) logFailure("a", full(i), true, 1000 + i);
      logFailure("b", full(1), true, 1500);
      logFailure("a", full(2), true, 61_000);
      logFailure("a", full(3), true, 130_000);
    });
    assertEquals(lines, [
      `a: ${full(0).message}`,
      `b: ${full(1).message}`,
      `999 times more since the last line: a: ${full(2).message}`,
      `a: ${full(3).message}`,
    ]);
  });

  it("prints the stack of what does not pass by itself", () => {
    const [line] = listLines(() => logFailure("c", new TypeError("a fault"), false));
    assertMatch(line, /^c: TypeError: a fault\n {4}at /);
  });
});
