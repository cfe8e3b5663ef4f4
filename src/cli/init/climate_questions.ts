import { isClimateVariable, listClimateUnits } from "../../sites/mod.ts";
import { degrees } from "./degrees.ts";
import type { ClimateVariable } from "./guess_climate.ts";
import { checkZone } from "./place_questions.ts";
import { checkNumber, type Question } from "./question.ts";

/** What a climate value may be of. */
export const STAMPS = ["instant", "start", "end", "middle"] as const;

/** Who is asked for ERA5 where it is not in files. */
export const SOURCES = ["cds", "open-meteo"] as const;

/** Questions about climate. */
export const climateQuestions = {
  climate: {
    name: "climate",
    value: "FILE",
    about:
      "Climate of a reanalysis: a file, a folder, or a pattern like era5/*.nc; or cds (Copernicus, " +
      "needs a free key) or open-meteo (no key, not for commercial use), which fetch ERA5",
    most: 1000,
  },
  from: {
    name: "climate-from",
    value: "YEAR",
    about: "First year of ERA5 to fetch",
    check: (answer) =>
      /^\d{4}$/.test(answer)
        ? checkNumber("year", [1940, new Date().getUTCFullYear()])(answer)
        : `"${answer}" is not a year, as 2005`,
  },
  points: {
    name: "climate-points",
    value: "COUNT",
    about: "Grid points of ERA5: 1, the nearest, or 4, those around the turbine, which take longer",
    check: (answer) => ["1", "4"].includes(answer) ? undefined : `"${answer}" is not 1 or 4`,
  },
  time: { name: "climate-time", value: "NAME", about: "Column of the climate's time" },
  zone: {
    name: "climate-zone",
    value: "ZONE",
    about: "Time zone of the climate's times",
    check: checkZone,
  },
  variables: {
    name: "variable",
    value: "NAME=COLUMN UNIT",
    about: "Climate variables, as wind_speed_100=ws100 m/s, with a comma and a blank between them",
    most: 100,
  },
  latitude: {
    name: "climate-latitude",
    value: "DEG",
    about: "Latitude of the climate's point",
    ...degrees("latitude"),
  },
  longitude: {
    name: "climate-longitude",
    value: "DEG",
    about: "Longitude of the climate's point",
    ...degrees("longitude"),
  },
  stamp: {
    name: "climate-stamp",
    value: "KIND",
    about:
      "What a climate value is of: the instant of its time, or an hour with this start, end or middle",
  },
  shear: {
    name: "shear",
    value: "EXPONENT",
    about: "The climate has wind at one height: exponent by which it grows to hub height",
    check: checkNumber("exponent of a power law", [0, 1]),
  },
  dataset: {
    name: "dataset",
    value: "ID",
    about: "Short name of the climate data",
    check: (answer) =>
      /^[a-z0-9][a-z0-9_.-]*$/.test(answer)
        ? undefined
        : `"${answer}" is not a name of a-z, 0-9, _ . and -, such as era5`,
  },
} as const satisfies Record<string, Question>;

/** A variable as an answer has it. */
export const formatVariable = ({ variable, column, unit }: ClimateVariable) =>
  `${variable}=${column}${unit ? ` ${unit}` : ""}`;

/** Reads a variable of an answer; a text says what is wrong. */
export function readVariable(answer: string, names: readonly string[]): ClimateVariable | string {
  const [, variable = "", rest = ""] = /^([^=]*)=(.*)$/.exec(answer) ?? [];
  if (!isClimateVariable(variable)) {
    return `"${answer}" does not begin with a variable and "=". Variables are wind_speed_H and ` +
      "wind_direction_H, or wind_u_H and wind_v_H (H: height in m), temperature, dew_point, " +
      "pressure, relative_humidity, preliminary";
  }
  const units = listClimateUnits(variable);
  const unit = units.find((one) => rest.endsWith(` ${one}`));
  const column = unit ? rest.slice(0, -unit.length - 1) : rest;
  if (!names.includes(column)) {
    return `"${column}" is no column. The columns are ${names.join(", ")}`;
  }
  if (unit === undefined && variable !== "preliminary") {
    return `The unit of ${variable} is missing: end with ${units.join(" or ")}`;
  }
  return { variable, column, ...(unit ? { unit } : {}) };
}
