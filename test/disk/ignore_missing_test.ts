import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ignoreMissing } from "../../src/disk/ignore_missing.ts";

describe("ignoreMissing()", () => {
  it("gives undefined for what is missing, the result of another call, and other errors", async () => {
    assertEquals(await ignoreMissing(Deno.readTextFile("/no/such/file")), undefined);
    assertEquals(await ignoreMissing(Promise.resolve(1)), 1);
    await assertRejects(() => ignoreMissing(Deno.readTextFile(".")), Deno.errors.IsADirectory);
  });
});
