import type { Chart } from "../../plots/drawing/chart.ts";
import type { ReportOrigin } from "../content/sources.ts";
import type { Strip } from "../content/turbine_content.ts";

/** Paper that a workbook or PDF is laid out for. */
export type Paper = "A4" | "Letter";

/** Target of a link: the page of a turbine, or a row of this page. */
export type Link = { readonly file: string } | { readonly anchor: string };

/** A cell of a table: a figure, unless its column has words. */
export interface Cell {
  /** Text; `null` if a value is missing, empty if the cell has none. */
  readonly text: string | null;
  /** The same as data, for numeric formats: a figure, the ends of an interval, a day as "2025-12-01". */
  readonly value?: number | readonly [low: number, high: number] | string | null;
  readonly link?: Link;
  /** Whether the text may break into lines. @default false */
  readonly wraps?: boolean;
  /** Months instead of a text. */
  readonly strip?: Strip;
}

/** Head of a column. */
export interface Head {
  readonly label: string;
  readonly unit?: string | undefined;
  /** Meaning of the column. */
  readonly hint?: string;
  /** Whether its cells are words, or pictures (omitted in text formats). @default figures */
  readonly kind?: "words" | "strip";
  /** Whether its values are shares, with texts in %, or intervals. @default neither */
  readonly form?: "share" | "range";
}

/** A row of a table; its first cell is its name. */
export interface Row {
  readonly cells: readonly Cell[];
  /** Whether it sums up a park or all rows. */
  readonly kind?: "park" | "sum";
  /** Anchor for links to this row. */
  readonly anchor?: string;
}

/** A chart, or why there is none. */
export interface Picture {
  readonly look: "months" | "place" | "small" | "narrow";
  readonly chart: Chart | undefined;
  /** The same for a phone and half a sheet of paper. @default the chart is narrow already */
  readonly narrow?: Chart | undefined;
  readonly missing?: string;
}

/** A label with a text; `null` if unknown. */
type Item = readonly [label: string, text: string | null];

/** A main figure; for a turbine, with its sentence. */
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
    /** Explanation of the strips, above their legend. */
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
    /** Name of the table for screen readers. */
    readonly label: string;
    readonly heads: readonly Head[];
    readonly groups: readonly (readonly Row[])[];
    /** Whether only a workbook shows it, because it is too much for a page. @default false */
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

/** A report as a tree, the source of every file format. */
export interface ReportDocument {
  readonly title: string;
  /** Line below the title. */
  readonly about: string;
  /** Subject: a fleet, a turbine (its page links back to the fleet's), or the answer to a question. */
  readonly of: "fleet" | "turbine" | "answer";
  readonly back?: string;
  readonly sections: readonly Section[];
  /** Where the figures come from. */
  readonly sources: readonly string[];
  readonly origin: ReportOrigin;
}
