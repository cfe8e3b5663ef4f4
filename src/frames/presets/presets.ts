import type { ProductionFormat } from "../production/production_format.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { suggestName } from "../../show/options/suggest.ts";

/** Labels of the facts in the lines above a table: `# Turbine: Kelmarsh 1`. */
export interface PreambleLabels {
  /** Label of the name of the turbine. */
  readonly turbine: string;
  /** Label of the zone of the stamps. */
  readonly timeZone: string;
}

/** Status logs of a preset. */
export interface EventsLayout {
  /** Names of its files in a folder or an archive. */
  readonly files: RegExp;
  /** Columns of the file by column of the frame. */
  readonly columns: Readonly<
    Record<"from" | "to" | "status" | "code" | "text" | "category" | "duration", string>
  >;
  /** Labels in its preamble. */
  readonly preamble: PreambleLabels;
  /** Statuses of messages, which have no duration: an event without an end is an instant with them, else it is open. */
  readonly instants: readonly string[];
}

/** Counters of a preset: for each time and turbine, the seconds of the period before that the turbine spent in a state. */
export interface CountersLayout {
  /** Names of its files in a folder or an archive. */
  readonly files: RegExp;
  /** Name of the column with the stamp of the end of each period, UTC. */
  readonly time: string;
  /** Name of the column with the turbine. */
  readonly turbine: string;
  /** Length of a period, ms. */
  readonly step: number;
  /** Columns of the file by column of the frame. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Production in rows: one for each time, and for each turbine if a column names it. */
export interface TablePreset {
  /** Names of its production files in a folder or an archive. */
  readonly files: RegExp;
  /** Columns that identify its files. */
  readonly columns: readonly string[];
  /** Format of its files. */
  readonly format: ProductionFormat;
  /** Labels in its preamble. @default no preamble */
  readonly preamble?: PreambleLabels;
  /** Whether rows may repeat a time if only one of them is filled. @default false */
  readonly repeats?: boolean;
  /** Assumptions about facts that the files do not state, in sentences. @default none */
  readonly assumed?: readonly string[];
  /** Its status logs, or its counters of states. @default none */
  readonly events?: EventsLayout | CountersLayout;
}

/** Names of the columns of a register, without line breaks, in any of its languages and years. */
export interface RegisterNames {
  readonly turbine_id: readonly string[];
  readonly connected: readonly string[];
  readonly decommissioned: readonly string[];
  readonly rated_power: readonly string[];
  readonly rotor_diameter: readonly string[];
  readonly hub_height: readonly string[];
  readonly manufacturer: readonly string[];
  readonly model: readonly string[];
  readonly east: readonly string[];
  readonly north: readonly string[];
}

/** A register: turbines below each other, months side by side. */
export interface RegisterPreset {
  /** Names of its files in a folder or an archive. */
  readonly files: RegExp;
  /** Word in the cell of a header that names the turbine, for messages. */
  readonly header: string;
  /** Columns by their names. */
  readonly register: RegisterNames;
  /** Unit of the months. */
  readonly unit: "kWh";
}

/** Layout of the files of one source, as data. */
export type Preset = TablePreset | RegisterPreset;

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
    'The file does not say whether a timestamp marks the start or the end of its ten minutes. Vindkit assumes the start. If it is the end, give stamp: "end"',
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

/** Name of a preset, which is a known layout of files. */
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
 * @param task Task, for messages
 * @throws {ArgumentError} If there is no such preset; the message suggests one
 */
export function findPreset(name: unknown, task: string): Preset {
  const known = Object.keys(presets);
  if (isPreset(name)) return presets[name];
  const near = typeof name === "string" ? suggestName(name, known) : undefined;
  const problem = name === undefined
    ? "the preset is missing"
    : `${describeValue(name)} is not a preset`;
  throw new ArgumentError(
    `Cannot ${task}: ${problem}. ` +
      (near ? `Did you mean "${near}"?` : `Use one of the presets ${known.join(", ")}`),
  );
}
