/**
 * Workbooks as text, without a library: sparse, wide and long ones.
 *
 * @module
 */
import { zipSync } from "fflate";
import { formatCellName } from "../../src/frames/cells/sheet_cells.ts";
import { utf8 } from "./_text.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

/** A row with its cells: texts and numbers by column, from 0. */
export function formatRow(
  row: number,
  cells: Iterable<readonly [column: number, value: string | number]>,
): string {
  let text = `<row r="${row + 1}">`;
  for (const [column, value] of cells) {
    const name = formatCellName(row, column);
    text += typeof value === "number"
      ? `<c r="${name}"><v>${value}</v></c>`
      : `<c r="${name}" t="inlineStr"><is><t>${value}</t></is></c>`;
  }
  return `${text}</row>`;
}

/** Joins texts into bytes, a few megabytes at once. */
function encodeAll(texts: Iterable<string>): Uint8Array {
  const parts: Uint8Array[] = [];
  let text = "";
  for (const one of texts) {
    text += one;
    if (text.length < 2 ** 20) continue;
    parts.push(utf8(text));
    text = "";
  }
  return new Uint8Array(Buffer.concat([...parts, utf8(text)]));
}

/** Builds a workbook with one sheet, "Data", and the given rows. */
export function buildWorkbook(rows: Iterable<string>): Uint8Array {
  const relation = (namespace: string, type: string, target: string) =>
    `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${namespace}/${type}" ` +
    `Target="${target}"/></Relationships>`;
  const sheet = function* () {
    yield `<?xml version="1.0"?><worksheet xmlns="${MAIN}"><sheetData>`;
    yield* rows;
    yield "</sheetData></worksheet>";
  };
  return zipSync({
    "[Content_Types].xml": utf8("<Types/>"),
    "_rels/.rels": utf8(relation(RELATIONS, "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": utf8(
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
        '<sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ),
    "xl/_rels/workbook.xml.rels": utf8(relation(RELATIONS, "worksheet", "worksheets/sheet1.xml")),
    "xl/worksheets/sheet1.xml": encodeAll(sheet()),
  });
}
