import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { hashFile, Sha256, sha256 } from "../../src/disk/hashes.ts";
import { randomNumbers } from "../frames/_random.ts";

const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/** The same by the platform. */
async function reference(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

describe("sha256()", () => {
  it("equals FIPS 180-4, for bytes and for a text", () => {
    assertEquals(sha256(""), EMPTY);
    assertEquals(sha256("abc"), ABC);
    assertEquals(sha256(new TextEncoder().encode("abc")), ABC);
    assertEquals(sha256("ø"), sha256(new TextEncoder().encode("ø")));
  });

  it("reads only the bytes of a view", () => {
    assertEquals(sha256(new TextEncoder().encode("xabcx").subarray(1, 4)), ABC);
  });

  it("is the same in parts of any size (property, seeded)", async () => {
    const random = randomNumbers(7);
    for (let i = 0; i < 30; i++) {
      const bytes = Uint8Array.from({ length: random(5000) }, () => random(256));
      const hash = new Sha256();
      for (let at = 0; at < bytes.length;) {
        const size = random(700);
        hash.update(bytes.subarray(at, at + size));
        at += size;
      }
      assertEquals(hash.hex(), await reference(bytes));
    }
  });
});

describe("hashFile()", () => {
  it("is the hash of the content, even beyond one block", async () => {
    const path = await Deno.makeTempFile();
    try {
      assertEquals(await hashFile(path), EMPTY);
      const bytes = new Uint8Array((2 << 20) + 17).map((_, i) => i);
      await Deno.writeFile(path, bytes);
      assertEquals(await hashFile(path), await reference(bytes));
    } finally {
      await Deno.remove(path);
    }
    await assertRejects(() => hashFile(path), Deno.errors.NotFound);
  });
});
