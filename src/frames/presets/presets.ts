import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { suggestName } from "../../show/options/suggest.ts";
import type { Preset, RegisterPreset, TablePreset } from "./preset.ts";

/** The Danish register of wind turbines (Energistyrelsen): the layouts before and after 2023, headers in Danish and English. */
const danishRegister: RegisterPreset = {
  files: /(?:anlaeg|anlæg|maanedsdata|månedsdata|vinddata).*\.xlsx$/i,
  header: "GSRN",
  unit: "kWh",
  register: {
    turbine_id: ["Turbine identifier (GSRN)", "Møllenummer (GSRN)", "GSRN"],
    connected: [
      "Date of original connection to grid",
      "Dato for oprindelig nettilslutning",
      "Dato for nettilslutning",
    ],
    decommissioned: ["Date of decommissioning", "Dato for afmeldning", "Afmeldningsdato"],
    rated_power: ["Capacity (kW)", "Kapacitet (kW)"],
    rotor_diameter: ["Rotor diameter (m)", "Rotor-diameter (m)", "Rotordiameter (m)"],
    hub_height: ["Hub height (m)", "Navhøjde (m)"],
    manufacturer: ["Manufacture", "Manufacturer", "Fabrikat"],
    model: ["Model", "Typebetegnelse"],
    east: [
      "X (east) coordinate UTM 32 Euref89",
      "X (øst) koordinat UTM 32 Euref89",
    ],
    north: [
      "Y (north) coordinate UTM 32 Euref89",
      "Y (nord) koordinat UTM 32 Euref89",
    ],
  },
};

/** Open data of EDP: ten minutes of all turbines below each other, a workbook or CSV. */
const edp: TablePreset = {
  files: /(?:scada|signals).*\.(?:xlsx|csv)$/i,
  columns: ["Turbine_ID", "Timestamp", "Grd_Prod_Pwr_Avg"],
  format: {
    column: "Grd_Prod_Pwr_Avg",
    time: "Timestamp",
    turbine: "Turbine_ID",
    resolution: "10min",
    unit: "kW",
  },
  assumed: [
    'The file does not say which end of its ten minutes a stamp names; the start is assumed (else give stamp: "end")',
  ],
};

const preamble = { turbine: "Turbine", timeZone: "Time zone" } as const;

/** Exports of Greenbyte: a turbine and a year each file, ten minutes, columns that differ by year. */
const greenbyte: TablePreset = {
  files: /^Turbine_Data_.*\.csv$/i,
  columns: ["# Date and time", "Power (kW)"],
  format: {
    column: "Power (kW)",
    time: "# Date and time",
    resolution: "10min",
    unit: "kW",
    stamp: "start",
  },
  preamble,
  repeats: true,
  events: {
    files: /^Status_.*\.csv$/i,
    preamble,
    columns: {
      from: "Timestamp start",
      to: "Timestamp end",
      duration: "Duration",
      status: "Status",
      code: "Code",
      text: "Message",
      category: "IEC category",
    },
    instants: ["Informational"],
  },
};

/** Hill of Towie (RES): a month of all turbines below each other in each file, stamps at the end of ten minutes; counters of states. */
const hillOfTowie: TablePreset = {
  files: /^tblSCTurGrid_.*\.csv$/i,
  columns: ["TimeStamp", "StationId", "wtc_ActPower_mean"],
  format: {
    column: "wtc_ActPower_mean",
    time: "TimeStamp",
    turbine: "StationId",
    resolution: "10min",
    unit: "kW",
    time_zone: "UTC",
    stamp: "end",
  },
  events: {
    files: /^tblSCTurFlag_.*\.csv$/i,
    time: "TimeStamp",
    turbine: "StationId",
    step: 600_000,
    columns: {
      environment_stop: "wtc_ScEnvSto_timeon",
      commanded_stop: "wtc_ScComSto_timeon",
      turbine_stop: "wtc_ScTurSto_timeon",
      grid_stop: "wtc_ScGrdSto_timeon",
      ready_to_operate: "wtc_ScReToOp_timeon",
      wind_in_range: "wtc_ScWindIR_timeon",
    },
  },
};

/** Name of a preset: a layout of files that is known. */
export type PresetName = "greenbyte" | "hill-of-towie" | "edp" | "danish-register";

/** The presets by name. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  "greenbyte": greenbyte,
  "hill-of-towie": hillOfTowie,
  "edp": edp,
  "danish-register": danishRegister,
};

/** Whether a value is the name of a preset. */
export function isPreset(name: unknown): name is PresetName {
  return typeof name === "string" && Object.hasOwn(presets, name);
}

/**
 * Finds a preset.
 *
 * @param name Its name, as a user gives it
 * @param what What is to be done, for messages
 * @throws {ArgumentError} If there is no such preset; the message suggests one
 */
export function findPreset(name: unknown, what: string): Preset {
  const known = Object.keys(presets);
  if (isPreset(name)) return presets[name];
  const near = typeof name === "string" ? suggestName(name, known) : undefined;
  const found = name === undefined
    ? "the preset is missing"
    : `there is no preset ${describeValue(name)}`;
  throw new ArgumentError(
    `Cannot ${what}: ${found}. ` +
      (near ? `Did you mean "${near}"?` : `The presets are ${known.join(", ")}`),
  );
}
