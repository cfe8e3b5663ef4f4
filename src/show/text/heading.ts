import { SYNTHETIC } from "../../api/world.ts";

/** The lines above a table or a card. */
export interface Heading {
  /** Title; `undefined` for none. */
  readonly title: string | undefined;
  /** Whether the figures are invented. */
  readonly synthetic: boolean;
}

/** Text beside the badge of invented figures. */
export const SYNTHETIC_NOTE = "invented figures, not real data";

/** Formats the lines above a table or a card in plain text. */
export function formatHeading({ title, synthetic }: Heading): string[] {
  return [
    ...(synthetic ? [`${SYNTHETIC}: ${SYNTHETIC_NOTE}`] : []),
    ...(title === undefined ? [] : [title]),
  ];
}
