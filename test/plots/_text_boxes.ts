/** Positions of a chart's texts, from the scene graph of Vega. */
import * as vega from "vega";
import { compile } from "vega-lite";
import { Chart } from "../../src/plots/drawing/chart.ts";

/** A text of a picture and its box, pixels from the upper left. */
export interface TextBox {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Whether Vega shortened it. */
  readonly cut: boolean;
}

interface Item {
  readonly text?: unknown;
  readonly opacity?: number;
  readonly limit?: number;
  readonly bounds?: Readonly<Record<"x1" | "x2" | "y1" | "y2", number>>;
  readonly x?: number;
  readonly y?: number;
  readonly items?: readonly Item[];
  readonly marktype?: string;
}

/** A part of a scene: a mark, or an item of one. */
function collect(part: Item, x: number, y: number, mark: string, boxes: TextBox[]): void {
  if (part.marktype !== undefined) {
    for (const item of part.items ?? []) collect(item, x, y, part.marktype, boxes);
    return;
  }
  if (mark === "group") {
    for (const child of part.items ?? []) {
      collect(child, x + (part.x ?? 0), y + (part.y ?? 0), "", boxes);
    }
    return;
  }
  const text = [part.text ?? ""].flat().join(" ").trim();
  if (mark !== "text" || text === "" || part.opacity === 0 || !part.bounds) return;
  const { x1, x2, y1, y2 } = part.bounds;
  const cut = Boolean(part.limit) && Math.max(x2 - x1, y2 - y1) >= Number(part.limit) - 0.5;
  boxes.push({ text, left: x + x1, top: y + y1, right: x + x2, bottom: y + y2, cut });
}

/** Drawing a chart loads the text widths of the font into Vega. */
const fontLoaded = new Chart({ data: { values: [{}] }, mark: "point" }).svg();

/** The texts of a chart, without duplicates in the same place (a white edge below its letters). */
export async function readTextBoxes(chart: Chart): Promise<TextBox[]> {
  await fontLoaded;
  const view = new vega.View(
    vega.parse(compile(JSON.parse(JSON.stringify(chart.spec))).spec),
    { renderer: "none" },
  );
  await view.runAsync();
  const boxes: TextBox[] = [];
  const root: unknown = Reflect.get(Object(view.scenegraph()), "root");
  collect(Object(root), 0, 0, "", boxes);
  view.finalize();
  const key = ({ text, left, top }: TextBox) => `${text} ${Math.round(left)} ${Math.round(top)}`;
  return [...new Map(boxes.map((box) => [key(box), box])).values()];
}

/** Pairs of texts that overlap by more than the margin around letters. */
export function findCollisions(boxes: readonly TextBox[]): string[] {
  return boxes.flatMap((a, i) =>
    boxes.slice(i + 1).flatMap((b) => {
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      return width > 1 && height > 3 ? [`"${a.text}" and "${b.text}"`] : [];
    })
  );
}
