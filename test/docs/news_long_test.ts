/**
 * The script of docs/news.md that mails what is new, as it is written there but for its paths.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ignoreMissing } from "../../src/disk/files.ts";
import { importFile, makeSite, rowsBetween, wholeExample } from "../sites/_site.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The script, with a folder in the place of those of the system. */
async function readScript(folder: string): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}docs/news.md`);
  const [, script] = /```sh\n(#!\/bin\/sh\n[^]*?)```/.exec(page)!;
  return script.replaceAll("/var/lib/vindkit", `${folder}/data`).replace("/opt/vindkit", ROOT)
    .replace("DENO_DIR=/var/cache/vindkit ", "");
}

describe("the script of docs/news.md", () => {
  it("mails what is new and what needs a person, once each, and nothing otherwise", async () => {
    const folder = await Deno.makeTempDir();
    const site = await makeSite();
    try {
      const whole = (await wholeExample())["climate.csv"];
      const endClimate = (stamp: string) =>
        Deno.writeTextFile(site.path("climate.csv"), rowsBetween(whole, "2022-12-31T00", stamp));
      await endClimate("2024-06-01T01");
      await importFile(await site.siteFile(), `${folder}/data`);
      const mailed = `${folder}/mailed`;
      const sendmail = `#!/bin/sh\n[ "$*" = -t ] && cat >> ${mailed}\n`;
      await Deno.mkdir(`${folder}/bin`);
      await Deno.writeTextFile(`${folder}/bin/sendmail`, sendmail, { mode: 0o755 });
      await Deno.writeTextFile(`${folder}/wind-news`, await readScript(folder), { mode: 0o755 });
      const run = async () => {
        const path = `${folder}/bin:${Deno.env.get("PATH")}`;
        const { code, stderr } = await new Deno.Command(`${folder}/wind-news`, {
          env: { PATH: path, NO_COLOR: "1" },
        }).output();
        assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
        const text = await ignoreMissing(Deno.readTextFile(mailed));
        await ignoreMissing(Deno.remove(mailed));
        return text;
      };
      assertEquals(await run(), undefined);

      await endClimate("2024-07-01T01");
      assertMatch(
        await run() ?? "",
        /^To: wind@example\.org\nSubject: Wind indices: something is new\nContent-Type: [^\n]+\n\nNew since [^]*\n {2}E1: new 2024-06 with [^]*report_2024-06\/index\.html: 1 of 1 turbine/,
      );
      assertEquals(await run(), undefined);

      await Deno.remove(site.path("climate.csv"));
      assertMatch(
        await run() ?? "",
        /Subject: Wind indices: a person is needed\n[^]*\n\n[^]*climate\.csv is missing/,
      );
    } finally {
      for (const one of [folder, site.folder]) await Deno.remove(one, { recursive: true });
    }
  });
});
