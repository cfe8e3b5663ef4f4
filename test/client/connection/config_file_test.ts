import { assert, assertEquals, assertThrows } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { configPath, readConfigFile } from "../../../src/client/connection/settings.ts";

const CANARY = "canary-5f3a";

describe("readConfigFile()", () => {
  let home: string;

  beforeEach(async () => {
    home = await Deno.makeTempDir();
  });
  afterEach(async () => {
    await Deno.remove(home, { recursive: true });
  });

  function refusal(text: string): string {
    Deno.writeTextFileSync(configPath(home), text);
    return assertThrows(() => readConfigFile(home), SyntaxError).message;
  }

  it("reads config.json of the home folder", () => {
    assertEquals(configPath(home), `${home}/config.json`);
    Deno.writeTextFileSync(configPath(home), '{ "url": "https://example.com", "key": "k" }');
    assertEquals(readConfigFile(home), { url: "https://example.com", key: "k" });
  });

  it("is empty if the file or the home folder is missing", () => {
    assertEquals(readConfigFile(home), {});
    assertEquals(readConfigFile(`${home}/nowhere`), {});
  });

  it("H12 refuses a link in its place", () => {
    Deno.writeTextFileSync(`${home}/other.json`, `{ "key": "${CANARY}" }`);
    Deno.symlinkSync(`${home}/other.json`, configPath(home));
    const { message } = assertThrows(() => readConfigFile(home), SyntaxError);
    assertEquals(
      message,
      `Cannot read ${configPath(home)}: it is a symbolic link. Replace the link with the file`,
    );
  });

  it("is empty if the file is", () => {
    Deno.writeTextFileSync(configPath(home), "{}");
    assertEquals(readConfigFile(home), {});
  });

  it("refuses invalid JSON, and names the file", () => {
    assertEquals(
      refusal(`{ "key": "${CANARY}", }`),
      `Cannot read ${home}/config.json: it is not JSON. Write an object such as { "url": "https://host/" }`,
    );
    assertEquals(
      refusal(""),
      `Cannot read ${home}/config.json: it is not JSON. Write an object such as { "url": "https://host/" }`,
    );
  });

  it("refuses JSON that is not an object", () => {
    for (const text of ["null", "[]", "5", `"${CANARY}"`]) {
      assertEquals(
        refusal(text),
        `Cannot read ${home}/config.json: it is not a JSON object. Write an object such as { "url": "https://host/" }`,
      );
    }
  });

  it("refuses an unknown field, and names the known ones", () => {
    assertEquals(
      refusal(`{ "Key": "${CANARY}" }`),
      `Cannot read ${home}/config.json: it has the unknown field "Key". Remove this field, or use url, key or data`,
    );
    assert(refusal('{ "__proto__": {} }').includes('"__proto__"'));
  });

  it("refuses a value that is not a text", () => {
    for (const value of ["null", "5", `["${CANARY}"]`, `{ "a": "${CANARY}" }`]) {
      assertEquals(
        refusal(`{ "key": ${value} }`),
        `Cannot read ${home}/config.json: "key" is not a text. Put the value in quotes`,
      );
    }
  });

  it("F20 shows no value in any message", () => {
    for (
      const text of [
        `{ "key": "${CANARY}", }`,
        `{ "key": "${CANARY}", "other": "${CANARY}" }`,
        `{ "key": ["${CANARY}"] }`,
        `"${CANARY}"`,
      ]
    ) {
      assert(!refusal(text).includes(CANARY), text);
    }
  });

  it("does not mistake an unreadable file for a missing one", () => {
    Deno.mkdirSync(configPath(home));
    assertThrows(() => readConfigFile(home));
  });
});
