import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, ConfigurationError } from "../../../src/api/errors.ts";
import { windIndices } from "../../../src/client/calls/wind_indices.ts";
import { withWorld } from "./_locked_server.ts";
import { listFiles } from "./_world.ts";

describe("lockData() with a file that it cannot use", () => {
  const body = {
    operation: "wind_indices",
    parameters: { turbine_id: "T1" },
    sha256: "0".repeat(64),
    fetched_at: "2024-01-01T00:00:00Z",
  };
  const good = (service: string) => ({ vindkit_lock: 1, service, bodies: [body] });
  const bad: Readonly<Record<string, (service: string) => unknown>> = {
    "of another service": () => good("https://other.example"),
    "of the sample": () => good("sample"),
    "of a later layout": (service) => ({ ...good(service), vindkit_lock: 2 }),
    "that is empty": () => "",
    "that is truncated": (service) => JSON.stringify(good(service)).slice(0, -20),
    "with a merge conflict": (service) =>
      JSON.stringify(good(service), null, 2).replace(
        '    "bodies"',
        '<<<<<<< HEAD\n    "bodies"',
      ).replace('"sha256"', '=======\n"sha256"') + "\n>>>>>>> theirs\n",
    "with an invalid hash": (service) => ({
      ...good(service),
      bodies: [{ ...body, sha256: "../../etc/passwd" }],
    }),
    "with data in it": (service) => ({ ...good(service), bodies: [{ ...body, data: "1,2" }] }),
    "that is a list": () => [],
    "that is null": () => null,
    "with an unknown operation": (service) => ({
      ...good(service),
      bodies: [{ ...body, operation: "no_such_operation" }],
    }),
    "that holds a call twice, with two hashes": (service) => ({
      ...good(service),
      bodies: [body, { ...body, sha256: "1".repeat(64) }],
    }),
  };
  for (const [label, make] of Object.entries(bad)) {
    it(`refuses one ${label}, and does not change it`, async () => {
      await withWorld(async ({ path, open, seen, url }) => {
        const content = make(url);
        const text = typeof content === "string" ? content : JSON.stringify(content);
        await Deno.writeTextFile(path, text);
        const error = await assertRejects(() => open(), ConfigurationError);
        assertStringIncludes(error.message, path);
        assertEquals(await Deno.readTextFile(path), text);
        assertEquals(seen.length, 0);
      });
    });
  }

  it("refuses a folder", async () => {
    await withWorld(async ({ path, open }) => {
      await Deno.mkdir(path);
      await assertRejects(() => open(), ConfigurationError);
    });
  });

  it("does not lock another connection", async () => {
    await withWorld(async ({ path, connection, home }) => {
      await windIndices("T1", { connection });
      await assertRejects(() => windIndices("..", { connection }), ArgumentError);
      await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
      assertEquals(listFiles(home), []);
    });
  });
});
