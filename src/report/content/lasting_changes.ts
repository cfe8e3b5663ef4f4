import { extractEpochs, extractNumbers } from "../../frames/frame.ts";
import { monthAt } from "../../time/zones.ts";
import { shortenText } from "../../show/text/short_text.ts";
import { messages } from "./messages.ts";
import type { TurbineReport } from "./turbine_report.ts";

/** Describes the lasting changes of a turbine's production, or which would show; nothing where none were searched. */
export function describeLastingChanges(
  { performance, noPerformance, details }: TurbineReport,
): string[] {
  if (noPerformance !== undefined) {
    return [messages.changes.notSearched(shortenText(noPerformance, 400))];
  }
  if (!performance) return [];
  const { changes, smallestChange } = performance;
  const names = ["size", "size_low", "size_high", "lost", "level"];
  const [size, low, high, lost, level] = names.map((name) => extractNumbers(changes, name));
  const [from, to] = ["from", "to"].map((name) => extractEpochs(changes, name));
  const monthOf = (instant: number) => monthAt(instant, details.time_zone ?? "UTC").toString();
  if (changes.height === 0) {
    return smallestChange === null ? [] : [messages.changes.none(smallestChange)];
  }
  return Array.from(size, (share, i) => {
    if (Number.isNaN(share)) {
      return messages.changes.limit(monthOf(from[i]), monthOf(to[i] - 1), level[i], lost[i]);
    }
    const ends = [low[i], high[i]].map((end) => Math.sign(share) * end).sort((a, b) => a - b);
    return messages.changes.step(monthOf(from[i]), share, ends[0], ends[1], lost[i]);
  });
}
