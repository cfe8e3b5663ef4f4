import type { DataFrame } from "nodejs-polars";
import type { CardRow } from "../show/card.ts";
import { showAsParts } from "../show/parts.ts";
import { formatProvenance, type Provenance } from "./provenance.ts";

/** How a result that is made of several frames shows itself. */
interface ResultDescription {
  /** What it is, in a line. */
  readonly title: string;
  /** Figures above the tables. @default none */
  readonly facts?: readonly CardRow[];
  /** Sentences above the tables: what the result says. @default none */
  readonly summary?: readonly string[];
  /** The frames, in order, each with a line above it. */
  readonly tables: readonly { readonly title: string; readonly frame: DataFrame }[];
  /** What was left out, and what could not be told. @default none */
  readonly notes?: readonly string[];
  /** Where the figures come from. @default not said */
  readonly provenance?: Provenance | undefined;
}

/**
 * Makes a result of several frames show itself in notebooks and on the console: its title, facts and sentences, its
 * tables, and one line on where it comes from. It stays a plain object.
 *
 * @param result The result; it is changed in place and given back
 * @param description What of it is shown; made when it is shown
 */
export function describeResult<T extends object>(
  result: T,
  description: () => ResultDescription,
): T {
  return showAsParts(result, () => {
    const { provenance, facts = [], summary = [], notes = [], ...shown } = description();
    return {
      ...shown,
      facts,
      summary,
      caption: [...notes, ...(provenance ? formatProvenance(provenance) : [])],
      synthetic: provenance?.world === "sample",
    };
  });
}
