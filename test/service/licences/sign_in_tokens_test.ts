import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SignInTokens, TOKEN_LIFETIME } from "../../../src/service/licences/browser_sign_in.ts";

describe("SignInTokens", () => {
  it("V14: accepts a token once", () => {
    const tokens = new SignInTokens();
    const token = tokens.issue();
    assertMatch(token, /^[\w-]{22}$/);
    assertEquals([tokens.redeem(token), tokens.redeem(token)], [true, false]);
  });

  it("V14: refuses an expired token, and one that it did not issue", () => {
    let now = 0;
    const tokens = new SignInTokens(() => now);
    const [early, late] = [tokens.issue(), tokens.issue()];
    now = TOKEN_LIFETIME - 1;
    assert(tokens.redeem(early));
    now = TOKEN_LIFETIME;
    for (const token of [late, "", new SignInTokens().issue()]) assert(!tokens.redeem(token));
  });
});
