import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ceilings, countTokens, formatRooms, MAX_TOKENS, measureRooms } from "./_budgets.ts";

/** Tokens that a room may stay below its ceiling before you must lower the ceiling. */
const SLACK = 100;

describe("the budgets of rooms", () => {
  const sizes = measureRooms();

  it("name each room, and no other", () => {
    assertEquals(Object.keys(ceilings).sort(), sizes.map(({ room }) => room).sort());
  });

  for (const { room, tokens } of sizes) {
    it(`are kept by ${room}, whose ceiling follows it down`, () => {
      const ceiling = ceilings[room];
      assert(
        tokens <= ceiling,
        `${room} has ${tokens} tokens, ${ceiling} are allowed. Remove some, or raise it in ` +
          `_budgets.ts and lower another room there:\n${formatRooms(sizes)}`,
      );
      assert(
        ceiling - tokens <= SLACK,
        `${room} has ${tokens} tokens: write that as its ceiling, not ${ceiling}. All at once: ` +
          "deno run -q -P=checks test/architecture/_budgets.ts --write",
      );
    });
  }

  it("rise together only by what an issue allows", () => {
    const sum = Object.values(ceilings).reduce((all, ceiling) => all + ceiling, 0);
    assert(sum <= MAX_TOKENS, `The ceilings are ${sum} tokens together, not ${MAX_TOKENS}`);
  });
});

describe("the tokens of a module", () => {
  for (
    const [what, source, tokens] of [
      ["are counted without comments and spaces", "/** A sum. */\nconst a = b + 1; // c\n", 7],
      ["are one for a regular expression", "const a = /[/'\"`]{2}/g.test(b);", 10],
      ["tell a division from it", "a = b / c / d[0]! / from;", 14],
      ["are one for a template without values", "a = `b 'c' {d}`;", 4],
      ["are one for each text of a template with values", "a = `b ${{ c }.c} d ${`${e}`} f`;", 14],
    ] as const
  ) it(what, () => assertEquals(countTokens(source), tokens));
});
