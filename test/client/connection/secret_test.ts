import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { inspect } from "node:util";
import { Secret } from "../../../src/client/connection/settings.ts";

const CANARY = "canary-2d0c";
const secret = new Secret(CANARY);

describe("Secret", () => {
  it("shows its text only by reveal()", () => {
    assertEquals(secret.reveal(), CANARY);
  });

  const displays: Readonly<Record<string, () => string>> = {
    "a template": () => `${secret}`,
    "a concatenation": () => "key " + secret,
    "JSON": () => JSON.stringify({ secret, list: [secret] }),
    "Deno.inspect": () => Deno.inspect(secret, { showHidden: true, getters: true }),
    "an object that holds it": () =>
      Deno.inspect({ deep: { secret, list: [secret] } }, { depth: 9 }),
    "Node's inspect": () => inspect({ secret }, { showHidden: true, depth: 9 }),
    "its keys": () => [...Object.keys(secret), ...Reflect.ownKeys(secret).map(String)].join(),
    "its entries": () => JSON.stringify(Object.entries(secret)),
    "a spread": () => JSON.stringify({ ...secret }),
    "a structured clone": () => Deno.inspect(structuredClone(secret)),
    "the message of an error": () => String(new Error(`Cannot use ${secret}`).stack),
    "a table": () => Deno.inspect(new Map([[secret, secret]])),
  };
  for (const [where, show] of Object.entries(displays)) {
    it(`F20 is not shown in ${where}`, () => {
      const text = show();
      assert(!text.includes(CANARY), text);
    });
  }

  it("shows as three stars", () => {
    assertEquals([`${secret}`, JSON.stringify(secret), Deno.inspect(secret)], [
      "***",
      '"***"',
      "***",
    ]);
  });
});
