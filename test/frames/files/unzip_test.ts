import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { zipSync } from "fflate";
import { DataFormatError } from "../../../src/api/errors.ts";
import { unzipMember, verifyZip } from "../../../src/frames/files/archive.ts";
import { unzipOne } from "./_unzip_one.ts";
import { randomNumbers } from "../_random.ts";
import { utf8 } from "../_text.ts";

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const table = utf8("a,b\n" + "1,2\n".repeat(1000));

/** Unpacks an archive from memory and from a file: both must give the same result. */
async function unfolded(bytes: Uint8Array): Promise<Uint8Array> {
  const path = await Deno.makeTempFile({ suffix: ".zip" });
  try {
    await Deno.writeFile(path, bytes);
    const sources = [bytes, path];
    const results: (Uint8Array | Error)[] = [];
    for (const source of sources) {
      const parts: number[] = [];
      const taken = unzipMember(source, "data.zip", ".csv", (part) => void parts.push(...part));
      results.push(await taken.then(() => Uint8Array.from(parts), (error) => error));
    }
    assertEquals(String(results[0]), String(results[1]));
    const [result] = results;
    if (result instanceof Error) throw result;
    return result;
  } finally {
    await Deno.remove(path);
  }
}

const refused = (bytes: Uint8Array, message = "Cannot unzip data.zip: ") =>
  assertRejects(() => unfolded(bytes), DataFormatError, message);

/** Positions at which a record with this signature begins. */
function records(bytes: Uint8Array, signature: number): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const positions: number[] = [];
  for (let i = 0; i + 4 <= bytes.length; i++) {
    if (view.getUint32(i, true) === signature) positions.push(i);
  }
  return positions;
}

/** A copy with 32-bit numbers put at positions of the records with a signature. */
function patched(bytes: Uint8Array, changes: [signature: number, at: number, value: number][]) {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  for (const [signature, at, value] of changes) {
    for (const record of records(bytes, signature)) view.setUint32(record + at, value, true);
  }
  return copy;
}

describe("unzipMember()", () => {
  it("hands a member on in parts, from memory and from a file", async () => {
    const random = randomNumbers(8);
    const large = Uint8Array.from({ length: 300_000 }, () => random(256));
    const path = await Deno.makeTempFile();
    await Deno.writeFile(path, zipSync({ "data.csv": large }));
    const parts: Uint8Array[] = [];
    await unzipMember(path, "data.zip", ".csv", (part) => void parts.push(part.slice()));
    await Deno.remove(path);
    assert(parts.length > 1);
    assertEquals(new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer()), large);
  });

  it("stops when the sink throws, with its error", async () => {
    const thrown = new DataFormatError("Cannot read it: enough");
    const failing = () => {
      throw thrown;
    };
    const failure = await unzipMember(zipSync({ "data.csv": table }), "data.zip", ".csv", failing)
      .catch((error) => error);
    assertEquals(failure === thrown, true);
  });

  it("fails if the file is missing, and leaves no file open", async () => {
    const nowhere = () => unzipMember("/nowhere/data.zip", "data.zip", ".csv", () => {});
    await assertRejects(nowhere, Deno.errors.NotFound);
  });

  it("F23 refuses symbolic links", async () => {
    // The upper half of the attributes is the mode of POSIX: 0o120777 is a link.
    const link = patched(zipSync({ "data.csv": utf8("/etc/passwd") }), [
      [CENTRAL, 38, 0o120777 << 16],
    ]);
    await refused(link, "it contains a symbolic link");
    const plain = patched(zipSync({ "data.csv": table }), [[CENTRAL, 38, 0o100644 << 16]]);
    assertEquals(await unfolded(plain), table);
  });

  it("F24 refuses a member of more than 200 times its packed bytes before unpacking it", async () => {
    const zeros = new Uint8Array(12_000_000).fill(48);
    await refused(
      zipSync({ "data.csv": zeros }),
      "bytes packed and 12000000 unpacked, more than 200 times as many. Tables do not compress",
    );
  });

  it("F24 accepts small repetitive members, and tables packed as well as tables can be", async () => {
    const few = new Uint8Array(900_000).fill(48);
    assertEquals((await unzipOne(zipSync({ "data.csv": few }), "x", ".csv")).length, 900_000);
    const start = Date.UTC(2000, 0, 1);
    const rows = Array.from(
      { length: 400_000 },
      (_, i) => `${new Date(start + i * 3_600_000).toISOString().slice(0, 19)}Z,0,0,0,0,0\n`,
    );
    const constant = utf8(rows.join("")); // 12 MB, which pack as well as hourly data can
    const unzipped = await unzipOne(zipSync({ "data.csv": constant }), "x", ".csv");
    assertEquals(unzipped.length, constant.length);
  });

  it("F24 refuses false sizes in either direction, even if all records agree on them", async () => {
    const bytes = zipSync({ "data.csv": table });
    for (const size of [10, table.length - 1, table.length + 1, 100_000]) {
      await refused(patched(bytes, [[CENTRAL, 24, size]]));
      await refused(patched(bytes, [[CENTRAL, 24, size], [LOCAL, 22, size]]));
    }
    const packed = new DataView(bytes.buffer).getUint32(18, true);
    for (const size of [packed - 1, packed + 1, 2]) {
      await refused(patched(bytes, [[CENTRAL, 20, size], [LOCAL, 18, size]]));
    }
  });

  it("F24 passes on no byte beyond the stated size of a member", async () => {
    const zeros = new Uint8Array(5_000_000).fill(48);
    const bomb = patched(zipSync({ "data.csv": zeros }), [[CENTRAL, 24, 10], [LOCAL, 22, 10]]);
    let taken = 0;
    const take = (part: Uint8Array) => void (taken += part.length);
    await assertRejects(() => unzipMember(bomb, "data.zip", ".csv", take), DataFormatError);
    assertEquals(taken <= 10, true, `${taken} bytes`);
  });

  it("F25 says what to do about an encrypted member", async () => {
    const bytes = zipSync({ "data.csv": table });
    for (const [signature, at] of [[LOCAL, 6], [CENTRAL, 8]]) {
      for (const record of records(bytes, signature)) bytes[record + at] |= 1; // bit 0 of the flags
    }
    await refused(bytes, "Cannot unzip data.zip: a file in it is encrypted. Request it without");
  });

  it("F24 refuses a list of a million members before it is in memory", async () => {
    // Without the members, only the record with the bytes of their list: 46 each.
    const list = 46_000_000;
    const bytes = new Uint8Array(list + 22);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < list; at += 46) view.setUint32(at, CENTRAL, true);
    view.setUint32(list, 0x06054b50, true);
    view.setUint16(list + 8, 0xfffe, true);
    view.setUint16(list + 10, 0xfffe, true);
    view.setUint32(list + 12, list, true);
    await assertRejects(
      () => unzipMember(bytes, "data.zip", ".csv", () => {}),
      DataFormatError,
      "its list of files has 46000000 bytes, but the limit is",
    );
  });

  it("F24 refuses members that share bytes", async () => {
    const bytes = zipSync({ "a.csv": table, "b.txt": table });
    const [, second] = records(bytes, CENTRAL);
    const copy = bytes.slice();
    new DataView(copy.buffer).setUint32(second + 42, 10, true); // where its local record begins
    await refused(copy, 'its files overlap, as in a zip bomb ("b.txt")');
  });

  it("F24 does not open an archive in the archive, and says so", async () => {
    const inner = zipSync({ "data.csv": table });
    const { message } = await refused(zipSync({ "inner.zip": inner }));
    assertStringIncludes(
      message,
      'it has 0 files whose names end in ".csv", but must have exactly one',
    );
    assertStringIncludes(message, "Unzip it, and give the archive inside");
  });

  it("F25 names the members of an archive with several tables", async () => {
    const { message } = await refused(
      zipSync({ "readme.txt": table, "a.csv": table, "b.csv": table }),
    );
    assertStringIncludes(message, 'Its files are "a.csv", "b.csv", and more. Unzip it');
  });

  it("F25 opens an archive with data before it and after it", async () => {
    const bytes = zipSync({ "data.csv": table });
    const around = new Uint8Array([...utf8("#!/bin/sh\nexit\n"), ...bytes, ...utf8("\n\n")]);
    assertEquals(await unfolded(around), table);
  });
});

describe("verifyZip()", () => {
  const verified = (bytes: Uint8Array) => verifyZip(bytes, "data.zip");

  it("F25 finds one wrong byte in any member, and no fault in an intact archive", async () => {
    const bytes = zipSync({
      "folder/": new Uint8Array(0),
      "a.csv": [table, { level: 0 }],
      "b.bin": [table, { level: 0 }],
    });
    await verified(bytes);
    for (const record of records(bytes, LOCAL).slice(-2)) {
      const torn = bytes.slice();
      torn[record + 30 + "a.csv".length + 7] ^= 1;
      await assertRejects(
        () => verified(torn),
        DataFormatError,
        "Cannot unzip data.zip: it is damaged",
      );
    }
    await assertRejects(() => verified(bytes.subarray(0, bytes.length - 30)), DataFormatError);
  });

  it("F24 refuses a bomb", async () => {
    const zeros = new Uint8Array(12_000_000).fill(48);
    const bomb = zipSync({ "data.csv": table, "bomb.bin": zeros });
    await assertRejects(() => verified(bomb), DataFormatError, "more than 200 times as many");
  });
});
