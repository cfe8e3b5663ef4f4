import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { budgets, countCode, formatRooms, MAX_CODE, measureRooms } from "./_budgets.ts";

/** Lines by which a room may be below its ceiling before that is lowered. */
const SLACK = 25;

describe("the budgets of rooms", () => {
  const sizes = measureRooms();

  it("name each room, and no other", () => {
    assertEquals(Object.keys(budgets).sort(), sizes.map(({ room }) => room).sort());
  });

  for (const { room, code } of sizes) {
    it(`are kept by ${room}, whose ceiling follows it down`, () => {
      const { ceiling } = budgets[room];
      assert(
        code <= ceiling,
        `${room} has ${code} lines of code, ${ceiling} are allowed. Remove some, or raise it in ` +
          `_budgets.ts and lower another room there:\n${formatRooms(sizes)}`,
      );
      assert(
        ceiling - code <= SLACK,
        `${room} has ${code} lines of code: write that as its ceiling, not ${ceiling}`,
      );
    });
  }

  it("rise together only by what is allowed for features", () => {
    const ceilings = Object.values(budgets).reduce((sum, { ceiling }) => sum + ceiling, 0);
    assert(ceilings <= MAX_CODE, `The ceilings are ${ceilings} lines together, not ${MAX_CODE}`);
  });

  it("count lines that are neither blank nor comment alone", () => {
    const source = "/**\n * A sum.\n */\n\nexport const a = 1; // one\n// two\nconst b = a;\n";
    assertEquals(countCode(source), 2);
  });
});
