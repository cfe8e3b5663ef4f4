import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { budgets, countCode, formatRooms, measureRooms } from "./_budgets.ts";

/** Lines by which a room may be below its ceiling before that is lowered. */
const SLACK = 25;

describe("the budgets of rooms (N2)", () => {
  const sizes = measureRooms();

  it("name each room, and no other", () => {
    assertEquals(Object.keys(budgets).sort(), sizes.map(({ room }) => room).sort());
  });

  for (const { room, code } of sizes) {
    it(`are kept by ${room}, whose ceiling follows it down`, () => {
      const { ceiling } = budgets[room];
      assert(
        code <= ceiling,
        `${room} has ${code} lines of code, ${ceiling} are allowed. Remove some, or raise it here ` +
          `and lower another room:\n${formatRooms(sizes)}`,
      );
      assert(
        ceiling - code <= SLACK,
        `${room} has ${code} lines of code: write that as its ceiling, not ${ceiling}`,
      );
    });
  }

  it("count lines that are neither blank nor comment alone", () => {
    const source = "/**\n * A sum.\n */\n\nexport const a = 1; // one\n// two\nconst b = a;\n";
    assertEquals(countCode(source), 2);
  });
});
