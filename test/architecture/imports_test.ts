import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { importsOf } from "./_imports.ts";

describe("importsOf()", () => {
  const specifiers = (source: string) => importsOf(source).map(({ specifier }) => specifier);

  it("finds every form of import, over several lines too", () => {
    const source = [
      "import a, {\n  b,\n  type C,\n} from './1.ts'",
      'import * as d from "./2.ts";import"./3.ts"',
      'export type {\n E } from "./4.ts"',
      'export * as f from "./5.json" with { type: "json" }',
      'const g = await import(\n  "./6.ts",\n)',
      'type H = typeof import("./7.ts")',
      'new Worker(new URL("8.ts", import.meta.url))',
      'import.meta.resolve("./9.ts")',
      'const i = `${await import("./10.ts")} ${`${import("./11.ts")}`}`',
      'declare module "./12.ts" {}',
    ].join("\n");
    assertEquals(specifiers(source).map((path) => /\d+/.exec(path!)?.[0]), [
      ..."123456789",
      "10",
      "11",
      "12",
    ]);
    assertEquals(importsOf(source)[0].line, 4);
  });

  it("takes comments, strings, templates and regular expressions for what they are", () => {
    const source = [
      '/**\n * ```ts\n * import { a } from "./no.ts";\n * ```\n */',
      '// import "./no.ts"',
      'const a = \'import "./no.ts"\', b = "from \'./no.ts\' \\" ";',
      'const c = `import "./no.ts" ${1 + `}`.length} from "./no.ts" \\` `;',
      'const d = /["\'`/*]\\/[/"]/.test(a), e = a.length / 2 / b.length, f = [/"/, x! / 2, i++ / 2];',
      'Array.from("x"), { from: "y" }, import.meta.url, store.import("z"), a["from"]',
      'import "./yes.ts"',
    ].join("\n");
    assertEquals(specifiers(source), ["./yes.ts"]);
  });

  it("says so where it cannot tell", () => {
    assertEquals(specifiers('import(name); import(`./${a}.ts`); import("./a" + b)'), [
      null,
      null,
      null,
    ]);
    for (const source of ['"open', "`open", "`${open", "/* open", "a = /open"]) {
      assertThrows(() => importsOf(source), Error, "Cannot read");
    }
  });
});
