import type { Event } from "./event.ts";

/**
 * Says what needs care of each event: `duplicate` of an earlier row, `overlap` in time with another event of the turbine,
 * `open` without an end, `instant` without a duration, `negative` where it ends before it begins, `unclear hour` where the
 * clock repeats its hour and its duration does not say which one it is.
 *
 * @param events In the order of turbine and start
 * @returns Flags by event, separated by commas; `null` where there is none
 */
export function flagEvents(events: readonly Event[]): (string | null)[] {
  const flags = events.map((): string[] => []);
  const seen = new Set<string>();
  /** The event of the turbine that ends last. */
  let last = -1;
  for (const [i, event] of events.entries()) {
    const { turbine, from, to, instant, unclear } = event;
    const key = JSON.stringify(event);
    if (seen.has(key)) flags[i].push("duplicate");
    else if (to !== null && to > from) {
      // What ends before the last one ends overlaps that one, or nothing that comes later.
      const before = events[last];
      if (before?.turbine === turbine && before.to! > from) {
        for (const one of [last, i]) {
          if (!flags[one].includes("overlap")) flags[one].push("overlap");
        }
      }
      if (before?.turbine !== turbine || to > before.to!) last = i;
    }
    seen.add(key);
    if (instant) flags[i].push("instant");
    else if (to === null) flags[i].push("open");
    else if (to < from) flags[i].push("negative");
    if (unclear) flags[i].push("unclear hour");
  }
  return flags.map((own) => own.length === 0 ? null : own.join(", "));
}
