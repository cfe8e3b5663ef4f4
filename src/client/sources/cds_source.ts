import type { SentParameters } from "../../api/operations/request_path.ts";
import { Ledger } from "../orders/ledger.ts";
import { CostLimitError } from "./cds_errors.ts";
import { type CdsSession, fetchCdsFile } from "./cds_file.ts";
import { readCost } from "./cds_jobs.ts";
import type { CdsInputs } from "./cds_jobs.ts";
import type { CdsProduct, GridArea } from "./cds_product.ts";
import type { ClimateHours } from "./climate_hours.ts";
import { findSettledEnd, halveMonths, lastDayOf, listMonths, type Months } from "./months.ts";
import type { SourceCall, SourceFile } from "./source_file.ts";

/** What is asked for at once. */
interface Block {
  readonly months: Months;
  readonly request: CdsInputs;
  readonly call: SourceCall;
}

function buildBlock(
  { transport }: CdsSession,
  { fileType, buildRequest }: CdsProduct,
  area: GridArea,
  months: Months,
): Block {
  const lastDay = lastDayOf(months, Temporal.Now.plainDateISO("UTC"));
  const request = buildRequest(area, months, lastDay);
  const parameters: SentParameters = {
    service_id: request.dataset,
    lat: area.north,
    lon: area.west,
    start_year: months.first.year,
    end_year: months.last.year,
    filetype: fileType,
    request: JSON.stringify(request.inputs),
  };
  const lastInstant = lastDay.add({ days: 1 }).toZonedDateTime("UTC").epochMilliseconds - 1;
  const call = {
    place: transport.baseUrl,
    operation: request.dataset,
    parameters,
    lastInstant,
  };
  return { months, request, call };
}

/**
 * Gets the hours of an area from the Climate Data Store: stored files first, then one request after the other, each as
 * large as its cost allows. What the service refuses as too large is halved, down to a month.
 *
 * @param area The point or the four points
 * @param months Months that contain what was asked for
 * @returns Hours by point and file, and the files
 */
export async function fetchFromCds(
  session: CdsSession,
  product: CdsProduct,
  area: GridArea,
  months: Months,
): Promise<{ readonly pieces: ClimateHours[]; readonly files: SourceFile[] }> {
  const { files: stored, transport, signal } = session;
  const ledger = new Ledger(session.connection.home);
  const read = ({ path, fetchedAt }: SourceFile) =>
    product.readFile(path, area, findSettledEnd(fetchedAt));
  const checkNew = (path: string) =>
    product.readFile(path, area, findSettledEnd(Temporal.Now.instant().toString()));
  const files: SourceFile[] = [];
  for (const part of product.splitPeriod(months)) files.push(...await collect(part));
  const pieces: ClimateHours[] = [];
  for (const file of files) pieces.push(...await read(file));
  return { pieces, files };

  /** Finds the files of months, whole or in the halves in which they were fetched. */
  async function findStored(months: Months): Promise<SourceFile[] | undefined> {
    const { call, request } = buildBlock(session, product, area, months);
    const file = await stored.find(call);
    // A process that was killed after it had stored the file has left its order open.
    const isOpen = file && !stored.offline && ledger.findOpen(call.place, call.parameters);
    if (isOpen) return [await fetchCdsFile(session, call, request, checkNew)];
    if (file) return [file];
    const [first, second] = halveMonths(months) ?? [];
    const one = first && await findStored(first);
    const two = one && await findStored(second!);
    return one && two && [...one, ...two];
  }

  async function isAffordable({ request, months }: Block): Promise<boolean> {
    const count = listMonths(months).length;
    if (count === 1 || product.maxMonths === Infinity) return true;
    const price = await readCost(transport, request, signal);
    return price ? price.cost <= price.limit : count <= product.maxMonths;
  }

  async function collect(months: Months): Promise<SourceFile[]> {
    const known = await findStored(months);
    if (known) return known;
    const block = buildBlock(session, product, area, months);
    if (stored.offline) stored.refuseOffline(block.call);
    const halves = halveMonths(months);
    try {
      if (await isAffordable(block)) {
        return [await fetchCdsFile(session, block.call, block.request, checkNew)];
      }
    } catch (error) {
      if (!(error instanceof CostLimitError && halves)) throw error;
    }
    return [...await collect(halves![0]), ...await collect(halves![1])];
  }
}
