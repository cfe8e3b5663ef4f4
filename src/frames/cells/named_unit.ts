import { refuseFile } from "../files/read_file.ts";

/** Quantities whose units files spell in many ways. */
export type Quantity = "power" | "speed" | "direction" | "temperature" | "pressure" | "share";

/** Units by quantity, each with the pattern of its spellings. */
const SPELLINGS: Readonly<Record<Quantity, Readonly<Record<string, string>>>> = {
  power: Object.fromEntries(
    ["W", "kW", "MW", "GW", "Wh", "kWh", "MWh", "GWh"].map((unit) => [unit, unit]),
  ),
  speed: {
    "m/s": "m ?/ ?s(?:ec)?|m[ .·*]?s ?(?:\\*\\*|\\^)?(?:-1|⁻¹)|mps|ms",
    "km/h": "km ?/ ?hr?|km[ .·*]?hr? ?(?:\\*\\*|\\^)?(?:-1|⁻¹)|kmp?h|kph",
    "knots": "kn|kts?|knots?",
    "mph": "mph|mi ?/ ?hr?",
    "ft/s": "ft ?/ ?s(?:ec)?|fps",
  },
  direction: {
    "deg": "[°º](?: ?[nt])?|degs?(?: ?true)?|degrees?(?:[ _]true)?|degn",
    "rad": "rad|radians?",
  },
  temperature: {
    "degC": "[°º] ?c|℃|deg[ _-]?c|degrees?[ _]c(?:elsius)?|celsius|c",
    "K": "k|kelvin",
    "degF": "[°º] ?f|℉|deg[ _-]?f|fahrenheit|f",
  },
  pressure: {
    "Pa": "pa|pascals?",
    "hPa": "hpa|mbar|millibars?|mb",
    "kPa": "kpa",
    "mmHg": "mmhg|torr",
    "inHg": "inhg",
  },
  share: { "%": "%|percent|pct", "1": "0 ?- ?1|fraction" },
};

/** Units with their patterns: for a text that is the unit, for the name of a column of the quantity, and for brackets in any name. */
const UNITS = Object.entries(SPELLINGS).flatMap(([quantity, units]) =>
  Object.entries(units).map(([unit, spelling]) => {
    const brackets = `[[(]\\s*(?:${spelling})\\s*[\\])]`;
    // Matches "Power / kW" and "power_kw", but not "WTG 2 MW", and not a phase or sensor "W" or "1".
    const last = unit === "W" || unit === "1" ? "" : `|(?:[_/,.-]\\s*|(?<!\\d)\\s)(?:${spelling})$`;
    return {
      quantity,
      unit,
      // A sensor may be called "RH (1)".
      whole: new RegExp(`^[[(]?\\s*(?:${spelling}${unit === "1" ? "|1" : ""})\\s*[\\])]?$`, "i"),
      inName: new RegExp(brackets + last, "i"),
      bracketed: new RegExp(brackets, "i"),
    };
  })
);

/** Reads a unit of a quantity in any spelling: "m s**-1" is m/s; `undefined` if the text is not one. */
export function readUnit(text: string, quantity: Quantity): string | undefined {
  return UNITS.find((one) => one.quantity === quantity && one.whole.test(text.trim()))?.unit;
}

/** Finds the unit of a quantity in the name of a column; `undefined` if it has none. */
export function findUnit(column: string, quantity: Quantity): string | undefined {
  return UNITS.find((one) => one.quantity === quantity && one.inName.test(column))?.unit ??
    readUnit(column, quantity);
}

/** A declared unit, and the texts of the file that may contradict it. */
export interface NamedUnit {
  /** Name of the column in the file. */
  readonly column: string;
  readonly quantity: Quantity;
  /** Its declared unit, in our spelling. */
  readonly unit: string;
  /** Its unit in a row below the header, or in an attribute of the file. @default none */
  readonly row?: string | undefined;
  /** Builds the advice for the unit that the file has. @default to declare that unit */
  readonly advise?: (foundUnit: string) => string;
}

/**
 * Refuses a declared unit if the file has another one: in the name of the column, in brackets or at its end, in a row
 * below the header or in an attribute.
 *
 * @throws {DataFormatError} If the units differ, or the name has a unit of another quantity
 */
export function assertUnit(file: string, declared: NamedUnit): void {
  const { column, quantity, unit, row = "", advise } = declared;
  const ofQuantity = UNITS.filter((one) => one.quantity === quantity);
  // Also finds the unit of a column that is named only "[kW]".
  const fileUnit = ofQuantity.find(({ inName }) => inName.test(column)) ??
    ofQuantity.find(({ whole }) => whole.test(row.trim())) ??
    UNITS.find((one) =>
      one.unit.length > 1 && (one.bracketed.test(column) || one.whole.test(row.trim()))
    );
  if (fileUnit === undefined || fileUnit.unit === unit) return;
  const facts = { code: "unit", field: "unit", column, value: fileUnit.unit } as const;
  const other =
    `column "${column}" is in ${fileUnit.unit}, a unit of ${fileUnit.quantity}, not of ${quantity}. ` +
    `Declare the column with the ${quantity}`;
  if (fileUnit.quantity !== quantity) refuseFile(file, other, facts);
  const advice = advise?.(fileUnit.unit) ??
    `but its unit is declared as ${unit}. Declare unit "${fileUnit.unit}"`;
  refuseFile(file, `column "${column}" says ${fileUnit.unit}, ${advice}`, facts);
}
