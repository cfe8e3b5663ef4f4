import { z } from "zod";
import type { SentParameters } from "../../api/operations/request_path.ts";
import type { Ledger, LedgerEntry } from "../orders/ledger.ts";
import type { CdsProduct } from "./cds_product.ts";
import type { Block } from "./fit_hours.ts";
import { parseJson } from "./source_link.ts";
import { boundPoints, type GridArea, listPoints } from "./grid_points.ts";

/** What one request to the Climate Data Store asks for. */
export interface CdsBlock extends Block {
  readonly product: CdsProduct;
  readonly area: GridArea;
  /** What names it in the ledger: whole months, so that it is the same tomorrow. */
  readonly parameters: SentParameters;
}

const month = z.string().transform((text, context) => {
  try {
    return Temporal.PlainYearMonth.from(text);
  } catch {
    context.addIssue("no month");
    return z.NEVER;
  }
});
const requestSchema = z.strictObject({
  area: z.strictObject({
    north: z.number(),
    west: z.number(),
    south: z.number(),
    east: z.number(),
  }),
  months: z.strictObject({ first: month, last: month }),
});

/** Makes the block of a product: all grid points of the smallest area that has those that are wanted. */
export function buildBlock(product: CdsProduct, { points, months }: Block): CdsBlock {
  const area = boundPoints(points);
  const parameters = {
    service_id: product.dataset,
    lat: area.north,
    lon: area.west,
    start_year: months.first.year,
    end_year: months.last.year,
    filetype: product.fileType,
    request: JSON.stringify({ area, months }),
  };
  return { product, area, points: listPoints(area), months, parameters };
}

/** An order that is open, and what it asks for. */
export interface OpenBlock {
  readonly block: CdsBlock;
  readonly entry: LedgerEntry;
}

/** Lists the open orders of a product. */
export function listOpenBlocks(ledger: Ledger, place: string, product: CdsProduct): OpenBlock[] {
  return ledger.listEntries().flatMap((entry) => {
    const { state, parameters } = entry;
    const open = state === "sent" || state === "placed";
    if (!open || entry.place !== place || parameters.service_id !== product.dataset) return [];
    const { data } = requestSchema.safeParse(parseJson(String(parameters.request)));
    if (!data) return [];
    const block = buildBlock(product, { points: listPoints(data.area), months: data.months });
    return [{ block, entry }];
  });
}
