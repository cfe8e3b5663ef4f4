import type { CoverageItem, DatasetItem } from "../../api/columns/dataset_columns.ts";
import { ANY_FILE } from "../../api/operations/operation_declaration.ts";
import type { ClimateDataId, ClimateParameters } from "../../api/operations/climate_data.ts";
import { HOUR } from "../../time/hourly.ts";
import { dayAt } from "../../time/zones.ts";
import { type Answer, buildOriginHeaders, type Call, numberOf, textOf } from "./call.ts";
import {
  describeClimateFile,
  findPoint,
  listNearestPoints,
  mediaTypeOf,
  readClimateRequest,
} from "../fulfilment/climate_delivery.ts";
import type { StoredFile } from "../../storage/files/files.ts";
import { findDownload } from "../fulfilment/climate_download.ts";
import { coversDataset } from "../licences/licences.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { streamSlice } from "../responses/stream_slice.ts";
import type { Order } from "../../storage/store/orders.ts";
import type { Dataset } from "../../sites/keep/site_record.ts";
import { type Sites, sitesOf } from "../../sites/keep/sites.ts";
import { describeUnknownName } from "./licensed_turbines.ts";
import { buildTaggedJson } from "../responses/http_headers.ts";

/** Direct downloads of one licence at the same time; more are refused with 406. */
export const MAX_ACTIVE_DOWNLOADS = 4;

/** Finds the dataset of a request, if the licence covers it. */
async function findDataset(call: Call): Promise<Dataset> {
  const serviceId = textOf(call, "service_id");
  const dataset = await sitesOf(call.store).dataset(serviceId);
  if (dataset && coversDataset(call.licence, serviceId)) return dataset;
  const known = (await listDatasets(call)).map(({ serviceId }) => serviceId);
  throw new Refusal("no_access", describeUnknownName("dataset", serviceId, known));
}

/** The datasets that the licence of a request covers. */
async function listDatasets({ store, licence }: Call): Promise<Dataset[]> {
  return (await sitesOf(store).datasets()).filter((one) => coversDataset(licence, one.serviceId));
}

const datasets: Answer = async (call) => {
  const covered = await listDatasets(call);
  if (covered.length === 0) throw new Refusal("no_data", "the licence does not cover any dataset");
  const items = covered.map((dataset): DatasetItem => ({
    id: dataset.id,
    service_id: dataset.serviceId,
    data_group: dataset.group,
    data_type: dataset.type,
    short_description: dataset.shortDescription,
    long_description: dataset.longDescription,
    url_description: dataset.url,
  }));
  return buildTaggedJson(items, await buildOriginHeaders(call.store));
};

const formatDay = (instant: number) => dayAt(instant, "UTC").toString();

const coverage: Answer = async (call) => {
  const { serviceId } = await findDataset(call);
  const location = { latitude: numberOf(call, "lat"), longitude: numberOf(call, "lon") };
  const radius = numberOf(call, "max_distance");
  const near = (await listNearestPoints(sitesOf(call.store), serviceId, location))
    .filter(({ away }) => away <= radius).slice(0, numberOf(call, "num_points"));
  if (near.length === 0) {
    throw new Refusal("no_data", `no point of ${serviceId} is within ${radius} km`);
  }
  const items = near.map(({ point, away }): CoverageItem => ({
    distance_to_request_location: Math.round(away * 1000) / 1000,
    last_updated: formatDay(point.start + (point.hours - 1) * HOUR),
    latitude: point.latitude,
    longitude: point.longitude,
    start_year: formatDay(point.start),
  }));
  const attribution = near.flatMap(({ point }) => point.attribution);
  return buildTaggedJson(items, await buildOriginHeaders(call.store, { attribution }));
};

/** Placing an order has effects, and its status changes soon, so caches must not store these answers. */
const NO_STORE = { headers: { "cache-control": "no-store" } };

const placeOrder: Answer = async (call) => {
  await findDataset(call);
  return Response.json(await call.orders.place(call.licence, call.parameters), NO_STORE);
};

const orderStatus: Answer = async (call) => {
  const id = textOf(call, "order_id");
  const status = await call.orders.status(call.licence, id, call.origin);
  if (status === undefined) throw new Refusal("not_found", `there is no order "${id}"`);
  return Response.json(status, NO_STORE);
};

/** Finds the file of a direct download with its sites; builds it unless an earlier request left one. */
async function findFile(
  { store, files, jobs, licence, parameters }: Call,
  request: ClimateParameters,
): Promise<{ file: StoredFile; sites: Sites }> {
  while (true) { // again if the data were replaced meanwhile
    const sites = sitesOf(store.forRequest());
    const file = await findDownload(files, await findPoint(sites, request), request);
    if (file) return { file, sites };
    await jobs.run({
      kind: "build_download",
      parameters: parameters as Order["parameters"],
      turn: licence.serialNumber,
      urgent: true,
    });
  }
}

/** Creates the answer of downloads, and counts downloads under way by licence: from the request until the last part is sent or the reader leaves. */
function createDownloads(): Answer {
  const active = new Map<string, number>();
  return async (call) => {
    await findDataset(call);
    const request = readClimateRequest(call.parameters);
    await findPoint(sitesOf(call.store), request); // first, to report missing data even if the service is busy
    const { serialNumber } = call.licence;
    const running = active.get(serialNumber) ?? 0;
    if (running >= MAX_ACTIVE_DOWNLOADS) {
      throw new Refusal(
        "too_many_requests",
        `${running} downloads of the licence are in progress`,
        {
          retryAfter: 1,
        },
      );
    }
    active.set(serialNumber, running + 1);
    const end = () => {
      const remaining = active.get(serialNumber)! - 1;
      if (remaining > 0) active.set(serialNumber, remaining);
      else active.delete(serialNumber);
    };
    try {
      const { file, sites } = await findFile(call, request);
      const { size } = file;
      const { name, attribution } = await describeClimateFile(sites, request);
      const headers = {
        "content-length": String(size),
        ...await buildOriginHeaders(call.store, { attribution }),
        "content-type": call.headers.get("accept") === ANY_FILE
          ? ANY_FILE
          : mediaTypeOf(request.filetype),
        vary: "accept",
        "content-disposition": `attachment; filename="${name}"`,
        etag: `"${file.hash}"`,
      };
      return new Response(streamSlice(file, 0, size, { turn: serialNumber, onClose: end }), {
        headers,
      });
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** Answers of the climate-data group; each service counts its own downloads. */
export function createClimateDataAnswers(): Record<ClimateDataId, Answer> {
  return {
    datasets,
    coverage,
    place_order: placeOrder,
    order_status: orderStatus,
    download_climate: createDownloads(),
  };
}
