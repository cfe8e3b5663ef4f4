import { z } from "zod";
import type { GridPoint } from "../frames/grid_points.ts";
import type { SentParameters } from "../api/operations/request_path.ts";
import type { Ledger } from "../client/orders/ledger.ts";
import type { CdsInputs } from "./cds_jobs.ts";
import type { Block } from "./months.ts";
import { parseJson } from "../client/http/body.ts";
import type { SourceReader } from "./stored_months.ts";

/** A dataset of the Climate Data Store, with what is asked of it and how its files are read. */
export interface CdsProduct extends SourceReader {
  /** Format of its files, as `orders()` shows it. */
  readonly fileType: "csv" | "netcdf";
  /** Counts how many months, starting from a given one, a single request can ask for. */
  countMonths(first: Temporal.PlainYearMonth): number;
  /** Adds the points that a request for these points must include. */
  complete(points: readonly GridPoint[]): GridPoint[];
  /** Builds the inputs of a request, up to the last day that had begun. */
  buildInputs(block: Block, lastDay: Temporal.PlainDate): CdsInputs["inputs"];
}

/** What one request to the Climate Data Store asks for. */
export interface CdsBlock extends Block {
  readonly product: CdsProduct;
  /** Parameters that name the block in the ledger: whole months, so that they are the same tomorrow. */
  readonly parameters: SentParameters;
}

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)
  .transform((text) => Temporal.PlainYearMonth.from(text));
const requestSchema = z.strictObject({
  points: z.array(z.strictObject({ latitude: z.number(), longitude: z.number() })).min(1),
  months: z.strictObject({ first: month, last: month }),
});

/** Makes the block of a product. */
export function buildBlock(product: CdsProduct, { points: wanted, months }: Block): CdsBlock {
  const points = product.complete(wanted);
  const parameters = {
    service_id: product.dataset,
    lat: points[0].latitude,
    lon: points[0].longitude,
    start_year: months.first.year,
    end_year: months.last.year,
    filetype: product.fileType,
    request: JSON.stringify({ points, months }),
  };
  return { product, points, months, parameters };
}

/** Lists the open orders of a product, and what each asks for. */
export function listOpenBlocks(ledger: Ledger, place: string, product: CdsProduct) {
  return ledger.listEntries().flatMap((entry) => {
    const { state, parameters } = entry;
    const open = state === "sent" || state === "placed";
    if (!open || entry.place !== place || parameters.service_id !== product.dataset) return [];
    const { data } = requestSchema.safeParse(parseJson(String(parameters.request)));
    return data ? [{ block: buildBlock(product, data), entry }] : [];
  });
}
