import { refuseFile } from "../refuse_file.ts";

/** A unit in brackets, "Power (kW) mean", or at the end of a name: "WTG 03 / Power / kW", "power_kw", not "WTG 2 MW". */
const unitInName = /[[(]\s*([kMG]?Wh?)\s*[\])]|(?:[_/,.-]\s*|(?<!\d)\s)([kMG]Wh?)$/i;

/**
 * Refuses a declared unit if the name of the column has another one.
 *
 * @throws {DataFormatError} If the units differ
 */
export function assertUnit(file: string, name: string, unit: string): void {
  const [, bracketed, last] = unitInName.exec(name) ?? [];
  const named = bracketed ?? last;
  if (named === undefined || named.toLowerCase() === unit.toLowerCase()) return;
  const found = `column "${name}" says ${named}, its unit is declared as ${unit}. Declare its unit`;
  refuseFile(file, found, { code: "unit", field: "unit", column: name, value: named });
}
