import { z } from "zod";
import { FIRST_ERA5_YEAR } from "../../api/era5.ts";
import { readDayRange } from "../../api/range.ts";
import { oneOf, strictFields } from "../../frames/production/declared_fields.ts";
import { evenWithFaults, expect } from "./declared_values.ts";
import type { ReanalysisSource } from "./site_definition.ts";

/** Whether ERA5 has hours of a range, or will have; a range that cannot be read is none. */
function isRange(range: Partial<Pick<ReanalysisSource, "from" | "to">>): boolean {
  try {
    const { first } = readDayRange(range);
    return first === undefined || first.year >= FIRST_ERA5_YEAR;
  } catch {
    return false;
  }
}

const wanted = {
  from: `a year, month or day that has begun, ${FIRST_ERA5_YEAR} or later, as "2005" or "2005-03"`,
  to: 'a year, month or day, which is included, as "2023" or "2023-12"',
};

function bound(name: "from" | "to") {
  const expected = expect(wanted[name]);
  return z.union([z.number(), z.string()], expected)
    .refine((value) => !String(value).includes("T") && isRange({ [name]: value }), expected)
    .describe(wanted[name]);
}

/** Schema of climate that comes from its source: ERA5 at the turbines, fetched when the site is imported. */
export const reanalysisSource = strictFields({
  source: oneOf(["cds", "open-meteo"]).describe("the service that is asked for ERA5"),
  points: z.literal(
    [1, 4],
    expect("1, the grid point nearest to each turbine, or 4, those around it"),
  ).default(1),
  from: bound("from"),
  to: bound("to").optional(),
}).superRefine(({ from, to }, context) => {
  if (!isRange({ from }) || !isRange({ to }) || isRange({ from, to })) return;
  context.addIssue({
    code: "custom",
    path: ["to"],
    message: `"${to}" is before from, "${from}". Give ${wanted.to}`,
  });
}, evenWithFaults);
