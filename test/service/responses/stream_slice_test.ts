/**
 * A file left open fails the test: the leak sanitizers count files.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { streamSlice } from "../../../src/service/responses/stream_slice.ts";
import { fileAt } from "./_file_at.ts";

const SIZE = 1_000_000;
const bytes = new Uint8Array(SIZE).map((_, i) => i % 253);

describe("streamSlice()", () => {
  let path: string;

  beforeAll(async () => {
    path = await Deno.makeTempFile();
    await Deno.writeFile(path, bytes);
  });
  afterAll(async () => await Deno.remove(path));

  const read = async (stream: ReadableStream<Uint8Array>) => await new Response(stream).bytes();

  for (
    const [from, to] of [[0, SIZE], [1, SIZE - 1], [300_000, 300_001], [0, 1], [262_144, 524_288]]
  ) {
    it(`sends the bytes from ${from} to before ${to}`, async () => {
      assertEquals(await read(streamSlice(fileAt(path), from, to)), bytes.slice(from, to));
    });
  }

  it("sends nothing for an empty part", async () => {
    assertEquals((await read(streamSlice(fileAt(path), 5, 5))).length, 0);
  });

  for (const [from, to] of [[NaN, 5], [0, NaN], [0, Infinity], [-1, 5], [6, 5], [0.5, 5]]) {
    it(`H2: refuses a part from ${from} to before ${to}`, () => {
      assertThrows(
        () => streamSlice(fileAt(path), from, to),
        RangeError,
        `${from} to ${to} is not a range`,
      );
    });
  }

  it("H2: ends with an error if the file is shorter than the part", async () => {
    await assertRejects(
      () => read(streamSlice(fileAt(path), SIZE - 1, SIZE + 1)),
      Error,
      "it ends before the requested range",
    );
  });

  it("reports the end once, before its reader can notice it", async () => {
    const ends: string[] = [];
    const onEnd = async () => {
      await new Promise((done) => setTimeout(done));
      ends.push("end");
    };
    const reader = streamSlice(fileAt(path), 0, SIZE, { onEnd }).getReader();
    for (let length = 0; length < SIZE;) length += (await reader.read()).value!.length;
    assertEquals(ends, [], "it may still go away");
    assertEquals((await reader.read()).done, true);
    assertEquals(ends, ["end"]);
  });

  it("reports no end if its reader leaves", async () => {
    let ends = 0;
    const onEnd = () => Promise.resolve(void ends++);
    const reader = streamSlice(fileAt(path), 0, 1, { onEnd }).getReader();
    await reader.read();
    await reader.cancel();
    assertEquals(ends, 0);
  });

  it("closes the file if its reader leaves in the middle", async () => {
    const reader = streamSlice(fileAt(path), 0, SIZE).getReader();
    const { value } = await reader.read();
    assert(value!.length < SIZE);
    await reader.cancel();
    assertEquals((await reader.read()).done, true);
  });

  it("closes the file if its reader leaves while a part is being read", async () => {
    const reader = streamSlice(fileAt(path), 0, SIZE).getReader();
    const part = reader.read();
    await reader.cancel();
    await part.catch(() => {});
  });

  it("closes the file if its reader leaves before it reads", async () => {
    await streamSlice(fileAt(path), 0, SIZE).cancel();
  });

  it("fails if the file is shorter than it should be, and closes it", async () => {
    await assertRejects(
      () => read(streamSlice(fileAt(path), 0, SIZE + 1)),
      Error,
      "it ends before the requested range",
    );
  });

  it("fails if the file is missing", async () => {
    await assertRejects(() => read(streamSlice(fileAt(`${path}.no`), 0, 1)), Deno.errors.NotFound);
  });

  it("reports once that it is over: at the end, if its reader leaves, or if it fails", async () => {
    let ends = 0;
    const onClose = () => void ends++;
    await read(streamSlice(fileAt(path), 0, SIZE, { onClose }));
    assertEquals(ends, 1);
    const reader = streamSlice(fileAt(path), 0, SIZE, { onClose }).getReader();
    await reader.read();
    assertEquals(ends, 1);
    await reader.cancel();
    assertEquals(ends, 2);
    await read(streamSlice(fileAt(path), 0, SIZE + 1, { onClose })).catch(() => {});
    assertEquals(ends, 3);
    await read(streamSlice(fileAt(path), 0, 0, { onClose }));
    assertEquals(ends, 4);
  });
});
