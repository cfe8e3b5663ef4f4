/** The thread of a {@linkcode DrawingThread}. */
import { renderSvg } from "../../plots/drawing/render.ts";
import type { DrawingResult, DrawingTask } from "./drawing_thread.ts";

const worker = self as unknown as Worker;
worker.onmessage = async ({ data: { id, ...chart } }: MessageEvent<DrawingTask>) => {
  const answer = (result: DrawingResult) => worker.postMessage(result);
  try {
    answer({ id, svg: await renderSvg(chart) });
  } catch (error) {
    answer({ id, problem: (error as Error).message });
  }
};
