import { checkPerformance } from "../../src/analysis/check_performance/check_performance.ts";
import { partOf, reachOf, type Verdict } from "../../src/analysis/verdict/row.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { formatMonthLabel } from "../../src/time/zones.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { listMonthSpans } from "../../src/windindex/index/monthly_energy.ts";
import { hoursFrame, servedTurbine } from "../validate/_served_site.ts";
import { computeHubs, dataPresent, siteData, type SiteName } from "../validate/_site_data.ts";
import { type JudgedMonth, judgeWorld, KINDS, type Truth } from "./_verdict_world.ts";

/** The rule of the verdict was chosen on worlds 1000 to 1199. */
const FIRST_WORLD = 3000;

/** Goals, %: smallest share of right causes, largest share of clean months that blame the turbine. */
const GOALS = { right: 95, blamed: 5 } as const;

const CAUSES: Readonly<Record<string, keyof Truth>> = {
  "wind": "wind",
  "stops": "stops",
  curtailment: "limits",
  "unexplained": "unexplained",
};

/** Half width of the band of usual months; NaN if unknown. */
function bandOf(verdict: Verdict): number {
  const rest = partOf(verdict, "rest");
  return rest ? Math.max(...reachOf(rest)) || NaN : NaN;
}

/** Whether the main cause is at least half as large as the largest true cause in the same direction. */
function isRight({ verdict, truth }: JudgedMonth): boolean {
  const deviation = Object.values(truth).reduce((sum, one) => sum + one, 0);
  const sign = Math.sign(deviation);
  const sizes = Object.values(truth).map((one) => sign * one);
  return sign * truth[CAUSES[verdict.verdict]] >= 0.5 * Math.max(...sizes);
}

/** Whether a verdict blames the turbine for a loss. */
function isBlamed({ verdict: { causes, rest } }: JudgedMonth): boolean {
  return /stops|curtailment/.test(causes) || (causes.includes("unexplained") && rest! < 0);
}

const percent = (part: number, all: number) => `${(100 * part / all).toFixed(1)} %`;

/** Counts the right causes among the months that truly deviate. */
function describe(what: string, months: readonly JudgedMonth[]) {
  const told = months.filter(({ verdict }) => verdict.verdict in CAUSES);
  const right = told.filter(isRight).length;
  const count = (name: string) => months.filter(({ verdict }) => verdict.verdict === name).length;
  return {
    right,
    told: told.length,
    line:
      `${what}: ${months.length} months deviate by more than the band; of the ${told.length} with a cause ` +
      `${percent(right, told.length)} name the right one; ${
        percent(count("cannot be told"), months.length)
      } cannot be told, ` +
      `${percent(count("as usual"), months.length)} are called usual`,
  };
}

/** Losses injected into the hours of a month of a real turbine. */
const INJECTED: Readonly<Record<string, (power: number, hour: number) => number>> = {
  "stops": (power, hour) => hour >= 240 && hour < 384 ? 0 : power,
  "unexplained": (power) => 0.8 * power,
};

/**
 * Injects losses into each month of the real hours of a site, one at a time.
 *
 * @returns Goals that are missed, in words
 */
async function injectInto(
  site: SiteName,
  reanalysis: string,
  say: (line: string) => void,
): Promise<string[]> {
  const data = await siteData(site);
  const tally = Object.fromEntries(
    Object.keys(INJECTED).map((cause) => [cause, { all: 0, named: 0, other: 0 }]),
  );
  let [months, blamed] = [0, 0];
  for (const { turbine, production: [hours] } of data.turbines) {
    const { axis, power } = hours as HourlyProduction;
    const { hub } = computeHubs(data, turbine).find(({ serviceId }) => serviceId === reanalysis)!;
    const { inputs } = checkProduction([hours], turbine, [], []);
    const { model, details, indices } = servedTurbine(turbine, hub, inputs);
    const check = (measured: Float64Array) =>
      checkPerformance(hoursFrame(axis.start, { power: measured }, "UTC"), {
        ...{ predicted: model, indices, details },
      }).verdicts;
    const asIs = new Map(check(power).map((verdict) => [verdict.period, verdict]));
    for (const verdict of asIs.values()) {
      if (verdict.reason !== null) continue;
      months++;
      if (isBlamed({ verdict } as JudgedMonth) && !verdict.causes.includes("stops")) blamed++;
    }
    for (const span of listMonthSpans(axis, turbine.timeZone)) {
      const label = formatMonthLabel(span);
      for (const [cause, act] of Object.entries(INJECTED)) {
        const measured = power.slice();
        let lost = 0;
        for (let i = Math.max(0, span.from); i < Math.min(measured.length, span.to); i++) {
          const value = power[i] > 0 ? act(power[i], i - span.from) : power[i];
          if (value < measured[i]) lost += (measured[i] - value) / 1000;
          measured[i] = value;
        }
        const verdict = check(measured).find(({ period }) => period === label);
        if (!verdict || verdict.reason?.startsWith("only") || !(lost > bandOf(verdict))) continue;
        tally[cause].all++;
        if (verdict.causes.includes(cause)) tally[cause].named++;
        else if (verdict.causes !== "") tally[cause].other++;
      }
    }
  }
  for (const [cause, { all, named, other }] of Object.entries(tally)) {
    say(
      `${site}, ${cause} injected into real hours: ${all} months lose more than the band; the verdict names it in ${
        percent(named, all)
      }, only other causes in ${percent(other, all)}`,
    );
  }
  say(
    `${site}, unchanged: ${blamed} of ${months} months blame the turbine without a stop, or the reanalysis is wrong there`,
  );
  return [
    ...Object.entries(tally)
      .filter(([, { all, named }]) => 100 * named < GOALS.right * all)
      .map(([cause, { all, named }]) => `${site}: ${cause} is named in ${percent(named, all)}`),
    ...(100 * blamed <= GOALS.blamed * months
      ? []
      : [`${site}: ${percent(blamed, months)} of the months as they are blame the turbine`]),
  ];
}

/**
 * Judges months of worlds whose causes are known, and of real hours with injected losses.
 *
 * @param worlds Number of worlds: clean, with stops, limits, weak wind, unexplained losses, or two causes
 * @param say Prints the results
 * @param advance Called after each
 * @returns Goals that are missed, in words
 */
export async function verdicts(
  worlds: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const months: JudgedMonth[] = [];
  for (let i = 0; i < worlds; i++) {
    months.push(...judgeWorld(FIRST_WORLD + i, KINDS[i % KINDS.length]));
    advance();
  }
  const judged = months.filter(({ verdict }) => bandOf(verdict) > 0);
  const deviating = judged.filter(({ verdict, truth }) =>
    Math.abs(Object.values(truth).reduce((sum, one) => sum + one, 0)) > bandOf(verdict)
  );
  const all = describe("all worlds", deviating);
  say(`${worlds} worlds, ${months.length} months, ${judged.length} of them with an interval`);
  say(all.line);
  for (const kind of KINDS) {
    say(describe(kind, deviating.filter((one) => one.kind === kind)).line);
  }
  const clean = judged.filter(({ kind }) => kind === "clean" || kind === "weak wind");
  const blamed = clean.filter(isBlamed).length;
  say(`clean months that blame the turbine: ${percent(blamed, clean.length)} of ${clean.length}`);
  const missed: string[] = [];
  if (dataPresent()) {
    missed.push(...await injectInto("kelmarsh", "era5", say));
    missed.push(...await injectInto("la_haute_borne", "merra2", say));
  } else say("real hours skipped: ../shared/data is not here");
  return [
    ...missed,
    ...(100 * all.right >= GOALS.right * all.told
      ? []
      : [`${percent(all.right, all.told)} of the named causes are right`]),
    ...(100 * blamed <= GOALS.blamed * clean.length
      ? []
      : [`${percent(blamed, clean.length)} of clean months blame the turbine`]),
  ];
}
