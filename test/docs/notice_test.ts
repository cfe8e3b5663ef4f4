import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type LockedPackages, readLicencesOf, writeNotice } from "../../scripts/notice.ts";

const ROOT = new URL("../../", import.meta.url);
const notice = await Deno.readTextFile(new URL("NOTICE", ROOT));
const { npm } = JSON.parse(await Deno.readTextFile(new URL("deno.lock", ROOT))) as {
  npm: LockedPackages;
};
const unknown = () => undefined;

describe("H14 NOTICE", () => {
  it("lists every package of deno.lock with version and licence, and no other", () => {
    const block = notice.split("deno task docs)\n\n")[1].split("\n\n")[0].replaceAll(
      /\n {4}/g,
      " ",
    );
    const listed = block.split("\n").flatMap((line) => {
      const [, name, version, licence, builds] = /^(\S+) (\S+) +(\S.*?)(?: with (.*))?$/.exec(
        line,
      )!;
      assert(licence.length > 0, line);
      return [name, ...(builds?.split(", ") ?? []).map((build) => `${name}-${build}`)]
        .map((one) => `${one}@${version}`);
    });
    const locked = Object.keys(npm).map((key) => key.replace(/_.*/, ""));
    assertEquals(listed.sort(), locked.sort());
  });

  it("is the same where no package is on this machine, as in CI before anything is fetched", () => {
    assertEquals(writeNotice(notice, npm, unknown), notice);
    assertEquals(readLicencesOf("/nowhere")("zod", "4.6.7"), undefined);
  });

  it("takes a licence that has changed from the package itself", () => {
    const changed = writeNotice(notice, npm, (name) => name === "zod" ? "BSL-1.1" : undefined);
    assertEquals(changed, notice.replace(/^(zod .*)MIT$/m, "$1BSL-1.1"));
  });

  it("is not written with a package whose licence nobody knows", () => {
    const more = { ...npm, "left-pad@9.9.9": {} };
    const { message } = assertThrows(() => writeNotice(notice, more, unknown), Error);
    assertStringIncludes(message, "left-pad 9.9.9");
    assertStringIncludes(message, "deno install --frozen");
    assertThrows(() => writeNotice(notice, more, () => "SEE LICENSE IN LICENSE"), Error);
  });
});
