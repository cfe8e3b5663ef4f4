import type { Chart } from "../../plots/drawing/chart.ts";
import type { ReportOrigin } from "../content/sources.ts";
import type { Strip } from "../content/turbine_content.ts";

/** Paper that a workbook or PDF is laid out for. */
export type Paper = "A4" | "Letter";

/** Where a text leads: to the page of a turbine, or to a row of this page. */
export type Link = { readonly file: string } | { readonly anchor: string };

/** A cell of a table: a figure, unless its column has words. */
export interface Cell {
  /** What it says; `null` where a value is missing, nothing where there is none to give. */
  readonly text: string | null;
  /** The same as data, for a form that has numbers: a figure, the ends of an interval, a day as "2025-12-01". */
  readonly value?: number | readonly [low: number, high: number] | string | null;
  readonly link?: Link;
  /** Whether it may break into lines. @default false */
  readonly wraps?: boolean;
  /** Months instead of a text. */
  readonly strip?: Strip;
}

/** Head of a column. */
export interface Head {
  readonly label: string;
  readonly unit?: string | undefined;
  /** What the column means. */
  readonly hint?: string;
  /** Whether its cells are words, or pictures, which a text has not. @default figures */
  readonly kind?: "words" | "strip";
  /** Whether its values are shares, whose texts are in %, or intervals. @default neither */
  readonly form?: "share" | "range";
}

/** A row of a table; its first cell is its name. */
export interface Row {
  readonly cells: readonly Cell[];
  /** Whether it stands for several rows: those of a park, or all. */
  readonly kind?: "park" | "sum";
  /** Name to which a link leads. */
  readonly anchor?: string;
}

/** A chart, or why there is none. */
export interface Picture {
  readonly look: "months" | "place" | "small" | "narrow";
  readonly chart: Chart | undefined;
  /** The same for a phone, and half of a sheet of paper. @default the chart is as narrow */
  readonly narrow?: Chart | undefined;
  readonly missing?: string;
}

/** A label with a text; `null` where it is not known. */
type Item = readonly [label: string, text: string | null];

/** A main figure, of a turbine with what it says. */
interface Figure {
  readonly label: string;
  readonly value: number | null;
  readonly unit: string;
  readonly sentence?: string;
}

/** A part of a report. */
export type Block =
  | {
    readonly kind: "text";
    readonly text: string;
    readonly look?: "summary" | "note";
    /** What it says of the strips, whose legend follows. */
    readonly legend?: string;
  }
  | { readonly kind: "figures"; readonly items: readonly Figure[] }
  | {
    /** Months as a line of words. */
    readonly kind: "verdicts";
    readonly items: readonly { readonly month: string; readonly verdict: string | null }[];
  }
  | { readonly kind: "pictures"; readonly items: readonly Picture[] }
  | {
    readonly kind: "table";
    readonly name: "verdicts" | "turbines" | "parks" | "months" | "frame";
    /** What it shows, for those who do not see it. */
    readonly label: string;
    readonly heads: readonly Head[];
    readonly groups: readonly (readonly Row[])[];
    /** Whether it is more than a page shows: only a workbook has it. @default false */
    readonly detail?: boolean;
  }
  | { readonly kind: "facts"; readonly items: readonly Item[] }
  | { readonly kind: "terms"; readonly items: readonly Item[] }
  | { readonly kind: "list"; readonly items: readonly string[] };

/** A part of a report with its title. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A report as a tree, which each form of file is written from. */
export interface ReportDocument {
  readonly title: string;
  /** Line below the title. */
  readonly about: string;
  /** Subject: a fleet, a turbine (its page links back to that of the fleet), or the answer to a question. */
  readonly of: "fleet" | "turbine" | "answer";
  readonly back?: string;
  readonly sections: readonly Section[];
  /** Where the figures come from. */
  readonly sources: readonly string[];
  readonly origin: ReportOrigin;
}
