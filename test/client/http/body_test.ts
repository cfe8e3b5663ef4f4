import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { type Body, MAX_WHOLE, readStart, readWhole } from "../../../src/client/http/body.ts";

/** Builds a body of parts that counts the parts read. */
function buildBody(
  parts: readonly number[],
  headers: Record<string, string> = {},
): Body & { readonly taken: () => number } {
  let readParts = 0;
  async function* source(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (const length of parts) {
      await Promise.resolve();
      readParts++;
      yield new Uint8Array(length).fill(readParts);
    }
  }
  return {
    status: 200,
    headers: new Headers(headers),
    framed: true,
    deadline: Infinity,
    parts: source(),
    taken: () => readParts,
  };
}

describe("readWhole()", () => {
  const lengths: readonly (string | undefined)[] = [
    undefined,
    "0",
    "3",
    "100001",
    "-1",
    "1e3",
    "soon",
    String(MAX_WHOLE * 10),
    "9".repeat(30),
  ];
  for (const length of lengths) {
    it(`reads all parts if the headers say ${length}`, async () => {
      const body = buildBody([1, 0, 100_000, 7], length ? { "content-length": length } : {});
      const bytes = await readWhole(body, "/");
      assertEquals([bytes.length, bytes[0], bytes[1], bytes.at(-1)], [100_008, 1, 3, 4]);
    });
  }

  it("F28 refuses more than 64 MB without reading on", async () => {
    const body = buildBody(Array(40).fill(4_000_000));
    await assertRejects(() => readWhole(body, "/huge"), DataFormatError, "more than 64 MB");
    assert(body.taken() <= MAX_WHOLE / 4_000_000 + 1, `${body.taken()} parts`);
  });
});

describe("readStart()", () => {
  it("reads only as much as a message needs", async () => {
    const body = buildBody(Array(100).fill(10_000));
    assertEquals((await readStart(body)).length, 65_536);
    assertEquals(body.taken(), 7);
  });

  it("reads all of a short body", async () => {
    assertEquals((await readStart(buildBody([3, 4]))).length, 7);
  });
});
