import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { operationOf } from "../../../src/api/operations/operations.ts";
import { checkCall } from "../../../src/api/operations/request_path.ts";
import { connect } from "../../../src/client/connection/connection.ts";
import { assertNoPage, buildExcerpt } from "../../../src/client/http/redaction.ts";

const KEY = "canary-7c1d2e";
const bytes = (text: string) => new TextEncoder().encode(text);
const excerptFor = (key: string) =>
  buildExcerpt(checkCall("turbines", {}), connect({ url: "http://127.0.0.1:1", key }));

describe("F20 buildExcerpt()", () => {
  it("shows the first 200 characters of the text, without the spaces around it", () => {
    assertEquals(excerptFor(KEY)(bytes(`\n  ${"wind ".repeat(100)}`)), "wind ".repeat(40));
  });

  it("shows *** instead of the key, each time it occurs", () => {
    const text = `key=${KEY}&again=${KEY}`;
    assertEquals(excerptFor(KEY)(bytes(text)), "key=***&again=***");
  });

  const written: Readonly<Record<string, (key: string) => string>> = {
    "URL-encoded": encodeURIComponent,
    "in HTML": (key) =>
      key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
    "in JSON": (key) => JSON.stringify(key).slice(1, -1),
  };
  for (const [how, write] of Object.entries(written)) {
    it(`shows no part of a key with special characters that is written ${how}`, () => {
      const key = 'ca"na&ry</7c1d2e+x';
      const excerpt = excerptFor(key)(bytes(`The key ${write(key)} is wrong`));
      assert(!excerpt.includes("7c1d2e"), excerpt);
    });
  }

  it("shows no part of a key that is cut by the end of the excerpt", () => {
    for (const key of [KEY, "k".repeat(50) + "e".repeat(400)]) {
      for (let spaces = 1560; spaces <= 1605; spaces++) {
        const excerpt = excerptFor(key)(bytes(" ".repeat(spaces) + key));
        assert(excerpt === "" || excerpt === "***", `${spaces} spaces: ${excerpt}`);
      }
    }
  });

  it("shows no part of a long key that is repeated", () => {
    const key = Array.from({ length: 300 }, (_, i) => (i % 36).toString(36)).join("");
    const excerpt = excerptFor(key)(bytes(`${key} `.repeat(20)));
    assert(/^(\*\*\* ?)+$/.test(excerpt), excerpt);
  });

  it("shows e-mail and serial number of no call, and nothing of the answer with the key", () => {
    const values = { serial_number: "S-7734", email: "zoe.q@example.com" };
    const connection = connect({ url: "http://127.0.0.1:1" });
    const text = bytes("S-7734 zoe.q@example.com");
    const call = checkCall("api_key", values);
    assertEquals(buildExcerpt(call, connection)(text), "***");
    assertEquals(
      buildExcerpt({ ...call, operation: operationOf("turbines") }, connection)(text),
      "*** ***",
    );
  });

  it("E9: removes no letter from a text that ends like the beginning of a key, and ignores short keys", () => {
    assertEquals(excerptFor("e23456789")(bytes("Nothing here")), "Nothing here");
    assertEquals(excerptFor("here")(bytes("Nothing here")), "Nothing here");
  });

  it("accepts bytes that are not text", () => {
    const excerpt = excerptFor(KEY)(crypto.getRandomValues(new Uint8Array(5000)));
    assert(excerpt.length <= 200);
  });
});

describe("F5 assertNoPage()", () => {
  async function through(parts: readonly (string | Uint8Array)[]): Promise<number> {
    async function* source(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      for (const part of parts) {
        await Promise.resolve();
        yield (typeof part === "string" ? bytes(part) : part) as Uint8Array<ArrayBuffer>;
      }
    }
    let length = 0;
    const operation = operationOf("turbines");
    for await (const part of assertNoPage(source(), operation, "http://a/", excerptFor(KEY))) {
      length += part.length;
    }
    return length;
  }

  const pages: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
    "a page": ["<!doctype html><p>Log in"],
    "a page behind spaces": ["\r\n\t  ", "<html>"],
    "a page behind a byte order mark": ["\ufeff<html>"],
    "a page in parts of one byte": [..."<html><body>Log in"],
    "XML": ['<?xml version="1.0"?><error/>'],
    "a page behind empty parts": ["", "", "<html>"],
    "a long page": ["<html>" + "x".repeat(10_000)],
  };
  for (const [label, parts] of Object.entries(pages)) {
    it(`refuses ${label}`, async () => {
      const error = await through(parts).catch((error) => error);
      assert(error instanceof DataFormatError, String(error));
      assert(error.message.length < 700, error.message);
    });
  }

  for (const parts of [["[", "]"], [], [""], ["a<b"], ["x".repeat(5000), "y"], [..."1234567890"]]) {
    it(`lets every byte of ${JSON.stringify(parts).slice(0, 40)} pass`, async () => {
      assertEquals(await through(parts), parts.join("").length);
    });
  }
});
