/**
 * The examples of the OpenAPI document are answers of the sample to requests with the examples of the parameters, cut to
 * a few entries. `deno task test test/service/operations/examples_test.ts -- --update` writes them.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { operations } from "../../../src/api/operations/operations.ts";
import type { Operation } from "../../../src/api/operations/operation.ts";
import examples from "../../../src/api/openapi/examples.json" with { type: "json" };
import { buildPath, serveSample } from "../_sample.ts";

const FILE = new URL("../../../src/api/openapi/examples.json", import.meta.url);

/** Entries of a list, and lines of a table. */
const [MAX_ENTRIES, MAX_LINES] = [2, 4];

/** Shortens long values, also within objects. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, fieldValue]) => [name, shorten(fieldValue)]),
  );
}

/** The example of an answer; `undefined` for files, and for values that change each time. */
function buildExample({ success, changes }: Operation, text: string): unknown {
  if (changes || success.kind === "string" || success.kind === "file") return undefined;
  if (success.kind === "csv") return text.split("\n").slice(0, MAX_LINES).join("\n") + "\n";
  return shorten(JSON.parse(text));
}

describe("the examples of the OpenAPI document", () => {
  it("are answers of the sample", async () => {
    const sample = await serveSample();
    const answers: Record<string, unknown> = {};
    try {
      for (const operation of operations) {
        const { id, parameters } = operation;
        if (buildExample(operation, "[]") === undefined) continue;
        const values = Object.fromEntries(
          parameters.filter(({ example }) => example !== undefined)
            .map(({ name, example }) => [name, example!]),
        );
        const { status, text } = await sample.ask(buildPath(operation, values), {
          key: sample.keys.full,
        });
        assertEquals(status, 200, `${id}: ${text}`);
        answers[id] = buildExample(operation, text);
      }
    } finally {
      await sample.close();
    }
    if (Deno.args.includes("--update")) {
      await Deno.writeTextFile(FILE, JSON.stringify(answers, null, 2) + "\n");
    } else assertEquals(answers, examples as Record<string, unknown>);
  });
});
