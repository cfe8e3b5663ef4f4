import type { ProductionFormat } from "../production/production_format.ts";

/** What the lines above a table say, by the words before the colon: `# Turbine: Kelmarsh 1`. */
export interface PreambleLabels {
  /** Before the name of the turbine. */
  readonly turbine: string;
  /** Before the zone of the stamps. */
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
  /** What its preamble says. */
  readonly preamble: PreambleLabels;
  /** Statuses of messages, which have no duration: without an end they are instants, others are open. */
  readonly instants: readonly string[];
}

/** Counters of a preset: for each time and turbine the seconds of the period before in which it was in a state. */
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

/** Production in rows: one for each time, and for each turbine where a column names it. */
export interface TablePreset {
  /** Names of its production files in a folder or an archive. */
  readonly files: RegExp;
  /** Columns by which a file of it is recognized. */
  readonly columns: readonly string[];
  /** Format of its files. */
  readonly format: ProductionFormat;
  /** What its preamble says. @default none has one */
  readonly preamble?: PreambleLabels;
  /** Whether a time may be repeated by rows of which one is filled. @default false */
  readonly repeats?: boolean;
  /** What the files do not say and is assumed, in sentences. @default nothing */
  readonly assumed?: readonly string[];
  /** Its status logs, or its counters of states. @default none is read */
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
