import { assertEquals, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { streamSlice } from "../../../src/service/responses/stream_slice.ts";
import { fileAt } from "./_file_at.ts";

const SIZE = 1_000_000;

let path: string;

describe("a stalled reader", () => {
  beforeAll(async () => {
    path = await Deno.makeTempFile();
    await Deno.writeFile(path, new Uint8Array(SIZE));
  });
  afterAll(async () => await Deno.remove(path));

  /** Waits until a stream is abandoned without its reader. */
  async function givenUp(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader();
    await reader.read();
    await assertRejects(() => reader.closed, Error, "the client read no data for");
  }

  it("F40 gets its file closed", async () => {
    await givenUp(streamSlice(fileAt(path), 0, SIZE, { patience: { part: 1 } })); // a leak would fail this test
  });

  it("F40 gets no complete answer", async () => {
    let ends = 0;
    const onEnd = () => Promise.resolve(void ends++);
    await givenUp(streamSlice(fileAt(path), 0, SIZE, { onEnd, patience: { part: 1 } }));
    assertEquals(ends, 0);
  });

  it("F40 frees its place among the downloads, once", async () => {
    let ends = 0;
    const onClose = () => void ends++;
    await givenUp(streamSlice(fileAt(path), 0, SIZE, { onClose, patience: { part: 1 } }));
    assertEquals(ends, 1);
  });

  it("F40 is also abandoned if it takes a little from time to time", async () => {
    const reader = streamSlice(fileAt(path), 0, SIZE, { patience: { part: 60_000, whole: 1 } })
      .getReader();
    await assertRejects(
      async () => {
        while (!(await reader.read()).done) await reader.closed;
      },
      Error,
      "the client read no data for",
    );
  });

  it("does not affect an active reader, and leaves no timer", async () => {
    assertEquals((await new Response(streamSlice(fileAt(path), 0, SIZE)).bytes()).length, SIZE);
    const reader = streamSlice(fileAt(path), 0, SIZE).getReader();
    await reader.read();
    await reader.cancel();
  });
});
