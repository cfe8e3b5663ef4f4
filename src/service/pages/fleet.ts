import { setImmediate } from "node:timers/promises";
import { monthlyIndicesFrame, turbineId } from "../../api/columns/columns.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { operationOf } from "../../api/operations/operations.ts";
import type { Parameter } from "../../api/operations/parameter.ts";
import { listMarks } from "../../sites/calibration/calibration_notes.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { monthAsDays, monthNumberOf } from "../../time/zones.ts";
import { computeDistance } from "../../windindex/climate/site_weights.ts";
import {
  type Answer,
  buildOriginHeaders,
  type Call,
  numberOf,
  textOf,
} from "../operations/call.ts";
import { findTurbine } from "../operations/licensed_turbines.ts";
import { doInTurn } from "../responses/do_in_turn.ts";
import { KeptPages } from "../responses/kept_pages.ts";
import { streamBytes } from "../responses/stream_slice.ts";
import { FLEET_PATH, NEWS_PATH } from "./addresses.ts";
import {
  chooseScale,
  describeFleet,
  describeLast,
  type FleetAddresses,
  type FleetMember,
  renderCard,
  renderFigures,
  renderFleet,
  showName,
  sortWeakestFirst,
} from "./fleet_markup.ts";
import type { Html } from "./page.ts";
import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { turbineDetailsFrame } from "../../api/columns/turbine_columns.ts";
import type { World } from "../../api/world.ts";
import { buildRows, type Rows } from "../../frames/frame.ts";
import { describeFrame } from "../../frames/origin/provenance.ts";
import { plotFleetMap } from "../../plots/maps/fleet_map.ts";
import { plotMonthlyIndices } from "../../plots/index/monthly_indices.ts";
import { escapeHtml } from "../../show/text/html.ts";
import type { StoredMonth } from "../../sites/keep/site_record.ts";
import { listCoveredTurbines } from "../licences/licences.ts";

/** Width of axes and watermark next to the plot area, px. */
const BESIDE = { map: 90, months: 86 };

/** Height of the plot areas, px. */
const HEIGHTS = { map: [260, 480], months: 120 } as const;

/** Distance within which turbines share a place on every map, km. */
const ONE_PLACE = 0.02;

/** Most names of turbines in the label of a shared mark. */
const MAX_NAMES = 5;

const placeColumns = pickColumns(turbineDetailsFrame, [
  "turbine_id",
  "name",
  "latitude",
  "longitude",
]);
const [abnormality, ...otherColumns] = pickColumns(monthlyIndicesFrame, [
  "month_abnormality_index",
  "turbine_id",
  "month",
  "last12_month_index",
  "status",
]);

/** A frame of declared columns from rows, with its source. */
function buildSourced(
  columns: readonly Column[],
  rows: Rows,
  operation: string,
  world: World,
): DataFrame {
  const source = { operation, parameters: {}, sha256: [], world, attribution: [] };
  return describeFrame(buildRows(columns, rows), columns, source);
}

/** Link target and label of a mark on the map. */
function linkMark(members: readonly FleetMember[], addresses: FleetAddresses) {
  const [{ number, stored, name, last }] = members;
  const apart = Math.max(
    ...members.map((other) => computeDistance(stored.turbine, other.stored.turbine)),
  );
  const names = members.slice(0, MAX_NAMES).map(({ name }) => name).join(", ");
  const more = members.length > MAX_NAMES ? `, and ${members.length - MAX_NAMES} more` : "";
  const several = `${members.length} turbines: ${names}${more}. ${describeFleet(members)}`;
  if (apart < ONE_PLACE) {
    const says = members.length > 1 ? several : `${name}: ${describeLast(last)}`;
    return { address: `#turbine-${number}`, says };
  }
  const address = addresses.map(stored.turbine.id, 1.01 * apart + 0.01);
  return { address, says: `${several} Show them separately.` };
}

/** Draws the map of turbines. Each mark links to the card of its turbine, or to a map of the turbines that share it. */
async function drawMap(
  call: Call,
  members: readonly FleetMember[],
  addresses: FleetAddresses,
): Promise<string> {
  const width = numberOf(call, widthParameter.name);
  const world = await call.store.world();
  const rows = members.map(({ stored, name, last }) => ({
    turbine_id: stored.turbine.id,
    name,
    latitude: stored.turbine.latitude,
    longitude: stored.turbine.longitude,
    [abnormality.name]: last?.month_abnormality_index ?? null,
  }));
  const byId = new Map(members.map((member) => [member.stored.turbine.id, member]));
  const labels = new Map<string, string>();
  const [lowest, highest] = HEIGHTS.map;
  const fleet = buildSourced([...placeColumns, abnormality], rows, "turbine_details", world);
  const chart = await doPart(call, () =>
    plotFleetMap(fleet, {
      bare: true,
      width: width - BESIDE.map,
      height: Math.min(highest, Math.max(lowest, Math.round(width / 2))),
      theme: "light",
      link: (ids) => {
        const { address, says } = linkMark(ids.map((id) => byId.get(id)!), addresses);
        labels.set(escapeHtml(address), says);
        return address;
      },
    }));
  return (await doPart(call, () => chart.svg())).replaceAll(
    /<a xlink:href="([^"]*)"/g,
    (_, address) => `<a href="${address}" aria-label="${escapeHtml(labels.get(address) ?? "")}"`,
  );
}

/** Draws the last months of a turbine against their season. */
async function drawMonths(
  name: string,
  months: readonly StoredMonth[],
  { width, world, range }: {
    readonly width: number;
    readonly world: World;
    readonly range: readonly number[];
  },
): Promise<string> {
  const rows = months.map((month) => ({
    ...month,
    turbine_id: name,
    month: monthAsDays(Temporal.PlainYearMonth.from(month)),
  }));
  const frame = buildSourced([abnormality, ...otherColumns], rows, "wind_indices", world);
  return await plotMonthlyIndices(frame, {
    figure: "month_abnormality_index",
    range,
    bare: true,
    width: width - BESIDE.months,
    height: HEIGHTS.months,
    theme: "light",
  }).svg();
}

/** Most turbines on the page, a card for each. */
const MAX_TURBINES = 500;

/** Turbines read in one step of some milliseconds; other requests are answered in between. */
const AT_ONCE = 20;

/** Cards written in one step of similar length. */
const CARDS_AT_ONCE = 50;

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
  description: "Turbine at the centre of the map.",
  tag: "ours",
};

const withinParameter: Parameter = {
  name: "within",
  in: "query",
  type: "number",
  required: true,
  minimum: 0,
  unit: "km",
  description: "Largest distance from that turbine on the map.",
  tag: "ours",
};

/** The ends of the scale that all charts of a page share. */
const scaleParameters = ["low", "high"].map((name): Parameter => ({
  name,
  in: "query",
  type: "integer",
  required: false,
  default: 100,
  minimum: 0,
  unit: "%",
  description: "A figure that the scale of the chart includes.",
  tag: "ours",
}));

/** Parts of the page. Their access and refusals are like those of the API operations with the same content. */
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
    parameters: [...operationOf("wind_indices").parameters, ...scaleParameters, widthParameter],
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
    months: (id, [low, high]) =>
      `${prefix}${months.path.replace(`{${turbineId.name}}`, () => encodeURIComponent(id))}` +
      `?low=${low}&high=${high}`,
  };
}

/** Does a part of a page in the turn of its licence, after other waiting requests. */
export async function doPart<T>({ licence }: Call, work: () => T | Promise<T>): Promise<T> {
  return await doInTurn(licence.serialNumber, async () => {
    await setImmediate();
    return await work();
  });
}

/** Does a part of a page for some items at a time. */
async function mapInParts<T, R>(
  call: Call,
  items: readonly T[],
  atOnce: number,
  map: (some: readonly T[]) => readonly R[] | Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    results.push(...await doPart(call, () => map(items.slice(at, at + atOnce))));
  }
  return results;
}

/** Reads the licence's turbines for the page, and counts all of them. */
export async function readTurbines(call: Call) {
  const ids: string[] = [];
  let count = 0;
  for await (const page of listCoveredTurbines(call.licence, sitesOf(call.store))) {
    count += page.length;
    ids.push(...page.slice(0, MAX_TURBINES - ids.length));
  }
  const all = await mapInParts(call, ids, AT_ONCE, (some) => sitesOf(call.store).turbines(some));
  return { count, turbines: all.map((stored, i) => ({ number: i + 1, stored })) };
}

/** The months of a chart: the last ones of a turbine. */
function selectRecent(months: readonly StoredMonth[]): StoredMonth[] {
  const since = monthNumberOf(months[months.length - 1]) - CHART_MONTHS;
  return months.filter((month) => monthNumberOf(month) > since);
}

/** Adds its name, its marks and its last months to each turbine. */
async function addMonths(
  call: Call,
  turbines: readonly Pick<FleetMember, "number" | "stored">[],
): Promise<FleetMember[]> {
  return await mapInParts(call, turbines, AT_ONCE, async (some) => {
    const ids = some.map(({ stored }) => stored.turbine.id);
    const months = await sitesOf(call.store).fleetMonths(ids);
    return some.map(({ number, stored }) => {
      const all = months.get(stored.turbine.id) ?? [];
      const last = all.findLast((month) => month.month_abnormality_index !== null);
      return {
        number,
        stored,
        name: showName(stored),
        marks: listMarks(stored.calibration),
        last,
        recent: last ? selectRecent(all) : [],
      };
    });
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
  const pages = new KeptPages();
  /** Answers with a part that depends only on the stored turbines, the licence's turbines and the parameters. */
  const answerWith = (
    operation: Operation,
    render: (call: Call) => Promise<Html | string>,
  ): { readonly operation: Operation; readonly answer: Answer } => ({
    operation,
    answer: async (call) => {
      const version = await call.store.documents.version("turbine"); // changes with each turbine
      const { bytes, etag } = await pages.find(
        [version, call.licence.turbines, operation.path, call.parameters],
        async () => String(await render(call)),
      );
      return new Response(streamBytes(bytes, call.licence.serialNumber), {
        headers: {
          ...await buildOriginHeaders(call.store),
          etag,
          "content-type": "text/html; charset=utf-8",
          "content-length": String(bytes.length),
          "cache-control": "no-store",
        },
      });
    },
  });
  return [
    answerWith(parts.fleet, async (call) => {
      const { count, turbines } = await readTurbines(call);
      if (count === 0) {
        throw new Refusal(
          "no_data",
          "the licence does not cover any turbine. Ask the operator of this service which turbines it should cover",
        );
      }
      const members = await addMonths(call, turbines);
      const map = await drawMap(call, members, addresses);
      const scale = chooseScale(members);
      const cards = await mapInParts(
        call,
        sortWeakestFirst(members),
        CARDS_AT_ONCE,
        (some) => some.map((member) => renderCard(member, addresses, scale)),
      );
      return renderFleet({ count, members, map, cards, addresses });
    }),
    answerWith(parts.map, async (call) => {
      const around = textOf(call, aroundParameter.name);
      const { turbines } = await readTurbines(call);
      const centre = turbines.find(({ stored }) => stored.turbine.id === around);
      if (!centre) throw new Refusal("no_data", `no turbine "${around}" is on the page`);
      const near = turbines.filter(({ stored: { turbine } }) =>
        computeDistance(turbine, centre.stored.turbine) <= numberOf(call, withinParameter.name)
      );
      return await drawMap(call, await addMonths(call, near), addresses);
    }),
    answerWith(parts.months, async (call) => {
      const stored = await findTurbine(call, "no_data");
      const { turbine } = stored;
      const all = await sitesOf(call.store).months(turbine.id);
      if (all.length === 0) throw new Refusal("no_data", `${turbine.id} has no indices yet`);
      const last = selectRecent(all);
      const world = await call.store.world();
      const chart = await doPart(call, () =>
        drawMonths(showName(stored), last, {
          width: numberOf(call, widthParameter.name),
          range: scaleParameters.map(({ name }) => numberOf(call, name)),
          world,
        }));
      return renderFigures(showName(stored), chart, last);
    }),
  ];
}
