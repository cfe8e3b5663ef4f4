/**
 * The scripts of the pages are JavaScript with types in their comments. They are checked here against the types of a
 * browser, because in a common check those would change the types of all other files.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";

const ROOT = new URL("../../../", import.meta.url);
const FOLDER = new URL("src/service/pages/browser/", ROOT);
const FOLDERS = [
  FOLDER,
  ...["browser/", "learn/"].map((name) => new URL(`site/${name}`, ROOT)),
];

/** The parts of V8 that the engine's errors use if it is present. */
const V8_TYPES =
  "interface ErrorConstructor { captureStackTrace(error: object, from?: unknown): void }\n";

/** The configuration of the project, for scripts of a browser. */
async function configuration(): Promise<string> {
  const { imports, compilerOptions } = JSON.parse(
    await Deno.readTextFile(new URL("deno.json", ROOT)),
  );
  const placed = Object.entries<string>(imports).map(([name, address]) => [
    name,
    address.startsWith("./") ? new URL(address, ROOT).href : address,
  ]);
  return JSON.stringify({
    imports: Object.fromEntries(placed),
    nodeModulesDir: "none",
    lock: false,
    compilerOptions: {
      ...compilerOptions,
      checkJs: true,
      types: ["./v8.d.ts"],
      lib: ["dom", "dom.iterable", "dom.asynciterable", "deno.ns", "esnext"],
    },
  });
}

/** Type-checks scripts. */
async function check(...scripts: string[]): Promise<{ success: boolean; output: string }> {
  const folder = await Deno.makeTempDir();
  try {
    const config = `${folder}/deno.json`;
    await Deno.writeTextFile(config, await configuration());
    await Deno.writeTextFile(`${folder}/v8.d.ts`, V8_TYPES);
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", config, ...scripts],
      env: { NO_COLOR: "1" },
      stderr: "piped",
    }).output();
    return { success, output: new TextDecoder().decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

describe("the scripts of the pages", () => {
  it("are type-checked like everything else", async () => {
    const scripts: string[] = [];
    for (const folder of FOLDERS) {
      for await (const { name } of Deno.readDir(folder)) {
        if (name.endsWith(".js")) scripts.push(new URL(name, folder).pathname);
      }
    }
    assertEquals(scripts.length, 9);
    const { success, output } = await check(...scripts);
    assert(success, output);
  });

  it("are refused after a wrong edit", async () => {
    const script = await Deno.makeTempFile({ suffix: ".js" });
    try {
      await Deno.writeTextFile(
        script,
        `import { Service } from "${FOLDER}service.js";\nnew Service({}, "").closed;\ndocument.body.hidden = "yes";\n`,
      );
      const { success, output } = await check(script);
      assert(!success);
      assertMatch(output, /is not assignable to type 'boolean/);
    } finally {
      await Deno.remove(script);
    }
  });
});
