import type { CellOf } from "../_folder.ts";

/** A notebook with all kinds of output that must not be stored: colours, pixels, finished progress bars. */
export const goldenCells: readonly CellOf[] = [
  { markdown: "# Golden\n\nText." },
  { code: 'let name = "Ada";', tags: ["parameters"] },
  'console.log(`Hello ${name}`);\nconsole.log("\\x1b[31mred\\x1b[0m");\n6 * 7;',
  "",
  `const show = (data) => ({ [Symbol.for("Jupyter.display")]: () => data });
show({ "text/plain": "a chart", "image/svg+xml": "<svg/>", "image/png": "iVBORw0KGgo=" });`,
  `const bar = (type, html) =>
  Deno.jupyter.broadcast(type, {
    data: { "text/html": html },
    metadata: {},
    transient: { display_id: "bar" },
  });
await bar("display_data", "<progress></progress>");
await bar("update_display_data", "");
console.log("done");`,
];
