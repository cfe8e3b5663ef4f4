/** Draws charts for the thread that makes a report. */
import { type Drawable, renderSvg } from "../../plots/drawing/render.ts";

/** A chart to draw; its number comes back with the drawing. */
export interface DrawingTask extends Drawable {
  readonly id: number;
}

/** A drawing, or why it failed. */
export type DrawingResult =
  & { readonly id: number }
  & ({ readonly svg: string } | { readonly problem: string });

const worker = self as unknown as Worker;
worker.onmessage = async ({ data: { id, ...chart } }: MessageEvent<DrawingTask>) => {
  const answer = (result: DrawingResult) => worker.postMessage(result);
  try {
    answer({ id, svg: await renderSvg(chart) });
  } catch (error) {
    answer({ id, problem: (error as Error).message });
  }
};
