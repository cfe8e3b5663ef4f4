import { OrderFailedError, ServiceError } from "../../api/errors.ts";
import type { Ledger } from "../orders/ledger.ts";
import { buildBlock, type CdsBlock, listOpenBlocks } from "./cds_block.ts";
import { CostLimitError, LostJobError } from "./cds_errors.ts";
import { fetchBlock } from "./cds_file.ts";
import { readCost } from "./cds_jobs.ts";
import type { CdsProduct } from "./cds_product.ts";
import type { CdsSession } from "./cds_session.ts";
import type { Block } from "./fit_hours.ts";
import { isNear } from "./grid_points.ts";
import { lastDayOf, listMonths, type Months } from "./months.ts";

/** Days before now in which a request may begin that the store refuses, as nothing of it is published yet. */
const LATE_DAYS = 10;

/** Most months of a request, by the cost that the store states. */
async function findSize(
  { transport, signal }: CdsSession,
  { product, area, months }: CdsBlock,
): Promise<number> {
  const now = Temporal.Now.instant().toString();
  const inputs = product.buildInputs(area, months, lastDayOf(months, now));
  const price = await readCost(transport, { dataset: product.dataset, inputs }, signal);
  if (!price) return product.maxMonths;
  const count = listMonths(months).length;
  return price.cost <= price.limit
    ? count
    : Math.max(1, Math.floor(count * price.limit / price.cost));
}

/** Whether months begin so late that the store may refuse a request for them. */
function isLate({ first }: Months): boolean {
  const day = Temporal.Now.plainDateISO("UTC").subtract({ days: LATE_DAYS });
  return Temporal.PlainDate.compare(first.toPlainDate({ day: 1 }), day) > 0;
}

/** What two blocks have in common; it may have no points or no months. */
function intersect(a: Block, b: Block): Block {
  const compare = Temporal.PlainYearMonth.compare;
  const [first, last] = [
    compare(a.months.first, b.months.first) > 0 ? a.months.first : b.months.first,
    compare(a.months.last, b.months.last) < 0 ? a.months.last : b.months.last,
  ];
  const points = a.points.filter((one) => b.points.some((other) => isNear(one, other)));
  return { points, months: { first, last } };
}

/**
 * Fetches what is missing of months of grid points from the Climate Data Store, one request after the other, each as large
 * as its cost allows. Orders that were left open are ended before others are placed.
 *
 * @param wanted The grid points, and the months that contain what was asked for
 */
export async function fetchFromCds(
  session: CdsSession,
  product: CdsProduct,
  { points, months }: Block,
): Promise<void> {
  const { stored, transport, ledger, notes } = session;
  let size: number | undefined;
  let { last } = months;
  const isMissing = async (block: Block) =>
    await stored.findMissing(block, () => 0, Infinity) !== undefined;

  async function attempt(block: CdsBlock, isStored: () => Promise<boolean>): Promise<void> {
    const { first } = block.months;
    const count = listMonths(block.months).length;
    try {
      await fetchBlock(session, block, isStored);
    } catch (error) {
      const failed = error instanceof OrderFailedError && !(error instanceof LostJobError);
      if (failed && isLate(block.months)) {
        notes.add(`${first} is not published yet: ${error.message}`);
        last = first.subtract({ months: 1 });
      } else if (error instanceof CostLimitError && count > 1) size = Math.floor(count / 2);
      else throw error;
    }
  }

  for (const { block, entry } of listOpenBlocks(ledger, transport.baseUrl, product)) {
    const isStored = () => stored.hasSince(block, entry.sentAt);
    if (await isMissing(intersect(block, { points, months })) || await isStored()) {
      await attempt(block, isStored);
    }
  }
  let [before, times] = ["", 0];
  while (true) {
    const wanted = { points, months: { first: months.first, last } };
    const run = await stored.findMissing(wanted, product.keyOf, size ?? Infinity);
    if (!run) return;
    if (size === undefined && listMonths(run.months).length > 1) {
      size = await findSize(session, buildBlock(product, run));
      continue;
    }
    const block = buildBlock(product, run);
    const key = JSON.stringify(run);
    times = key === before ? times + 1 : 0;
    before = key;
    if (times > 0) giveUpOrders(ledger, transport.baseUrl, product);
    if (times > 1) {
      throw new ServiceError(
        `Cannot get ERA5 of ${run.months.first} to ${run.months.last}: it came twice, and is still missing`,
        { url: transport.baseUrl, hint: "Tell the developers of Vindkit" },
      );
    }
    await attempt(block, async () => !await isMissing(block));
  }
}

/** Ends open orders whose job cannot be deleted: joined once more, they would give the same old file. */
function giveUpOrders(ledger: Ledger, place: string, product: CdsProduct): void {
  for (const { entry } of listOpenBlocks(ledger, place, product)) {
    ledger.note(entry.entry, { state: "delivered", status: "delivered" });
  }
}
