/** Draws charts for a {@linkcode DrawingPool}: takes a number, a specification and its text, posts the number and the SVG. */
import { type Drawable, renderSvg } from "./render.ts";

/** A chart to be drawn. */
export interface DrawingTask extends Drawable {
  /** Number of the task, which its result repeats. */
  readonly id: number;
}

/** SVG of a task, or why it could not be drawn. */
export type DrawingResult =
  | { readonly id: number; readonly svg: string }
  | { readonly id: number; readonly problem: string };

const worker = self as unknown as Worker;
worker.onmessage = async ({ data }: MessageEvent<DrawingTask>) => {
  const { id, ...chart } = data;
  try {
    worker.postMessage({ id, svg: await renderSvg(chart) } satisfies DrawingResult);
  } catch (error) {
    worker.postMessage({ id, problem: (error as Error).message } satisfies DrawingResult);
  }
};
