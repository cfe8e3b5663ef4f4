import { formatNumber } from "../../show/text/numbers.ts";
import type { News } from "./news.ts";
import type { MonthNews, TurbineNews } from "./turbine_news.ts";

/** Months that are named; more are counted. */
const MAX_NAMED = 6;

const formatIndex = (value: number | null) => value === null ? "no index" : `${value.toFixed(1)} %`;

function formatAdded({ month, after, status }: MonthNews): string {
  return `${month} with ${formatIndex(after)}${status === "preliminary" ? " (preliminary)" : ""}`;
}

function formatRevised({ month, before, after }: MonthNews): string {
  const [old, now] = [before, after].map(formatIndex);
  return old === now ? `${month} by less than 0.1 %` : `${month} from ${old} to ${now}`;
}

function formatMonths(
  what: string,
  months: readonly MonthNews[],
  format: (one: MonthNews) => string,
): string[] {
  if (months.length === 0) return [];
  if (months.length <= MAX_NAMED) return [`${what} ${months.map(format).join(", ")}`];
  return [`${what} ${months.length} months of ${months[0].month} to ${months.at(-1)!.month}`];
}

function formatTurbine({ added, revised, trailing, production }: TurbineNews): string {
  return [
    ...formatMonths("new", added, formatAdded),
    ...formatMonths("revised", revised, formatRevised),
    ...trailing === 0 ? [] : [
      `${trailing} other month${
        trailing === 1 ? "" : "s"
      } with another status, or another figure ` +
      "of twelve months, a quarter or a year",
    ],
    ...production
      ? [
        `production ${production.from} to ${production.to}, ${
          formatNumber(production.validHours)
        } h valid`,
      ]
      : [],
  ].join("; ");
}

/** Lines of texts, each after all turbines that have it. */
function groupLines(texts: readonly (readonly [id: string, text: string])[]): string[] {
  return [...Map.groupBy(texts, ([, text]) => text)].map(([text, found]) =>
    `  ${found.map(([id]) => id).join(", ")}: ${text}`
  );
}

/**
 * Formats what an update found, a line for each turbine or for all that have the same.
 *
 * @returns Nothing where nothing is
 */
export function formatNews({ turbines, gone, notes }: News): string[] {
  const lines = [...turbines].map(([id, news]) => [id, formatTurbine(news)] as const)
    .filter(([, text]) => text !== "");
  const doubts = [...turbines].flatMap(([id, news]) =>
    news.doubts.map((doubt) => [id, doubt] as const)
  );
  const findings = [...doubts, ...notes];
  return [
    ...lines.length === 0 ? [] : [
      "New since the last update (100 % is a normal month of the same name):",
      ...groupLines(lines),
    ],
    ...findings.length === 0 ? [] : ["To be looked at by a person:", ...groupLines(findings)],
    ...gone.length === 0 ? [] : [
      `No longer in a site file, and deleted with all months: ${gone.join(", ")}. Put them back ` +
      "into it, or do nothing if that is right",
    ],
  ];
}
