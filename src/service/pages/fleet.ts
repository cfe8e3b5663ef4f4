import { delay } from "@std/async";
import { turbineId } from "../../api/columns/columns.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { operationOf } from "../../api/operations/operations.ts";
import type { Parameter } from "../../api/operations/parameter.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { monthNumberOf } from "../../time/zones.ts";
import { computeDistance } from "../../windindex/climate/site_weights.ts";
import { listCoveredTurbines } from "../licences/covered_turbines.ts";
import { type Answer, type Call, numberOf, textOf } from "../operations/call.ts";
import { findTurbine } from "../operations/licensed_turbines.ts";
import { buildOriginHeaders } from "../operations/origin_headers.ts";
import { buildTaggedText } from "../responses/tagged_answer.ts";
import { FLEET_PATH, NEWS_PATH } from "./addresses.ts";
import { drawMap, drawMonths } from "./fleet_charts.ts";
import {
  type FleetAddresses,
  type FleetMember,
  renderFigures,
  renderFleet,
  showName,
} from "./fleet_markup.ts";
import type { Html } from "./page.ts";

/** Turbines that the page shows at most: each is a card. */
const MAX_TURBINES = 500;

/** Turbines whose months are read at once; other requests are answered between them. */
const AT_ONCE = 20;

/** Months in a chart. */
const CHART_MONTHS = 36;

const widthParameter: Parameter = {
  name: "width",
  in: "query",
  type: "integer",
  required: false,
  default: 900,
  minimum: 200,
  maximum: 2000,
  unit: "px",
  description: "Width of the picture on the page.",
  tag: "ours",
};

const aroundParameter: Parameter = {
  name: "around",
  in: "query",
  type: "identifier",
  required: true,
  description: "Turbine around which the map is.",
  tag: "ours",
};

const withinParameter: Parameter = {
  name: "within",
  in: "query",
  type: "number",
  required: true,
  minimum: 0,
  unit: "km",
  description: "Distance from it of the turbines on the map.",
  tag: "ours",
};

/** Parts of the page. Who may see them, and how they are refused, is as with operations that say the same to programs. */
const parts = {
  fleet: {
    ...operationOf("report_turbines"),
    path: FLEET_PATH,
    parameters: [widthParameter],
  },
  map: {
    ...operationOf("report_turbines"),
    path: `${FLEET_PATH}/map`,
    parameters: [aroundParameter, withinParameter, widthParameter],
  },
  months: {
    ...operationOf("wind_indices"),
    path: `${FLEET_PATH}/turbines/{${turbineId.name}}`,
    parameters: [...operationOf("wind_indices").parameters, widthParameter],
  },
} satisfies Record<string, Operation>;

function createAddresses(prefix: string): FleetAddresses {
  const { map, months } = parts;
  return {
    news: prefix + NEWS_PATH,
    map: (id, kilometres) =>
      `${prefix}${map.path}?${new URLSearchParams({
        [aroundParameter.name]: id,
        [withinParameter.name]: kilometres.toFixed(2),
      })}`,
    months: (id) =>
      prefix + months.path.replace(`{${turbineId.name}}`, () => encodeURIComponent(id)),
  };
}

/** Reads the turbines of the licence that the page shows, and counts all of them. */
export async function readTurbines({ licence, store }: Call) {
  const ids: string[] = [];
  let count = 0;
  for await (const page of listCoveredTurbines(licence, sitesOf(store))) {
    count += page.length;
    ids.push(...page.slice(0, MAX_TURBINES - ids.length));
  }
  const all = await sitesOf(store).turbines(ids);
  return { count, turbines: all.map((stored, i) => ({ number: i + 1, stored })) };
}

/** Adds its last month to each turbine. */
async function addMonths(
  { store }: Call,
  turbines: readonly Omit<FleetMember, "last">[],
): Promise<FleetMember[]> {
  const members: FleetMember[] = [];
  for (let at = 0; at < turbines.length; at += AT_ONCE) {
    const some = turbines.slice(at, at + AT_ONCE);
    const months = await sitesOf(store).fleetMonths(some.map(({ stored }) => stored.turbine.id));
    members.push(...some.map((member) => ({
      ...member,
      last: months.get(member.stored.turbine.id)
        ?.findLast((month) => month.month_abnormality_index !== null),
    })));
    await delay(0);
  }
  return members;
}

async function buildAnswer(call: Call, body: Html | string): Promise<Response> {
  return buildTaggedText(String(await body), {
    ...await buildOriginHeaders(call.store),
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
  });
}

/**
 * Creates the answers with the parts of the start page that need a key: a licence's turbines with their map, a part of
 * the map, and the chart of a turbine.
 *
 * @param prefix Prefix of each path in a browser
 */
export function createFleetAnswers(
  prefix: string,
): { readonly operation: Operation; readonly answer: Answer }[] {
  const addresses = createAddresses(prefix);
  const drawMembers = async (call: Call, members: readonly FleetMember[]) =>
    await drawMap(members, {
      width: numberOf(call, widthParameter.name),
      world: await call.store.world(),
      addresses,
    });
  const fleet: Answer = async (call) => {
    const { count, turbines } = await readTurbines(call);
    if (count === 0) {
      throw new Refusal(
        "no_data",
        "the licence covers no turbine. Ask the operator of this service which it should cover",
      );
    }
    const members = await addMonths(call, turbines);
    const map = await drawMembers(call, members);
    return await buildAnswer(call, renderFleet({ count, members, map, addresses }));
  };
  const map: Answer = async (call) => {
    const around = textOf(call, aroundParameter.name);
    const { turbines } = await readTurbines(call);
    const centre = turbines.find(({ stored }) => stored.turbine.id === around);
    if (!centre) throw new Refusal("no_data", `no turbine "${around}" is on the page`);
    const near = turbines.filter(({ stored: { turbine } }) =>
      computeDistance(turbine, centre.stored.turbine) <= numberOf(call, withinParameter.name)
    );
    return await buildAnswer(call, await drawMembers(call, await addMonths(call, near)));
  };
  const months: Answer = async (call) => {
    const stored = await findTurbine(call, "no_data");
    const { turbine } = stored;
    const all = await sitesOf(call.store).months(turbine.id);
    if (all.length === 0) throw new Refusal("no_data", `${turbine.id} has no indices yet`);
    const since = monthNumberOf(all[all.length - 1]) - CHART_MONTHS;
    const last = all.filter((month) => monthNumberOf(month) > since);
    const chart = await drawMonths(showName(stored), last, {
      width: numberOf(call, widthParameter.name),
      world: await call.store.world(),
    });
    return await buildAnswer(call, renderFigures(showName(stored), chart, last));
  };
  return [
    { operation: parts.fleet, answer: fleet },
    { operation: parts.map, answer: map },
    { operation: parts.months, answer: months },
  ];
}
