import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { breachesOf, type Sources } from "./_breaches.ts";

/** A small plan. */
const small = {
  rooms: {
    api: [],
    home: [],
    show: ["api"],
    plots: ["api", "show"],
    client: ["api", "home"],
    service: ["api", "home"],
    cli: ["mod.ts", "deno.json", "service"],
    std: [],
  },
  shelves: { api: ["columns", "operations"] },
};

const configText = JSON.stringify(
  {
    name: "@us/house",
    exports: {
      ".": "./mod.ts",
      "./service": "./src/service/entry.ts",
      "./sites": "./src/service/import/entry.ts",
    },
    imports: { "@std/csv": "./src/std/csv.ts", "zod": "npm:zod@4.6.7", "x/": "npm:/x@1.0.0/" },
  },
  null,
  2,
);

/** Breaches of the small plan in sources in memory. */
function breachesIn(sources: Sources): string[] {
  return breachesOf({ "deno.json": configText, ...sources }, small);
}

describe("breachesOf()", () => {
  it("finds nothing in a house that keeps its rules", () => {
    assertEquals(
      breachesIn({
        "mod.ts":
          '/** Doc. */\nexport { a } from "./src/client/mod.ts";\nexport * from "./src/show/a.ts";\n' +
          'export { plotA } from "./src/plots/a.ts";',
        "src/plots/a.ts": 'export { a } from "../show/a.ts";',
        "src/cli/mod.ts":
          'import { a } from "../../mod.ts";\nimport { b } from "../service/mod.ts";\n' +
          'import project from "../../deno.json" with { type: "json" };\nimport { parseArgs } from "node:util";',
        "src/api/a.ts": 'import { z } from "zod";\nimport { b } from "x/b.js";\n',
        "src/show/a.ts": 'import type { A } from "../api/a.ts";\nimport { parse } from "@std/csv";',
        "src/client/mod.ts": 'const service = () => import("../service/mod.ts");',
        "src/service/mod.ts": 'import { DatabaseSync } from "node:sqlite";',
        "scripts/a.ts": 'import { a } from "../mod.ts";\nimport { b } from "@us/house/service";\n' +
          'import { c } from "../src/service/mod.ts";\nimport "./b.ts";',
        "scripts/b.ts": "",
        "src/std/csv.ts": "export const parse = 1;",
      }),
      [],
    );
  });

  const cases: [string, Sources, string[]][] = [
    [
      "a forbidden arrow, static, type-only, re-exported and dynamic",
      {
        "src/show/a.ts": 'import "../api/a.ts";\n\nimport { b } from "../client/b.ts";',
        "src/api/a.ts": 'import type { B } from "../home/b.ts";',
        "src/plots/a.ts": 'export * from "../service/b.ts";',
        "src/home/a.ts": 'type B = import("../api/b.ts").B;\nawait import(`../api/b.ts`);',
        "src/std/a.ts": 'import { b } from "../api/b.ts";',
      },
      [
        "src/show/a.ts:3 imports src/client/b.ts: show may import api, std",
        "src/api/a.ts:1 imports src/home/b.ts: api may import std",
        "src/plots/a.ts:1 imports src/service/b.ts: plots may import api, show, std",
        "src/home/a.ts:1 imports src/api/b.ts: home may import std",
        "src/home/a.ts:2 imports src/api/b.ts: home may import std",
        "src/std/a.ts:1 imports src/api/b.ts: std may import no room",
      ],
    ],
    [
      "a cycle, also of types and within a room",
      {
        "src/api/a.ts": 'import type { B } from "./b.ts";',
        "src/api/b.ts": '\nexport { C } from "./c.ts";',
        "src/api/c.ts": 'const a = import("./a.ts");',
        "src/home/d.ts": 'import { d } from "./d.ts";',
      },
      [
        "src/api/c.ts:1 closes a cycle: src/api/a.ts > src/api/b.ts > src/api/c.ts > src/api/a.ts",
        "src/home/d.ts:1 closes a cycle: src/home/d.ts > src/home/d.ts",
      ],
    ],
    [
      "folders that are not in the plan, that import upwards, or that form a circle with a file",
      {
        "src/api/attic/a.ts": "",
        "src/api/columns/a.ts": 'import "../operations/a.ts";\nimport "../b.ts";',
        "src/api/columns/c.ts": "",
        "src/api/operations/a.ts": "",
        "src/api/b.ts": 'import "./columns/c.ts";',
      },
      [
        "src/api/columns/a.ts:1 imports src/api/operations/a.ts: columns is below operations",
        "src/api/attic:1 is no folder of the plan of api",
        "src/api/b.ts:1 closes a cycle: src/api/columns > src/api/b.ts > src/api/columns",
      ],
    ],
    [
      "more than one way from client to service, and a static one",
      {
        "src/client/a.ts": 'await import("../service/mod.ts");',
        "src/client/b.ts": 'await import("../service/mod.ts");',
        "src/client/c.ts": 'import type { S } from "../service/mod.ts";',
      },
      [
        "src/client/c.ts:1 imports src/service/mod.ts: client may import api, home, std",
        "src/client/a.ts:1 is one of several dynamic imports of service",
        "src/client/b.ts:1 is one of several dynamic imports of service",
      ],
    ],
    [
      "a command that passes by the door of a room (N19)",
      {
        "src/cli/a.ts": 'import type { A } from "../service/mod.ts";\n' +
          'import { b } from "../service/b.ts";\nimport { c } from "../service/import/mod.ts";',
      },
      ["src/cli/a.ts:2 imports src/service/b.ts: cli reaches service by its door, mod.ts"],
    ],
    [
      "no way from client to service",
      { "src/client/mod.ts": "export {};", "src/service/mod.ts": "export {};" },
      ["src/client/mod.ts:1 and its room never import service dynamically"],
    ],
    [
      "files outside of rooms, and imports of them",
      {
        "src/a.ts": "",
        "src/attic/a.ts": "",
        "src/api/a.ts": 'import { b } from "../../test/b.ts";\nimport { c } from "../c.ts";',
        "src/api/d.ts": 'import { e } from "@us/house";',
      },
      [
        "src/a.ts:1 stands in no room",
        "src/attic/a.ts:1 stands in an unknown room, attic",
        "src/api/a.ts:1 imports test/b.ts: files of src/ import files of rooms only",
        "src/api/a.ts:2 imports src/c.ts: files of src/ import files of rooms only",
        "src/api/d.ts:1 imports mod.ts: files of src/ import files of rooms only",
      ],
    ],
    [
      "packages that are not declared, or named by their place",
      {
        "src/api/a.ts": 'import a from "lodash";\nimport b from "npm:zod@4.6.7";\n' +
          'import c from "jsr:@std/csv";\nimport d from "https://a.test/d.ts";\n' +
          'import e from "node:net";\nimport f from "node:zlib";\nimport(name);',
        "test/a_test.ts": 'import a from "zodd";\nimport b from "node:fs";',
      },
      [
        "src/api/a.ts:1 imports lodash, which deno.json does not declare",
        "src/api/a.ts:2 imports npm:zod@4.6.7: src/ imports by the names of deno.json",
        "src/api/a.ts:3 imports jsr:@std/csv: src/ imports by the names of deno.json",
        "src/api/a.ts:4 imports https://a.test/d.ts: src/ imports by the names of deno.json",
        "src/api/a.ts:5 imports node:net: src/ imports by the names of deno.json",
        "src/api/a.ts:7 computes what it imports, which cannot be checked",
        "test/a_test.ts:1 imports zodd, which deno.json does not declare",
      ],
    ],
    [
      "logic in mod.ts, and scripts that reach into rooms",
      {
        "mod.ts": '// "fine"\nexport { a } from "./src/client/a.ts";\nexport const b = 1;\n' +
          'export * from "./src/service/mod.ts";',
        "scripts/a.ts": 'import { a } from "../src/client/a.ts";\nimport { z } from "zod";',
      },
      [
        "mod.ts:4 imports src/service/mod.ts: that room has a subpath export of its own, ./service",
        "scripts/a.ts:1 imports src/client/a.ts: scripts import ../mod.ts, entries of deno.json, doors of rooms and each other only",
        "scripts/a.ts:2 imports zod, a package",
        "mod.ts:3 is no re-export",
      ],
    ],
    [
      "a site that reaches beyond what a browser runs and the doors",
      {
        "site/a.ts": 'import { a } from "../src/windindex/a.ts";\nimport { z } from "zod";\n' +
          'import { b } from "../src/client/b.ts";\nimport "./c.ts";',
        "site/c.ts": "",
      },
      [
        "site/a.ts:3 imports src/client/b.ts: site imports deno.json, entries of it, doors of rooms, and sample, show, stats, windindex only",
      ],
    ],
    [
      "pins that are not exact, and files that are too long",
      {
        "deno.json": configText.replace("zod@4.6.7", "zod@^4.6.7").replace("/x@1.0.0", "/x@1"),
        "src/api/a.ts": "//\n".repeat(400),
        "src/api/b.ts": "//\n".repeat(401),
      },
      [
        "src/api/b.ts:401 is one of 401 lines, at most 400 are allowed",
        "deno.json:10 pins npm:zod@^4.6.7 not exactly",
        "deno.json:11 pins npm:/x@1/ not exactly",
      ],
    ],
  ];
  for (const [name, sources, expected] of cases) {
    it(`reports ${name}`, () => assertEquals(breachesIn(sources), expected));
  }
});
