import { DataFormatError } from "../../api/errors.ts";

/** A unit in brackets, "Power (kW) mean"; or at the end of a name: "WTG 03 / Power / kW", "power_kw", not "WTG 2 MW". */
const unitInName = /[[(]\s*([kMG]?Wh?)\s*[\])]|(?:[_/,.-]\s*|(?<!\d)\s)([kMG]Wh?)$/i;

/**
 * Refuses a unit that contradicts the name of its column.
 *
 * @throws {DataFormatError} If it does
 */
export function assertUnit(file: string, name: string, unit: string): void {
  const [, bracketed, last] = unitInName.exec(name) ?? [];
  const said = bracketed ?? last;
  if (said === undefined || said.toLowerCase() === unit.toLowerCase()) return;
  throw new DataFormatError(
    `Cannot read ${file}: column "${name}" says ${said}, its unit is declared as ${unit}. ` +
      "Declare the unit that it has",
  );
}
