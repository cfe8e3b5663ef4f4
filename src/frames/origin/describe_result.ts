import type { DataFrame } from "nodejs-polars";
import type { CardRow } from "../../show/card.ts";
import { showAsParts } from "../../show/parts.ts";
import { formatMissingSource } from "../../show/check_frame.ts";
import { formatOrigin, isSynthetic, type Origin } from "./provenance.ts";

/** Description of a result of several frames, to show it. */
interface ResultDescription {
  /** Line above all. */
  readonly title: string;
  /** Figures above the tables. @default none */
  readonly facts?: readonly CardRow[];
  /** Sentences above the tables: the findings. @default none */
  readonly summary?: readonly string[];
  /** The frames, in order, each with a line above it. */
  readonly tables: readonly { readonly title: string; readonly frame: DataFrame }[];
  /** Lines below the tables: what was left out, what is uncertain. @default none */
  readonly notes?: readonly string[];
  /** Origin of the figures. */
  readonly origin: Origin;
}

/**
 * Makes a result of several frames show itself in notebooks and on the console: its title, facts and sentences, its
 * tables, and one line on its origin. It stays a plain object.
 */
export function describeResult<T extends object>(
  result: T,
  description: () => ResultDescription,
): T {
  return showAsParts(result, () => {
    const { origin, facts = [], summary = [], notes = [], ...parts } = description();
    return {
      ...parts,
      facts,
      summary,
      caption: [...notes, ...(origin.length > 0 ? formatOrigin(origin) : [formatMissingSource()])],
      synthetic: isSynthetic(origin),
    };
  });
}
