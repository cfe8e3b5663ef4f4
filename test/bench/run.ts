/**
 * Measures what the first figures promise, each against a named alternative or a bound in the same run:
 * `deno task bench`. Figures depend on the machine and its load; the bounds are for two cores and 24 GB.
 *
 * @module
 */
import { parseModelData } from "./parse_model_data.ts";
import { calibrateTwelveYears } from "./calibrate_twelve_years.ts";
import { indicesOfHundred } from "./indices_of_hundred.ts";
import { coldImport } from "./cold_import.ts";
import type { Measured } from "./_measured.ts";

const lines: Measured[] = [];
for (const bench of [parseModelData, calibrateTwelveYears, indicesOfHundred, coldImport]) {
  const measured = await bench();
  lines.push(measured);
  const { what, found, bound, holds } = measured;
  console.log(`${holds ? "holds" : "FAILS"}  ${what.padEnd(44)} ${found.padEnd(34)} ${bound}`);
}
if (lines.some(({ holds }) => !holds)) Deno.exit(1);
