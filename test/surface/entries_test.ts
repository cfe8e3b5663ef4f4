/** The entries of the package: the number of names, each name in one entry, listed by task and documented. */
import { assert, assertEquals } from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import project from "../../deno.json" with { type: "json" };
import { findUnnamed, lintEntries } from "../../scripts/types.ts";
import { Documentation } from "./_documentation.ts";

const entries = Object.entries(project.exports);

/** Texts of the pages and notebooks for users of the package. */
function readPages(): string[] {
  return ["../../docs/", "../../notebooks/"].flatMap((folder) => {
    const url = new URL(folder, import.meta.url);
    return [...Deno.readDirSync(url)].filter(({ isFile }) => isFile)
      .map(({ name }) => Deno.readTextFileSync(new URL(name, url)));
  });
}

describe("the entries", () => {
  let documentation: Documentation;
  let names: [entry: string, names: readonly string[]][];
  beforeAll(async () => {
    documentation = await Documentation.read();
    names = entries.map(([entry, path]) => [entry, documentation.names(path)]);
  });

  it("N19: are one for notebooks, one for each kind of program, and one for types", () => {
    assertEquals(
      entries.map(([entry]) => entry),
      [".", "./cli", "./notebook", "./report", "./service", "./sites", "./testing", "./types"],
    );
  });

  it("N19: have at most 120 names in the entry for notebooks", () => {
    const count = documentation.names(project.exports["."]).length;
    assert(count > 100 && count <= 120, `${count} names`);
  });

  it("N19: have each name in only one of them", () => {
    const places = Map.groupBy(
      names.flatMap(([entry, entryNames]) => entryNames.map((name) => ({ name, entry }))),
      ({ name }) => name,
    );
    const several = [...places.values()].filter(({ length }) => length > 1);
    assertEquals(several, []);
  });

  it("N19: list each name for notebooks once, by its task", () => {
    const sections = documentation.words(project.exports["."]).split(/^### /m).slice(1);
    const listed = sections.flatMap((section) =>
      section.split("\n").slice(1).flatMap((line) =>
        [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name)
      )
    );
    assertEquals(listed.toSorted(), documentation.names(project.exports["."]).toSorted());
  });

  it("N19: export no function of service and notebook that only our own commands use", () => {
    const pages = readPages().join("\n");
    for (const entry of ["./service", "./notebook"] as const) {
      const untold = documentation.functions(project.exports[entry])
        .filter((name) => !pages.includes(`${name}(`));
      assertEquals(untold, [], `${entry} has what no page tells of`);
    }
  });

  it("NB11: name every type of a signature", async () => {
    const unnamed = await Promise.all((await lintEntries()).map(findUnnamed));
    assertEquals(unnamed.flat(), [], "Run: deno task docs");
    const types = documentation.names(project.exports["./types"]);
    assert(types.includes("PlotWindRoseOptions") && types.includes("FleetSummary"));
  });

  it("N19: document the fields of each type that only ./types exports, where it is used", () => {
    const programs = entries.filter(([entry]) => entry !== "./types");
    const exported = new Set(
      names.flatMap(([entry, entryNames]) => entry === "./types" ? [] : entryNames),
    );
    assertEquals(programs.flatMap(([, path]) => documentation.unnamedFields(path, exported)), []);
  });
});
