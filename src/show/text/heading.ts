import { SYNTHETIC } from "../../api/world.ts";

/** What stands above a table or a card. */
export interface Heading {
  /** What it shows. */
  readonly title: string | undefined;
  /** Whether the figures are invented. */
  readonly synthetic: boolean;
}

/** What is said of invented figures beside the badge. */
export const SYNTHETIC_NOTE = "invented figures, not real data";

/** The lines above a table or a card in plain text. */
export function formatHeading({ title, synthetic }: Heading): string[] {
  return [
    ...(synthetic ? [`${SYNTHETIC}: ${SYNTHETIC_NOTE}`] : []),
    ...(title === undefined ? [] : [title]),
  ];
}
