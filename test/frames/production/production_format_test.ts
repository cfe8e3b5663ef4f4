import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import {
  productionFields,
  type ProductionFormat,
} from "../../../src/frames/production/production_format.ts";
import { fieldCases, writeCase } from "./_field_cases.ts";

describe("readProduction()", () => {
  it("has a file for each field of the schema that needs the field", () => {
    assertEquals(Object.keys(fieldCases).sort(), Object.keys(productionFields).sort());
  });

  for (const [field, one] of Object.entries(fieldCases)) {
    it(`reads a file that needs "${field}", and not without it`, async () => {
      const folder = await Deno.makeTempDir();
      try {
        const path = `${folder}/${await writeCase(folder, one)}`;
        const read = async (how: object) => {
          const frame = await readProduction(path, how as ProductionFormat);
          return JSON.stringify([frame.columns, frame.toRecords()]);
        };
        const { [field as keyof ProductionFormat]: _, ...without } = one.how;
        const production = await read(one.how);
        const other = await read(without).catch((error: Error) => error.message);
        assert(production.length > 10 && production !== other, other);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  }
});

describe("the table of fields in docs/site-file-fields.md", () => {
  it("has all fields of the schema, plus only the file and its preset of a site file", async () => {
    const path = new URL("../../../docs/site-file-fields.md", import.meta.url);
    const page = await Deno.readTextFile(path);
    const table = page.slice(
      page.indexOf("## Production file"),
      page.indexOf("An unknown field is an error"),
    );
    const documented = [...table.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, cell]) =>
      cell.split(", ").map((name) => name.replaceAll("`", ""))
    );
    const fields = Object.keys(productionFields);
    assertEquals(documented.toSorted(), ["file", "preset", ...fields].sort());
  });
});
