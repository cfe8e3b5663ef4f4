import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DamagedFileError } from "../../../src/disk/files.ts";
import { writeAtomically } from "../../../src/disk/side_file.ts";
import { logFailure } from "../../../src/storage/failures/failure_log.ts";
import { canMount, nameMounting, SmallDisk } from "../../service/_small_disk.ts";
import { createName } from "../../../src/service/licences/licences.ts";

/** Lists the lines that a function prints to the log. */
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

  it("prints one line per cause and minute, with the number held back", () => {
    const lines = listLines(() => {
      const at = (now: number) => ({ passes: true, now });
      for (let i = 0; i < 1000; i++) logFailure("a", full(i), at(1000 + i));
      logFailure("b", full(1), at(1500));
      logFailure("a", full(2), at(61_000));
      logFailure("a", full(3), at(130_000));
    });
    assertEquals(lines, [
      `a: ${full(0).message}`,
      `b: ${full(1).message}`,
      `999 more times since the last line: a: ${full(2).message}`,
      `a: ${full(3).message}`,
    ]);
  });

  it("prints the stack of a failure that does not pass by itself", () => {
    const [line] = listLines(() =>
      logFailure("c", new TypeError("a fault"), { of: "order 7", passes: false })
    );
    assertMatch(line, /^c \(order 7\): TypeError: a fault\n {4}at /);
  });

  it("SV2: distinguishes passing causes by the kind of error and the damaged file", () => {
    const busy = Object.assign(new Error("busy"), { code: "EBUSY" });
    const lost = new Error("Cannot read it", { cause: Object.assign(new Error("lost"), busy) });
    const errors = [busy, lost, new DamagedFileError("a", "-"), new DamagedFileError("b", "-")];
    const lines = listLines(() => {
      for (const error of [...errors, ...errors]) logFailure("d", error, { passes: true });
    });
    assertEquals(lines, errors.map(({ message }) => `d: ${message}`));
  });

  const check = canMount ? it : it.ignore;
  const title = "SV2: prints a line, and then a count, of 200 orders that a full disk stops";
  check(nameMounting(title), async () => {
    await using disk = (await SmallDisk.mount("64k"))!;
    const errors: unknown[] = [];
    for (let i = 0; i < 200; i++) {
      const order = createName();
      await writeAtomically(`${disk.folder}/${order}.csv`, new Uint8Array(128 * 1024))
        .catch((error) =>
          errors.push(new Error(`Cannot build ${order}: ${error.message}`, { cause: error }))
        );
    }
    const lines = listLines(() => {
      for (const error of errors) logFailure("an order waits", error, { of: createName() });
      logFailure("an order waits", errors[0], { now: performance.now() + 61_000 });
    });
    assertEquals([errors.length, lines.length], [200, 2]);
    assertMatch(lines[0], /^an order waits \(\S+\): Cannot build .*No space left on device/);
    assertMatch(lines[1], /^199 more times since the last line: an order waits: /);
  });
});
