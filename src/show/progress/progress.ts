/**
 * Progress of what takes longer than a second: in a terminal, in a notebook, and nowhere where no person looks on.
 *
 * @module
 */
import { ProgressBar } from "./progress_bar.ts";
import { detectTarget, type ProgressTarget } from "./progress_targets.ts";
import type { ProgressState } from "./progress_text.ts";

export type { ProgressState, ProgressTarget };

/** Options of {@linkcode startProgress}. */
interface ProgressOptions {
  /** How much there is to do. @default {undefined} Not known */
  total?: number;
  /** What is counted, such as `turbines`; `bytes` are shown as MB. @default {undefined} Only the figure is shown */
  unit?: string;
  /** Where it is shown. @default {undefined} Notebook or terminal, whichever there is; nowhere in CI */
  to?: ProgressTarget;
  /** Shows nothing at all. @default {false} */
  silent?: boolean;
}

/** Something under way. */
export interface Progress {
  /** Says that so much more is done: 1 if not given; less than 0 where a part is begun again. */
  advance(by?: number): void;
  /** Says something about it, such as the status of an order, in place of what was said before. */
  say(note: string): void;
  /** Says how much there is to do, once that is known. */
  total(n: number): void;
  /** Takes it away; what is said afterwards is not shown. */
  end(): void;
  /** Takes it away at the end of `using`. */
  [Symbol.dispose](): void;
}

/**
 * Shows the progress of a piece of work: nothing in the first second, then label, bar, figures, seconds and note at most
 * ten times a second. At the end nothing of it stays.
 *
 * @param label What is going on
 * @param options How much there is, what is counted and where it is shown
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
