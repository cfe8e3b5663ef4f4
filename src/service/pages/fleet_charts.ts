import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { turbineDetailsFrame } from "../../api/columns/turbine_columns.ts";
import type { World } from "../../api/world.ts";
import { buildRows, type Rows } from "../../frames/frame.ts";
import { describeFrame } from "../../frames/provenance.ts";
import { plotFleetMap } from "../../plots/maps/fleet_map.ts";
import { plotMonthlyIndices } from "../../plots/monthly_indices.ts";
import { escapeHtml } from "../../show/text/html.ts";
import type { StoredMonth } from "../../sites/keep/site_record.ts";
import { monthAsDays } from "../../time/zones.ts";
import { computeDistance } from "../../windindex/climate/site_weights.ts";
import { describeLast, type FleetAddresses, type FleetMember, showName } from "./fleet_markup.ts";

/** Room of axes and watermark beside the plot area, px. */
const BESIDE = { map: 90, months: 86 };

/** Height of the plot areas, px. */
const HEIGHTS = { map: [260, 480], months: 120 } as const;

/** Distance within which turbines are at one place on every map, km. */
const ONE_PLACE = 0.02;

/** Names of turbines in the label of a mark that they share. */
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

/** What a mark of the map leads to, and what it says. */
function linkMark(members: readonly FleetMember[], addresses: FleetAddresses) {
  const [{ number, stored, last }] = members;
  const apart = Math.max(
    ...members.map((other) => computeDistance(stored.turbine, other.stored.turbine)),
  );
  const names = members.slice(0, MAX_NAMES).map(({ stored }) => showName(stored)).join(", ");
  const more = members.length > MAX_NAMES ? `, and ${members.length - MAX_NAMES} more` : "";
  const several = `${members.length} turbines: ${names}${more}.`;
  if (apart < ONE_PLACE) {
    const says = members.length > 1 ? several : `${showName(stored)}: ${describeLast(last)}`;
    return { address: `#turbine-${number}`, says };
  }
  const address = addresses.map(stored.turbine.id, 1.01 * apart + 0.01);
  return { address, says: `${several} Show them apart.` };
}

/** Draws the map of turbines, with a link in each mark: to the card of a turbine, or to a map of those that share it. */
export async function drawMap(
  members: readonly FleetMember[],
  { width, world, addresses }: {
    readonly width: number;
    readonly world: World;
    readonly addresses: FleetAddresses;
  },
): Promise<string> {
  const rows = members.map(({ stored, last }) => ({
    turbine_id: stored.turbine.id,
    name: showName(stored),
    latitude: stored.turbine.latitude,
    longitude: stored.turbine.longitude,
    [abnormality.name]: last?.month_abnormality_index ?? null,
  }));
  const byId = new Map(members.map((member) => [member.stored.turbine.id, member]));
  const labels = new Map<string, string>();
  const [lowest, highest] = HEIGHTS.map;
  const chart = plotFleetMap(
    buildSourced([...placeColumns, abnormality], rows, "turbine_details", world),
    {
      bare: true,
      width: width - BESIDE.map,
      height: Math.min(highest, Math.max(lowest, Math.round(width / 2))),
      theme: "light",
      link: (ids) => {
        const { address, says } = linkMark(ids.map((id) => byId.get(id)!), addresses);
        labels.set(escapeHtml(address), says);
        return address;
      },
    },
  );
  return (await chart.svg()).replaceAll(
    /<a xlink:href="([^"]*)"/g,
    (_, address) => `<a href="${address}" aria-label="${escapeHtml(labels.get(address) ?? "")}"`,
  );
}

/** Draws the last months of a turbine against their season. */
export async function drawMonths(
  name: string,
  months: readonly StoredMonth[],
  { width, world }: { readonly width: number; readonly world: World },
): Promise<string> {
  const rows = months.map((month) => ({
    ...month,
    turbine_id: name,
    month: monthAsDays(Temporal.PlainYearMonth.from(month)),
  }));
  const frame = buildSourced([abnormality, ...otherColumns], rows, "wind_indices", world);
  return await plotMonthlyIndices(frame, {
    figure: "month_abnormality_index",
    bare: true,
    width: width - BESIDE.months,
    height: HEIGHTS.months,
    theme: "light",
  }).svg();
}
