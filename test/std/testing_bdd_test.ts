/**
 * `describe` and `it` of `@std/testing/bdd` as this project has them. The tests that must see a run
 * fail start `Deno.execPath()` on `leaks_fixture.ts`: the permission for that is `--allow-run`,
 * because the path of the executable is not known beforehand.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";

interface Run {
  success: boolean;
  output: string;
}

/** Runs one group of the fixture under the project's own configuration. */
async function runGroup(name: string, ...options: string[]): Promise<Run> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--no-prompt",
      `--config=${new URL("../../deno.json", import.meta.url).pathname}`,
      "--allow-read",
      `--filter=/^${name}$/`,
      ...options,
      new URL("leaks_fixture.ts", import.meta.url).pathname,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { success, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

describe("a leak", () => {
  const leaks = [
    ["a leaking timer", "A timer was started in this test"],
    ["a leaking interval in a group inside", "An interval was started in this test"],
    ["a leaking file", "A file was opened during the test"],
  ];
  for (const [group, text] of leaks) {
    // Deno 2.9 attributes the leak of a step to its test, which is the outermost group.
    it(`fails the run and its outermost group: ${group}`, async () => {
      const { success, output } = await runGroup(group);
      assertEquals(success, false, output);
      assertStringIncludes(output, `${group} ... FAILED`);
      assertStringIncludes(output, "Leaks detected");
      assertStringIncludes(output, text);
    });
  }

  it("of a hook for all tests fails the run", async () => {
    const { success, output } = await runGroup("a leaking hook");
    assertEquals(success, false, output);
    assertStringIncludes(output, "A timer was started in this test");
  });

  it("is not found where everything is cleared and closed", async () => {
    const { success, output } = await runGroup("a tidy timer and file");
    assertEquals(success, true, output);
    assertStringIncludes(output, "1 passed (1 step)");
  });
});

describe("what throws", () => {
  it("in a body fails the run, after its hooks and the other tests have run", async () => {
    const { success, output } = await runGroup("a body that throws");
    assertEquals(success, false, output);
    assertStringIncludes(output, "thrown by the body");
    assertEquals(output.match(/^afterEach ran$/gm)?.length, 2);
    assertStringIncludes(output, "the next body ran");
    assertStringIncludes(output, "afterAll ran");
  });

  it("is reported at its own file and line, in the console and in JUnit (N4)", async () => {
    const { output } = await runGroup("a body that throws");
    const fixture = await Deno.readTextFile(new URL("leaks_fixture.ts", import.meta.url));
    const line = fixture.split("\n").indexOf('  it("throws", () => {') + 1;
    const place = `a body that throws ... throws => ./test/std/leaks_fixture.ts:${line}:`;
    assertStringIncludes(output.slice(output.indexOf("FAILURES")), place);
    const { output: report } = await runGroup("a body that throws", "--reporter=junit");
    assertMatch(
      report,
      new RegExp(`&gt; throws" classname="./test/std/leaks_fixture.ts" [^>]* line="${line}"`),
    );
  });

  it("in a hook before a test fails the run without the body", async () => {
    const { success, output } = await runGroup("a hook that throws");
    assertEquals(success, false, output);
    assertStringIncludes(output, "thrown by the hook");
    assert(!output.includes("the body ran"), output);
    assertStringIncludes(output, "afterAll ran");
  });
});

describe("ignore", () => {
  it("counts tests and groups as ignored and runs none of them", async () => {
    const { success, output } = await runGroup("ignored tests");
    assertEquals(success, true, output);
    assertStringIncludes(output, "the first body ran");
    assert(!output.includes("an ignored body ran"), output);
    assertStringIncludes(output, "does not run ... ignored");
    assertStringIncludes(output, "inner ... ignored");
    assertStringIncludes(output, "1 passed (1 step) | 0 failed | 0 ignored (2 steps)");
  });

  it("counts an outermost group as ignored and runs none of its hooks", async () => {
    const { success, output } = await runGroup("an ignored group");
    assertEquals(success, true, output);
    assert(!output.includes("an ignored hook ran"), output);
    assert(!output.includes("an ignored body ran"), output);
    assertStringIncludes(output, "1 ignored");
  });
});

// In one outermost group, because the order of outermost groups is not fixed.
describe("hooks", () => {
  const order: string[] = [];

  describe("around two groups", () => {
    beforeAll(() => void order.push("outer beforeAll"));
    afterAll(() => void order.push("outer afterAll"));
    beforeEach(async () => {
      await Promise.resolve();
      order.push("outer beforeEach");
    });
    afterEach(() => void order.push("outer afterEach"));

    it("run around a first test", () => void order.push("first"));

    describe("inside", () => {
      beforeAll(() => void order.push("inner beforeAll"));
      afterAll(() => void order.push("inner afterAll"));
      beforeEach(() => void order.push("inner beforeEach 1"));
      beforeEach(() => void order.push("inner beforeEach 2"));
      afterEach(() => void order.push("inner afterEach"));

      it("run around a second test", async () => {
        await Promise.resolve();
        order.push("second");
      });
    });
  });

  describe("the hooks of the group above", () => {
    it("ran from the outside in, and back from the inside out", () => {
      assertEquals(order, [
        "outer beforeAll",
        "outer beforeEach",
        "first",
        "outer afterEach",
        "inner beforeAll",
        "outer beforeEach",
        "inner beforeEach 1",
        "inner beforeEach 2",
        "second",
        "inner afterEach",
        "outer afterEach",
        "inner afterAll",
        "outer afterAll",
      ]);
    });

    it("cannot stand outside of describe", () => {
      for (const hook of [beforeAll, afterAll, beforeEach, afterEach]) {
        assertThrows(() => hook(() => {}), Error, `Cannot call ${hook.name}: it stands outside`);
      }
    });
  });
});
