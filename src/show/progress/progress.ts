/**
 * Progress of work that takes longer than a second: in a terminal or a notebook, and nowhere if no person is watching.
 *
 * @module
 */
import { ProgressBar } from "./progress_bar.ts";
import { detectTarget, type ProgressTarget } from "./progress_targets.ts";
import type { ProgressState } from "./progress_text.ts";

export type { ProgressState, ProgressTarget };

/** Options of {@linkcode startProgress}. */
interface ProgressOptions {
  /** Amount of work. @default {undefined} Not known */
  total?: number;
  /** Unit of the amount, such as `turbines`; `bytes` are shown as MB. @default {undefined} Only the figure is shown */
  unit?: string;
  /** Where it is shown. @default {undefined} The notebook, else the terminal; nowhere in CI */
  to?: ProgressTarget;
  /** Shows nothing at all. @default {false} */
  silent?: boolean;
}

/** Work in progress. */
export interface Progress {
  /** Adds to the amount that is done: 1 if not given; negative if a part is begun again. */
  advance(by?: number): void;
  /** Sets the note, such as the status of an order. */
  say(note: string): void;
  /** Sets the amount of work, once it is known. */
  total(n: number): void;
  /** Removes the bar; later changes are not shown. */
  end(): void;
  /** Removes the bar at the end of `using`. */
  [Symbol.dispose](): void;
}

/**
 * Shows the progress of a piece of work: nothing in the first second, then label, bar, figures, seconds and note at most
 * ten times a second. At the end it is removed.
 *
 * @param label Name of the work
 * @param options Amount of work, its unit, and where it is shown
 *
 * @example
 * ```ts ignore
 * using progress = startProgress("Turbines", { total: ids.length, unit: "turbines" });
 * for (const id of ids) {
 *   await turbineDetails(id);
 *   progress.advance();
 * }
 * ```
 */
export function startProgress(label: string, options: ProgressOptions = {}): Progress {
  const { total, unit, silent = false, to = silent ? undefined : detectTarget() } = options;
  const bar = new ProgressBar(label, {
    total,
    unit,
    to: silent ? undefined : to,
    clock: () => performance.now(),
  });
  bar.start();
  return bar;
}
