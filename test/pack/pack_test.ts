import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { existsSync } from "node:fs";
import { describe, it } from "@std/testing/bdd";
import { hashFile } from "../../src/disk/hashes.ts";
import { importsOf } from "../architecture/_imports.ts";
import { pack } from "./pack.ts";

/** Paths of the files below a folder with this ending. */
function filesBelow(folder: string, end: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? filesBelow(`${folder}/${name}`, end)
      : name.endsWith(end)
      ? [`${folder}/${name}`]
      : []
  );
}

/** Addresses of the relative links of a page. */
function linksOf(path: string): URL[] {
  const text = Deno.readTextFileSync(path).replaceAll(/^```[^]*?^```/gm, "");
  return [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)|(?:src|href)="([^":#]+)"/g)]
    .map(([, link, attribute]) => new URL(link ?? attribute, `file://${path}`));
}

describe("pack()", () => {
  it("NB3: copies fonts byte by byte, in both forms", async () => {
    const folder = await Deno.makeTempDir();
    try {
      await pack(folder);
      const fonts = filesBelow("src", ".ttf");
      assertEquals(fonts.length, 2);
      for (const font of fonts) {
        for (const form of ["jsr", "npm"]) {
          assertEquals(await hashFile(`${folder}/${form}/${font}`), await hashFile(font), font);
        }
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });

  it("writes all that a user needs, and in the npm form no name that wants an import map", async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.mkdir(`${folder}/npm`);
      await Deno.writeTextFile(`${folder}/npm/old.ts`, "");
      const { jsr, npm } = await pack(folder);
      assert(npm > jsr, "the doors to the npm build of @std are in the npm form only");
      const project = JSON.parse(await Deno.readTextFile("deno.json"));
      for (const form of ["jsr", "npm"]) {
        const names = [...Deno.readDirSync(`${folder}/${form}`)].map(({ name }) => name).sort();
        assertEquals(
          names,
          [
            "CHANGELOG.md",
            "LICENSE",
            "NOTICE",
            "README.md",
            "deno.json",
            "docs",
            "mod.ts",
            "src",
            "types.ts",
          ],
        );
        const config = JSON.parse(await Deno.readTextFile(`${folder}/${form}/deno.json`));
        assertEquals([config.exports, config.version], [project.exports, project.version]);
        assertEquals(config.tasks, undefined);
        for (const path of Object.values<string>(config.exports)) {
          assert(Deno.statSync(`${folder}/${form}/${path}`).isFile);
        }
        const isKnown = (name: string) =>
          /^(?:\.|node:)/.test(name) ||
          (form === "npm"
            ? name.startsWith("npm:")
            : Object.keys(config.imports).some((key) =>
              key === name || key.endsWith("/") && name.startsWith(key)
            ));
        const specifiers = filesBelow(`${folder}/${form}`, ".ts").flatMap((path) =>
          importsOf(Deno.readTextFileSync(path)).map(({ specifier }) => specifier!)
        );
        assertEquals(specifiers.filter((name) => !isKnown(name)), []);
        const links = filesBelow(`${folder}/${form}`, ".md").flatMap(linksOf);
        assert(links.length > 100, `${links.length} links`);
        assertEquals(links.filter((link) => !existsSync(link)).map(String), [], "P5");
        const readme = await Deno.readTextFile(`${folder}/${form}/README.md`);
        assertStringIncludes(readme, "deno add jsr:@vindkit/vindkit", "NB11");
        assertEquals(
          readme.match(/<!--|checkout|not published|deno task (pack|new|demo)/g),
          null,
          "NB11",
        );
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
