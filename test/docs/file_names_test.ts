/** Pages about the code name files that are there. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";

const ROOT = new URL("../../", import.meta.url);

/** Paths of the files below a folder. */
function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}${name}/`) : [folder + name]
  );
}

const files = ["deploy/", "src/", "test/", "scripts/", "site/", "notebooks/", "docs/"].flatMap(
  filesBelow,
)
  .concat(
    "mod.ts",
  );
const pages = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", ...filesBelow("docs/")]
  .filter((page) => page.endsWith(".md"));

/** What a page names as a file, by its name alone or with some of its folders. */
function namesIn(text: string): string[] {
  const quoted = text.matchAll(/`([\w./]+\.(?:ts|js))`/g);
  const linked = text.matchAll(/\]\((?!https?:)([^)#]+)/g);
  return [...quoted, ...linked].map(([, name]) => name);
}

describe("pages about the code", () => {
  const known = [...files, ...pages, "README.md", "NOTICE", "deno.json"];
  for (const page of pages) {
    it(`${page} names files that are there`, async () => {
      const names = namesIn(await Deno.readTextFile(new URL(page, ROOT)))
        .map((name) => name.replace(/^(?:\.\.?\/)+/, ""))
        .filter((name) => !/^(?:_\w*test|snake_case)\.ts$/.test(name)); // what files are to be called
      const isThere = (name: string) =>
        known.some((file) => file === name || file.endsWith(`/${name}`));
      assertEquals(names.filter((name) => !isThere(name)), []);
    });
  }
});
