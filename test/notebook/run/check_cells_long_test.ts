import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { checkCells, faultText } from "../../../src/notebook/run/check_cells.ts";
import { type CellOf, Folder } from "../_folder.ts";

async function findFaults(folder: Folder, ...cells: CellOf[]): Promise<string[]> {
  const path = await folder.notebook("n", cells);
  const [faults] = await checkCells([path]);
  return faults.map(faultText);
}

describe("checkCells()", () => {
  it("finds no fault in cells that use each other, a neighbouring file and the library", async () => {
    await using folder = await Folder.make();
    await folder.write("near.ts", "export const near: number = 7;");
    const faults = await findFaults(
      folder,
      { markdown: "text" },
      'import { near } from "./near.ts";\nimport { table } from "@vindkit/vindkit";',
      { code: "let n: number = near;", tags: ["parameters"] },
      { code: "let n = 3;", tags: ["injected-parameters"] },
      "await Promise.resolve(n);\ntable;",
    );
    assertEquals(faults, []);
  });

  it("names cell and line of every fault", async () => {
    await using folder = await Folder.make();
    const faults = await findFaults(
      folder,
      'const a: number = 1;\n\nconst b: number = "x";',
      { markdown: "text" },
      "a.nothing;\nconst f: (n: { p: number }) => void = (n: { p: string }) => {};",
    );
    assertEquals(faults.slice(0, 2), [
      "cell 1, line 3: TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.\n    const b: number = \"x\";",
      "cell 3, line 1: TS2339 [ERROR]: Property 'nothing' does not exist on type 'number'.\n    a.nothing;",
    ]);
    assertEquals(faults[2].split("\n")[0].startsWith("cell 3, line 2: TS2322 [ERROR]: Type"), true);
    assertEquals(faults.length, 3);
  });

  it("names the line of a syntax error, and a name declared twice", async () => {
    await using folder = await Folder.make();
    assertEquals(await findFaults(folder, "1;", "\nconst = 3;"), [
      "cell 2, line 2: SyntaxError: Unexpected token `=`. Expected yield, an identifier, [ or {\n    const = 3;",
    ]);
    assertEquals((await findFaults(folder, "const a = 1;", "const a = 2;")).length, 2);
  });

  it("checks several at once, each from its own folder", async () => {
    await using one = await Folder.make();
    await using other = await Folder.make();
    for (const folder of [one, other]) await folder.write("near.ts", "export const near = 1;");
    const cell = 'import { near } from "./near.ts";\nconst text: string = near;';
    const paths = [await one.notebook("n", ["1;"]), await other.notebook("n", [cell])];
    const faults = await checkCells(paths);
    assertEquals(faults.map((all) => all.map(({ position, line }) => [position, line])), [[], [[
      1,
      2,
    ]]]);
    assertEquals(await checkCells([]), []);
  });

  it("checks each with the imports of its own deno.json", async () => {
    await using one = await Folder.make();
    await using other = await Folder.make();
    const paths: string[] = [];
    for (const [folder, type] of [[one, "string"], [other, "number"]] as const) {
      await folder.write("own.ts", `export declare const own: ${type};`);
      await folder.write("deno.json", '{ "imports": { "own": "./own.ts" } }');
      paths.push(
        await folder.notebook("n", ['import { own } from "own";\nconst n: number = own;']),
      );
    }
    assertEquals((await checkCells(paths)).map((faults) => faults.length), [1, 0]);
  });

  it("names the line also with Windows line ends", async () => {
    await using folder = await Folder.make();
    assertEquals(await findFaults(folder, "1;\r\n", '2;\r\nconst b: number = "x";\r\n'), [
      "cell 2, line 2: TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.\n    const b: number = \"x\";",
    ]);
  });

  it("reports faults in an imported file", async () => {
    await using folder = await Folder.make();
    await folder.write("bad.ts", 'export const bad: number = "x";');
    const [fault] = await findFaults(folder, 'import { bad } from "./bad.ts";\nbad;');
    assertEquals(/^TS2322 .*bad\.ts:1\)$/.test(fault), true, fault);
  });
});
