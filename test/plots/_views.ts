import type { Chart } from "../../src/plots/drawing/chart.ts";

/** The parts of a view of a chart that tests read. */
export interface View<Row> {
  data: { values: Row[] };
  layer?: { mark: { text?: string } }[];
  vconcat?: View<Row>[];
}

/** The views of a chart from the top: badge, plots and caption. */
export function listViews<Row>(chart: Chart): View<Row>[] {
  const flat = (view: View<Row>): View<Row>[] => view.vconcat ? view.vconcat.flatMap(flat) : [view];
  return (chart.spec.vconcat as View<Row>[]).flatMap(flat);
}
