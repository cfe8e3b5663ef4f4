import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { gzipSync } from "fflate";
import { DataFormatError } from "../../../src/api/errors.ts";
import { gunzip } from "../../../src/frames/files/archive.ts";
import { utf8 } from "../_text.ts";

const pack = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes, { level: 9 }));
const refused = (bytes: Uint8Array<ArrayBuffer>, problem: string) =>
  assertRejects(
    () => gunzip(bytes, "c.csv.gz"),
    DataFormatError,
    `Cannot read c.csv.gz: ${problem}`,
  );

describe("gunzip()", () => {
  it("unpacks a file", async () => {
    assertEquals(await gunzip(pack(utf8("time,a\n")), "a.gz"), utf8("time,a\n"));
    assertEquals(await gunzip(pack(utf8("")), "a.gz"), utf8(""));
  });

  it("F24 H7: refuses a bomb by the size that it states, before it is unpacked", async () => {
    await refused(pack(new Uint8Array(20_000_000)), "it has ");
    const large = pack(utf8("a"));
    new DataView(large.buffer).setUint32(large.length - 4, 600 * 2 ** 20, true);
    await refused(
      large,
      `it has ${600 * 2 ** 20} bytes unpacked, but the limit is ${512 * 2 ** 20}`,
    );
  });

  it("F24 H7: unpacks no byte beyond the stated size, and refuses fewer", async () => {
    for (const size of [10, 9_000_000]) {
      const false_ = pack(new Uint8Array(1_000_000));
      new DataView(false_.buffer).setUint32(false_.length - 4, size, true);
      await refused(false_, "it is not a complete gzip file with one part");
    }
  });

  it("F25 refuses a file that is truncated, or has more bytes after its end", async () => {
    const complete = pack(utf8("time,a\n2023,1\n"));
    await refused(complete.slice(0, 12), "it is not a complete gzip file");
    for (let cut = 1; cut < 20; cut++) {
      await assertRejects(
        () => gunzip(complete.slice(0, -cut), "c.csv.gz"),
        DataFormatError,
        "ownload it again",
      );
    }
    await refused(new Uint8Array([...complete, ...complete]), "it is not a complete gzip file");
  });
});
