import { isNear } from "../frames/grid_points.ts";
import { ServiceError } from "../api/errors.ts";
import { buildBlock, type CdsBlock, type CdsProduct, listOpenBlocks } from "./cds_block.ts";
import { CostLimitError, UnpublishedError } from "./cds_errors.ts";
import { readCost } from "./cds_jobs.ts";
import { withTimeout } from "../client/orders/run_stoppable.ts";
import { fetchBlock, UnreadableError } from "./fetch_block.ts";
import { type Block, findLastDay, listMonths, type Months } from "./months.ts";
import type { Session } from "./session.ts";

/**
 * If a request begins less than this many days ago, the store may refuse it, because nothing of it is published yet.
 */
const LATE_DAYS = 10;

/** Whether months begin so late that the store may refuse a request for them. */
function isLate({ first }: Months): boolean {
  const day = Temporal.Now.plainDateISO("UTC").subtract({ days: LATE_DAYS });
  return Temporal.PlainDate.compare(first.toPlainDate({ day: 1 }), day) > 0;
}

/** Most months of a request, by the cost that the store states. */
async function findSize(
  { transport, signal, timeout }: Session,
  { product, ...block }: CdsBlock,
): Promise<number> {
  const lastDay = findLastDay(block.months, Temporal.Now.instant().toString());
  const request = { dataset: product.dataset, inputs: product.buildInputs(block, lastDay) };
  const price = await withTimeout(
    timeout,
    signal,
    () => "asks for the cost",
    (signal) => readCost(transport, request, signal),
  );
  if (!price) return product.maxMonths;
  const count = listMonths(block.months).length;
  return price.cost <= price.limit
    ? count
    : Math.max(1, Math.floor(count * price.limit / price.cost));
}

/** What two blocks have in common; it may have no points or no months. */
function intersect(a: Block, b: Block): Block {
  const compare = Temporal.PlainYearMonth.compare;
  const [, first] = [a.months.first, b.months.first].sort(compare);
  const [last] = [a.months.last, b.months.last].sort(compare);
  const points = a.points.filter((one) => b.points.some((other) => isNear(one, other)));
  return { points, months: { first, last } };
}

/**
 * Fetches what is missing of months of grid points from the Climate Data Store, one request after the other, each as large
 * as its cost allows. Orders that were left open are ended before others are placed.
 */
export async function fetchFromCds(
  session: Session,
  product: CdsProduct,
  { points, months }: Block,
): Promise<void> {
  const { stored, transport: { baseUrl }, ledger, notes } = session;
  let size: number | undefined;
  let { last } = months;
  let unreadable = 0;
  const isMissing = async (block: Block) => await stored.findMissing(block) !== undefined;

  async function attempt(block: CdsBlock, isStored: () => Promise<boolean>): Promise<void> {
    const { first } = block.months;
    const count = listMonths(block.months).length;
    try {
      await fetchBlock(session, block, isStored);
    } catch (error) {
      if (error instanceof UnpublishedError && isLate(block.months)) {
        notes.add(`${first} is not published yet: ${error.message}`);
        last = first.subtract({ months: 1 });
      } else if (error instanceof CostLimitError && count > 1) size = Math.floor(count / 2);
      else if (!(error instanceof UnreadableError && unreadable++ === 0)) throw error;
    }
  }

  for (const { block, entry } of listOpenBlocks(ledger, baseUrl, product)) {
    const isStored = () => stored.hasSince(block, entry.sentAt);
    if (await isMissing(intersect(block, { points, months })) || await isStored()) {
      await attempt(block, isStored);
    }
  }
  const findSizeFrom = (first: Temporal.PlainYearMonth) =>
    Math.min(size ?? Infinity, product.countMonths(first));
  let [before, times] = ["", 0];
  while (true) {
    const wanted = { points, months: { first: months.first, last } };
    const run = await stored.findMissing(wanted, findSizeFrom);
    if (!run) return;
    const block = buildBlock(product, run);
    if (size === undefined && listMonths(run.months).length > 1) {
      size = await findSize(session, block);
      continue;
    }
    const key = JSON.stringify(run);
    times = key === before ? times + 1 : 0;
    before = key;
    if (times > 0) { // an order whose job cannot be deleted, joined once more, would give the same old file
      for (const { entry } of listOpenBlocks(ledger, baseUrl, product)) {
        ledger.note(entry.entry, { state: "delivered", status: "delivered" });
      }
    }
    if (times > 1) {
      throw new ServiceError(
        `Cannot get ERA5 of ${run.months.first} to ${run.months.last}: it came twice, and is still missing`,
        { url: baseUrl, hint: "Tell the developers of Vindkit" },
      );
    }
    await attempt(block, async () => !await isMissing(block));
  }
}
