/**
 * The real sites, as `deno task validate` computes them, without the slowest parts, which `deno task soak` computes.
 * The data are not part of the project; without them the name of the ignored test says so.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { dataPresent } from "./_site_data.ts";
import { validation } from "./validation_page.ts";

describe("deno task validate", () => {
  const check = dataPresent() ? it : it.ignore;
  const named = (name: string) =>
    dataPresent() ? name : `${name} (skipped: ../shared/data is not here)`;

  check(named("reaches its goals, and docs/validation.md says what it prints"), async () => {
    const docs = await Deno.readTextFile(new URL("../../docs/validation.md", import.meta.url));
    const { page, missed } = await validation(docs, false);
    assertEquals(page, docs);
    assertEquals(missed, []);
  });
});
