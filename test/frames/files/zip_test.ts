import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { zipSync } from "fflate";
import { DataFormatError } from "../../../src/api/errors.ts";
import { isZip, zip } from "../../../src/frames/files/archive.ts";
import { unzipOne } from "./_unzip_one.ts";
import { utf8 } from "../_text.ts";

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const table = utf8("a,b\n" + "1,2\n".repeat(1000));

const unzip = (bytes: Uint8Array, ending = ".csv") => unzipOne(bytes, "data.zip", ending);
const refused = (bytes: Uint8Array, message = "Cannot unzip data.zip: ") =>
  assertRejects(() => unzip(bytes), DataFormatError, message);

/** Positions at which a record with this signature begins. */
function records(bytes: Uint8Array, signature: number): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const positions: number[] = [];
  for (let i = 0; i + 4 <= bytes.length; i++) {
    if (view.getUint32(i, true) === signature) positions.push(i);
  }
  return positions;
}

/** A copy with another value in a 32-bit field of the first central record: 24 is the unpacked size. */
function patched(bytes: Uint8Array, field: number, value: number): Uint8Array {
  const copy = bytes.slice();
  const [record] = records(copy, CENTRAL);
  new DataView(copy.buffer).setUint32(record + field, value, true);
  return copy;
}

describe("zip()", () => {
  it("gives its members the same time in every zone", async () => {
    const bytes = await zip({ "data.csv": table });
    // Time and date of the format: midnight, 1 January of the 20th year after 1980.
    assertEquals([...bytes.subarray(10, 14)], [0, 0, 1 << 5 | 1, 20 << 1]);
  });

  it("makes archives that unzipMember() opens", async () => {
    const bytes = await zip({ "data.csv": table });
    assertEquals(isZip(bytes), true);
    assertEquals(bytes.length < table.length / 10, true);
    assertEquals(await unzip(bytes), table);
  });

  it("makes the same bytes of the same data", async () => {
    assertEquals(await zip({ "data.csv": table }), await zip({ "data.csv": table }));
  });
});

describe("isZip()", () => {
  it("recognizes archives, even an empty one, and nothing else", () => {
    assertEquals(isZip(zipSync({})), true);
    for (const text of ["", "P", "PK", "PK,a,b\n", "time,power\n"]) {
      assertEquals(isZip(utf8(text)), false, text);
    }
  });
});

describe("unzipMember()", () => {
  it("unpacks only the member with the ending, in any case of letters", async () => {
    const bytes = zipSync({ "README.txt": utf8("read"), "folder/DATA.CSV": table });
    assertEquals(await unzip(bytes), table);
    assertEquals(await unzip(bytes, ".txt"), utf8("read"));
  });

  it("F25 refuses an archive without such a member, and names its members", async () => {
    const { message } = await refused(zipSync({ "a.txt": table, "b.nc": table }));
    assertStringIncludes(
      message,
      'it has 0 files whose names end in ".csv", but must have exactly one',
    );
    assertStringIncludes(message, '"a.txt", "b.nc"');
    await refused(zipSync({}), "it has 0 files");
  });

  it("F25 refuses an archive with several such members", async () => {
    const bytes = zipSync({ "a.csv": table, "b.csv": table });
    await refused(bytes, 'it has 2 files whose names end in ".csv", but must have exactly one');
  });

  it("F25 refuses two members with one name: none may win silently", async () => {
    const bytes = zipSync({ "a.csv": table, "b.csv": utf8("a,b\n9,9\n") });
    // The second member gets the name of the first, in both of its records.
    for (const [signature, offset] of [[LOCAL, 30], [CENTRAL, 46]]) {
      bytes[records(bytes, signature)[1] + offset] = "a".charCodeAt(0);
    }
    await refused(bytes);
  });

  it("F25 refuses a member whose content does not fit its CRC", async () => {
    const bytes = zipSync({ "data.csv": [table, { level: 0 }] });
    bytes[30 + "data.csv".length + 4] ^= 1; // "1,2" becomes "0,2"
    await refused(bytes);
  });

  it("F25 refuses an encrypted member", async () => {
    const bytes = zipSync({ "data.csv": table });
    for (const [signature, offset] of [[LOCAL, 6], [CENTRAL, 8]]) {
      bytes[records(bytes, signature)[0] + offset] |= 1; // bit 0 of the flags
    }
    const { message } = await refused(bytes);
    assertStringIncludes(message.toLowerCase(), "encrypted");
  });

  it("F24 refuses a member whose stated size is more than a gigabyte", async () => {
    const bytes = patched(zipSync({ "data.csv": table }), 24, 2_000_000_000);
    await refused(bytes, "a member has 2000000000 bytes unpacked");
  });

  it("F24 refuses a member that is longer than its stated size, instead of cutting it silently", async () => {
    await refused(patched(zipSync({ "data.csv": table }), 24, 10));
  });

  it("F24 refuses an archive with more members than any delivery has", async () => {
    const names = Array.from({ length: 1001 }, (_, i) => `${i}.txt`);
    const many = Object.fromEntries(names.map((name) => [name, new Uint8Array(0)]));
    await refused(zipSync({ ...many, "data.csv": table }), "it has more than 1000 files");
  });

  it("F24 does not read other members, whatever their size", async () => {
    const bytes = patched(zipSync({ "a.bin": table, "data.csv": table }), 24, 0xfffffff0);
    assertEquals(await unzip(bytes), table);
  });

  it("F25 refuses damaged archives", async () => {
    const bytes = zipSync({ "data.csv": table });
    await refused(bytes.subarray(0, 40), "it is damaged or unsupported");
    await refused(bytes.subarray(0, bytes.length - 30));
    const torn = bytes.slice();
    torn.fill(0xff, 40, 48);
    await refused(torn);
  });

  it("F25 reads archives that were written as a stream, and in zip64", async () => {
    // Both by Python: zipfile into a pipe (sizes follow the data), and records written by hand with
    // struct, which zipfile reads.
    const stream =
      "UEsDBBQACAAAAAAAIVAAAAAAAAAAAAAAAAAIAAAAZGF0YS5jc3ZhLGIKMSwyClBLBwh7B5cKCAAAAAgAAABQSwEC" +
      "FAMUAAgAAAAAACFQeweXCggAAAAIAAAACAAAAAAAAAAAAAAAgAEAAAAAZGF0YS5jc3ZQSwUGAAAAAAEAAQA2AAAAPgAA" +
      "AAAA";
    const zip64 =
      "UEsDBC0AAAAAAAAAIVB7B5cK//////////8IABQAZGF0YS5jc3YBABAACAAAAAAAAAAIAAAAAAAAAGEsYgoxLDIK" +
      "UEsBAi0ALQAAAAAAAAAhUHsHlwr//////////wgAHAAAAAAAAAAAAAAA/////2RhdGEuY3N2AQAYAAgAAAAAAAAACAAA" +
      "AAAAAAAAAAAAAAAAAFBLBgYsAAAAAAAAAC0ALQAAAAAAAAAAAAEAAAAAAAAAAQAAAAAAAABSAAAAAAAAAEIAAAAAAAAA" +
      "UEsGBwAAAACUAAAAAAAAAAEAAABQSwUGAAAAAP///////////////wAA";
    for (const archive of [stream, zip64]) {
      const bytes = Uint8Array.from(atob(archive), (character) => character.charCodeAt(0));
      assertEquals(await unzip(bytes), utf8("a,b\n1,2\n"));
    }
  });

  it("F23 returns the content whatever the name of the member: names are not used as paths", async () => {
    const names = [
      ...["../../data.csv", "/etc/data.csv", "C:\\data.csv", "\\\\host\\share\\data.csv"],
      ...["..\\data.csv", "CON.csv", "a.txt:data.csv", "constructor.csv", "nul\0.csv"],
    ];
    for (const name of names) assertEquals(await unzip(zipSync({ [name]: table })), table, name);
  });

  it("F28 accepts a member called __proto__", async () => {
    const zipNamed = (name: string) => zipSync({ [name]: utf8("a\n1\n") });
    assertEquals(await unzip(zipNamed("__proto__.csv")), utf8("a\n1\n"));
    assertEquals(({} as Record<string, unknown>).csv, undefined);
  });
});
