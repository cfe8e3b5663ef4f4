import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals } from "@std/assert";

/** The entries of the package without the command line, whose module runs commands. */
const { exports } = (await import("../../deno.json", { with: { type: "json" } })).default;

describe("every exported function", () => {
  for (const [entry, path] of Object.entries(exports)) {
    if (entry === "./cli") continue;
    it(`of ${entry} that takes options checks them by name`, async () => {
      const module = await import(`../../${path}`) as Readonly<Record<string, unknown>>;
      for (const [name, value] of Object.entries(module)) {
        if (typeof value !== "function" || /^class\b/.test(String(value))) continue;
        const [head] = String(value).split(/\{\s*\n/);
        if (!/\boptions\b/.test(head)) continue;
        assert(String(value).includes(`readOptions("${name}()"`), name);
      }
    });
  }
});

function readSources(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? readSources(new URL(`${name}/`, folder))
      : name.endsWith(".ts")
      ? [Deno.readTextFileSync(new URL(name, folder))]
      : []
  );
}

const plain = (text: string) => text.replace(/(?<=\d)_(?=\d)/g, "").replace(/\s+/g, " ").trim();

/** The fields of an interface, each with the documented default that is written as code. */
function documentedDefaults(source: string, name: string): [string, string | undefined][] {
  const [, body = ""] =
    new RegExp(`interface ${name}\\b[^{]*\\{\\n(.*?)\\n\\}`, "s").exec(source) ?? [];
  return [...body.matchAll(/\/\*\*(.*?)\*\/\n {2}(?:readonly )?(\w+)\??:/gs)].map(
    ([, text, field]) => [field, /@default \{(.*?)\}(?=$|\s)/s.exec(text.trim())?.[1]],
  );
}

describe("the options of a function", () => {
  it("have exactly the documented defaults", () => {
    const sources = readSources(new URL("../../src/", import.meta.url));
    const all = sources.join("\n");
    const valueOf = (text: string) =>
      /^[A-Z_]+$/.test(text)
        ? new RegExp(`const ${text}(?:: \\w+)? = (.*?);`).exec(all)?.[1] ?? text
        : text;
    const differing: string[] = [];
    let compared = 0;
    for (const source of sources) {
      const tables = source.matchAll(
        /declareOptions<\s*(\w+)\s*>\(\)\(\s*"[^"]*"(?:,\s*\{(.*?)\})?(?:,[\s\w,]*)?\);/gs,
      );
      for (const [, name, defaults = ""] of tables) {
        const declared = new Map(
          [...defaults.matchAll(/(\w+): (\[.*?\]|\{\}|"[^"]*"|[^,\n]+)/gs)]
            .map(([, field, value]) => [field, plain(valueOf(value.trim()))]),
        );
        const declaringText = source.includes(`interface ${name} `) ? source : all;
        for (const [field, value] of documentedDefaults(declaringText, name)) {
          const filled = declared.get(field);
          if (value !== undefined || filled !== undefined) compared++;
          if ((value && plain(value)) !== filled) {
            differing.push(`${name}.${field}: ${value}, ${filled}`);
          }
          declared.delete(field);
        }
        differing.push(...[...declared.keys()].map((field) => `${name}.${field} has no sentence`));
      }
    }
    assertEquals(differing, []);
    assert(compared > 40, `${compared} compared`);
  });
});
