/**
 * `deno.jsr.json` is the configuration for machines that can reach JSR, and the form to publish. It differs from
 * `deno.json` in the source of `@std`, and in nothing else that a user would notice.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";

interface Config {
  imports: Record<string, string>;
  publish: Record<string, string[]>;
  [field: string]: unknown;
}

async function read(name: string): Promise<Config> {
  return JSON.parse(await Deno.readTextFile(new URL(`../${name}`, import.meta.url)));
}

const here = await read("deno.json");
const jsr = await read("deno.jsr.json");

/** Imports with a prefix, by name. */
function importsTo({ imports }: Config, prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(imports).filter(([, address]) => address.startsWith(prefix)).sort(),
  );
}

const isStd = (name: string) => name.startsWith("@std/");

async function* walkModules(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* walkModules(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) yield new URL(name, folder);
  }
}

describe("deno.jsr.json", () => {
  for (const field of ["name", "version", "license", "exports", "compilerOptions", "lint", "fmt"]) {
    it(`has the ${field} of deno.json`, () => assertEquals(jsr[field], here[field]));
  }

  it("has the npm pins of deno.json, but for the build of @std", () => {
    const { "deno-std/": build, ...pins } = importsTo(here, "npm:");
    assert(build, "deno.json maps deno-std/");
    assertEquals(importsTo(jsr, "npm:"), pins);
  });

  it("has the @std names of deno.json", () => {
    assertEquals(
      Object.keys(jsr.imports).filter(isStd).sort(),
      Object.keys(here.imports).filter(isStd).sort(),
    );
  });

  it("P5: maps each @std name onto the entry of that name on JSR, in an exact version", () => {
    for (const [name, address] of Object.entries(jsr.imports).filter(([name]) => isStd(name))) {
      assertMatch(address, /^jsr:@std\/[a-z-]+@\d+\.\d+\.\d+(\/[a-z-]+)*$/);
      assertEquals(address.replace(/^jsr:/, "").replace(/@[\d.]+/, ""), name);
    }
  });

  it("imports nothing else: no entry leads to a file of ours", () => {
    assertEquals(
      Object.keys(jsr.imports).filter((name) => !isStd(name)).sort(),
      Object.keys(importsTo(jsr, "npm:")).filter((name) => !isStd(name)),
    );
  });

  it("publishes the same, without the doors to the npm build of @std", () => {
    assertEquals(jsr.publish, { ...here.publish, exclude: ["src/std"] });
  });

  it("P1: publishes no module that imports text statically, which JSR refuses", async () => {
    const textImporters: string[] = [];
    for await (const path of walkModules(new URL("../src/", import.meta.url))) {
      const text = await Deno.readTextFile(path);
      if (/^import [^;]* with \{ type: "(text|bytes)" \}/m.test(text)) {
        textImporters.push(path.pathname);
      }
    }
    assertEquals(textImporters, []);
  });

  it("does not touch the lock of deno.json, which has no JSR packages", () => {
    assertEquals(jsr.lock, false);
  });
});
