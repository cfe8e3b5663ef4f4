import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { FileNames } from "../../src/report/fleet_report.ts";
import { buildReport, turbine } from "./_report.ts";

const HOSTILE = [
  "../x",
  "..",
  ".",
  "a/b",
  "a\\b",
  "C:\\x",
  "/etc/passwd",
  "-rf",
  ".hidden",
  "CON",
  "nul.txt",
  "T1 ",
  "T1\n",
  "T1\u0000",
  "%2e%2e",
  "a?b#c",
  "Ølby 1",
  "風車",
  "🌬️",
  "x".repeat(5000),
  "\ud800",
];

describe("FileNames", () => {
  it("leaves plain identifiers unchanged", () => {
    const names = new FileNames();
    for (const id of ["T1", "WTG-01", "a_b", "Park.A.07", "123"]) assertEquals(names.of(id), id);
  });

  it("F22 makes a safe name from any identifier", () => {
    const names = new FileNames();
    for (const id of HOSTILE) {
      const name = names.of(id);
      assertMatch(name, /^[A-Za-z0-9_][A-Za-z0-9_-]{0,60}$/, JSON.stringify(id.slice(0, 40)));
      assert(!/^(con|nul)$/i.test(name));
    }
  });

  it("gives each turbine a unique name, even if case is ignored", () => {
    const names = new FileNames();
    const ids = ["T1", "t1", "T1 ", "T1_", "\ud800", "\udfff", "a/b", "a\\b", "a b", ...HOSTILE];
    const fileNames = [...new Set(ids)].map((id) => names.of(id).toLowerCase());
    assertEquals(new Set(fileNames).size, fileNames.length);
  });

  it("gives names that do not depend on each other, unless they clash", () => {
    const alone = new FileNames().of("a/b");
    const names = new FileNames();
    names.of("T9");
    assertEquals(names.of("a/b"), alone);
  });
});

describe("the files of a report", () => {
  it("stay below its folder, and the fleet page leads to each", async () => {
    const ids = ["../x", "a/b", "T1", "t1", `"><script>`];
    const files = await buildReport(ids.map((id) => turbine({ turbine_id: id, name: id })));
    const pages = Object.keys(files).filter((name) => /^turbines\/[\w-]+\.html$/.test(name));
    assertEquals(pages.length, ids.length);
    assertEquals(Object.keys(files).length, 3 * ids.length + 3);
    for (const page of pages) assert(files["index.html"].includes(`href="${page}"`), page);
    assertEquals(new Set(pages.map((name) => name.toLowerCase())).size, ids.length);
  });
});
