import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { rewriteImports } from "./rewrite_imports.ts";

const map = {
  "zod": "npm:zod@4.6.7",
  "hucre/xlsx": "npm:hucre@1.0.0/xlsx",
  "world-atlas/": "npm:/world-atlas@2.0.2/",
  "@std/csv": "./src/std/csv.ts",
};

describe("rewriteImports()", () => {
  const rewrite = (source: string, path = "src/frames/csv/a.ts") =>
    rewriteImports(source, path, map);

  it("makes addresses of names in each form of import, and leaves the rest as it is", () => {
    assertEquals(
      rewrite(
        [
          "import { z } from 'zod';",
          'import atlas from "world-atlas/countries-50m.json" with { type: "json" };',
          'export type { A } from "zod"; import "zod";',
          'const { readXlsx } = await import("hucre/xlsx");',
          'type B = import("zod").B; import { a } from "../a.ts"; import { b } from "node:zlib";',
          '/** ```ts\n * import { z } from "zod";\n * ``` */',
          "const text = 'import \"zod\"';",
        ].join("\n"),
      ),
      [
        "import { z } from 'npm:zod@4.6.7';",
        'import atlas from "npm:world-atlas@2.0.2/countries-50m.json" with { type: "json" };',
        'export type { A } from "npm:zod@4.6.7"; import "npm:zod@4.6.7";',
        'const { readXlsx } = await import("npm:hucre@1.0.0/xlsx");',
        'type B = import("npm:zod@4.6.7").B; import { a } from "../a.ts"; import { b } from "node:zlib";',
        '/** ```ts\n * import { z } from "zod";\n * ``` */',
        "const text = 'import \"zod\"';",
      ].join("\n"),
    );
  });

  it("makes relative paths of names that are files of the package", () => {
    const source = 'import { parse } from "@std/csv";';
    for (
      const [path, to] of [
        ["mod.ts", "./src/std/csv.ts"],
        ["src/std/http.ts", "./csv.ts"],
        ["src/frames/a.ts", "../std/csv.ts"],
        ["src/frames/csv/a.ts", "../../std/csv.ts"],
      ]
    ) assertEquals(rewrite(source, path), source.replace("@std/csv", to));
  });

  it("refuses a name that the map does not have, and an import that is computed", () => {
    assertThrows(
      () => rewrite('\nimport "zodd";'),
      Error,
      'a.ts:2: deno.json does not declare "zodd"',
    );
    assertThrows(() => rewrite("import(name)"), Error, "a.ts:1: it computes what it imports");
  });
});
