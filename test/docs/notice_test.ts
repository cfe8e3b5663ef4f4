import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type LockedPackages, readLicencesOf, writeNotice } from "../../scripts/notice.ts";

const ROOT = new URL("../../", import.meta.url);
const notice = await Deno.readTextFile(new URL("NOTICE", ROOT));
const { npm } = JSON.parse(await Deno.readTextFile(new URL("deno.lock", ROOT))) as {
  npm: LockedPackages;
};
const font = await Deno.readTextFile(new URL("src/plots/drawing/fonts/LICENSE.txt", ROOT));
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
    assertEquals(writeNotice(notice, npm, unknown, font), notice);
    assertEquals(readLicencesOf("/nowhere")("zod", "4.6.7"), undefined);
  });

  it("takes a licence that has changed from the package itself", () => {
    const find = (name: string) => name === "zod" ? "BSL-1.1" : undefined;
    const changed = writeNotice(notice, npm, find, font);
    assertEquals(changed, notice.replace(/^(zod .*)MIT$/m, "$1BSL-1.1"));
  });

  it("NB3: ends with the licence of the font, as it is beside the font", () => {
    assertStringIncludes(font, "Bitstream Vera Fonts Copyright");
    assert(notice.endsWith(`deno task docs)\n\n${font}`));
    assertEquals(writeNotice(notice.replace("Bitstream", "?"), npm, unknown, font), notice);
    const without = notice.replace("Licence of the font", "");
    assertThrows(() => writeNotice(without, npm, unknown, font), Error, "Licence of the font");
  });

  it("is not written with a package whose licence nobody knows", () => {
    const more = { ...npm, "left-pad@9.9.9": {} };
    const { message } = assertThrows(() => writeNotice(notice, more, unknown, font), Error);
    assertStringIncludes(message, "left-pad 9.9.9");
    assertStringIncludes(message, "deno install --frozen");
    assertThrows(() => writeNotice(notice, more, () => "SEE LICENSE IN LICENSE", font), Error);
  });
});
