import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { dataPresent, siteData } from "../validate/_site_data.ts";
import { clockWorlds, daysOff, importClock, offsetAt, writeByClock } from "./_clock_faults.ts";

/** Smallest share of worlds with the fault found. */
const MIN_FOUND = 0.9;

/** Largest error of a day counted as found: a month. */
const MAX_DAYS = 31;

/** Counts of worlds. */
interface Counts {
  /** Clean worlds with a finding. */
  alarms: number;
  /** Days between the found and the true day, if an hour late from a day on. */
  readonly days: number[];
  /** Found: local time read as UTC, and local time with its winter offset. */
  utc: number;
  fixed: number;
}

const isStep = (findings: readonly string[]) =>
  findings.length === 1 && / on .*than before/.test(findings[0]);
const isSummer = (findings: readonly string[]) =>
  findings.some((line) => line.includes("later in summer than in winter"));

function countSynthetic(count: number, advance: () => void): Counts {
  const counts: Counts = { alarms: 0, days: [], utc: 0, fixed: 0 };
  for (const { site, production, timeZone, instant } of clockWorlds(count)) {
    const judge = (hoursAt: (instant: number) => number) =>
      importClock(site, 0, writeByClock(production, hoursAt));
    const offset = (time: number) => offsetAt(time, timeZone);
    const winter = Math.min(offset(Date.UTC(2021, 0)), offset(Date.UTC(2021, 6)));
    if (judge(() => 0).length > 0) counts.alarms++;
    const step = judge((time) => time < instant ? 0 : 1);
    if (isStep(step)) counts.days.push(daysOff(step[0], instant));
    if (isSummer(judge(offset))) counts.utc++;
    if (isSummer(judge((time) => offset(time) - winter))) counts.fixed++;
    advance();
  }
  return counts;
}

/** Kelmarsh in 2018, an hour late from the first of a month. */
async function countKelmarsh(say: (line: string) => void): Promise<void> {
  const site = await siteData("kelmarsh");
  const late: number[] = [];
  let [alarms, cases, summers] = [0, 0, 0];
  site.turbines.forEach(({ turbine, production }, position) => {
    const [hours] = production.filter((record): record is HourlyProduction =>
      record.kind === "hourly"
    );
    alarms += Number(importClock(site, position, hours).length > 0);
    for (const month of [4, 7, 10]) {
      const instant = Date.UTC(2018, month - 1);
      cases++;
      const findings = importClock(
        site,
        position,
        writeByClock(hours, (time) => time < instant ? 0 : 1),
      );
      if (isStep(findings)) late.push(daysOff(findings[0], instant));
    }
    const local = writeByClock(hours, (time) => offsetAt(time, turbine.timeZone));
    summers += Number(isSummer(importClock(site, position, local)));
  });
  const turbines = site.turbines.length;
  say(
    `Kelmarsh 2018, ${turbines} turbines: clean, ${alarms} with a finding; +1 h from 1 April, July and October: ` +
      `${describeDays(late, cases)}; local time read as UTC found in ${summers} of ${turbines}`,
  );
}

function describeDays(days: readonly number[], cases: number): string {
  const within = days.filter((off) => off <= MAX_DAYS).length;
  const farthest = days.length === 0 ? "" : `, at most ${Math.max(...days).toFixed(0)} days off`;
  return `found in ${days.length} of ${cases}, in ${within} with the day within a month${farthest}`;
}

/**
 * Counts how often an import finds clocks that are wrong in a part of a record: an hour late from a day on, at least
 * two months from either end, or local time read as UTC or with its winter offset. As in any import, the model is
 * calibrated on that production. Worlds have 12 to 36 months of hourly production.
 *
 * @param worlds Number of worlds
 * @param say Prints the results
 * @param advance Called after each
 * @returns Rates out of bounds, in words
 */
export async function clockFaults(
  worlds: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const { alarms, days, utc, fixed } = countSynthetic(worlds, advance);
  say(`${worlds} synthetic worlds with hourly production: clean, ${alarms} with a finding`);
  say(`+1 h from a day on: ${describeDays(days, worlds)}`);
  say(
    `local time read as UTC: found in ${utc}; local time with its winter offset: found in ${fixed}`,
  );
  if (dataPresent()) await countKelmarsh(say);
  else say("Kelmarsh is left out: ../shared/data is not here");
  const rates = [
    [
      "+1 h from a day on, with the day within a month",
      days.filter((off) => off <= MAX_DAYS).length,
    ],
    ["local time read as UTC", utc],
    ["local time read at the offset of its winter", fixed],
  ] as const;
  return [
    ...rates.filter(([, count]) => count < MIN_FOUND * worlds)
      .map(([what, count]) => `${what} is found in ${count} of ${worlds} worlds, not in 90 %`),
    ...(alarms > 0 ? [`${alarms} clean worlds have a finding`] : []),
  ];
}
