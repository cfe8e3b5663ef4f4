import type { Cell as SheetCell, CellStyle, WriteOptions, WriteSheet } from "hucre/xlsx";
import { visibleLines, visibleText } from "../../api/error_text.ts";
import { escapeFormulas } from "../../frames/storage/format_csv.ts";
import { readSize, renderPng } from "../../plots/drawing/render.ts";
import { messages } from "../content/messages.ts";
import { formatStamp } from "../content/sources.ts";
import type { Block, Cell, Head, Picture, ReportDocument, Row } from "../document/document.ts";
import type { Drawings } from "./html.ts";

type Table = Extract<Block, { kind: "table" }>;

/**
 * Column widths if no table needs more, where six columns are as wide as a chart; and the width of an upright sheet,
 * characters.
 */
const WIDTHS = [26, ...Array<number>(7).fill(12)];
const PORTRAIT_WIDTH = 165;

/** Height of a line, and the largest one of a row, points. */
const [LINE, MAX_HEIGHT] = [15, 400];

const font = (bold = false, size = 11, rgb = "1A1A1A") => ({
  font: { name: "Calibri", bold, size, color: { rgb } },
});
const filled = (rgb: string): CellStyle => ({
  ...font(true),
  fill: { type: "pattern", pattern: "solid", fgColor: { rgb } },
});
const [PLAIN, BOLD, TITLE, FAINT] = [font(), font(true), font(true, 14), font(false, 11, "555555")];
const [LINK, BAND, SYNTHETIC] = [font(false, 11, "00548A"), filled("F2F4F6"), filled("E69F00")];
const WRAPPED = { wrapText: true, vertical: "top" } as const;
/** Indents words and days away from the figure before them. */
const LEFT = { horizontal: "left", indent: 1 } as const;

/**
 * Builds a text that spreadsheets take for nothing else. Texts that start like a formula get the text format, so they stay
 * texts when edited; names of errors are no errors; and the text contains no escapes except ours.
 */
function buildText(text: string, style: CellStyle): Partial<SheetCell> {
  const visible = visibleLines(text).replace(/_(?=x[\da-f]{4}_)/gi, "_x005F_");
  if (visible.startsWith("#")) return { richText: [{ text: visible }], style };
  const harmless = escapeFormulas(visible.slice(0, 1)).length <= 1;
  return { value: visible, style: harmless ? style : { ...style, numFmt: "@" } };
}

/** The format that shows a number as its text does, "1,072.0" or "2024", with the suffix behind it. */
function chooseFormat(text: string, behind: string): string {
  if (/[a-z]/.test(text)) return "General";
  const decimals = /\.\d+/.exec(text)?.[0].replace(/\d/g, "0") ?? "";
  return (/^\d{4}/.test(text) ? "0" : "#,##0") + decimals + behind;
}

/** Builds a cell of a table: a number or a day if it has one, else text. A missing value leaves it empty. */
function buildCell({ text, value }: Cell, { form }: Head, style: CellStyle) {
  if (text === null || text === "") return { style };
  if (typeof value === "string") {
    const numFmt = /^\d{4}-\d{2}-/.test(text) ? "yyyy-mm-dd" : "mmm yyyy";
    const day = Temporal.PlainDate.from("1899-12-30").until(value).days; // day 0 of spreadsheets
    return { value: day, style: { ...style, numFmt, alignment: LEFT } };
  }
  const behind = form === "share" ? " %" : "";
  return typeof value === "number" && Number.isFinite(value)
    ? { value, style: { ...style, numFmt: chooseFormat(text, behind) } }
    : buildText(text, { ...style, alignment: LEFT });
}

/** Columns of a table: an interval has one for each end, a strip has none. */
function listColumns({ heads }: Table) {
  return heads.flatMap((head, at) => {
    if (head.kind === "strip") return [];
    const ends = head.form === "range" ? messages.workbook.ends : [""];
    return ends.map((end, i) => {
      const label = `${head.label}${end && `, ${end}`}\n${head.unit ?? ""}`.trimEnd();
      const read = ({ cells }: Row): Cell => {
        const { value } = cells[at];
        return Array.isArray(value)
          ? { value: value[i], text: messages.figure(value[i]) }
          : cells[at];
      };
      return { head, label, read };
    });
  });
}

/** The texts of a block of words, next to their labels. */
function listLines(block: Block): (readonly [label: string | undefined, text: string | null])[] {
  if (block.kind === "text") return [[undefined, block.text]];
  if (block.kind === "list") return block.items.map((item) => [undefined, item]);
  if (block.kind === "facts" || block.kind === "terms") return [...block.items];
  return [];
}

const isSummary = (block: Block) => block.kind === "text" && block.look === "summary";

const isMain = (block: Block) => block.kind === "table" && block.name !== "parks" && !block.detail;

const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);

/** A sheet that is filled from the top. */
class Sheet {
  readonly cells = new Map<string, Partial<SheetCell>>();
  readonly merges: NonNullable<WriteSheet["merges"]> = [];
  readonly images: NonNullable<WriteSheet["images"]> = [];
  readonly rowDefs = new Map<number, { height: number }>();
  readonly widths = [...WIDTHS];

  constructor(tables: readonly Table[]) {
    for (const table of tables) {
      listColumns(table).forEach(({ read }, i) => {
        const texts = table.groups.flat().map((row) => (read(row).text ?? "").length + 2);
        this.widths[i] = Math.min(40, Math.max(this.widths[i] ?? 12, ...texts));
      });
    }
  }

  get row(): number {
    return this.rowDefs.size;
  }

  put(column: number, cell: Partial<SheetCell>): void {
    this.cells.set(`${this.row},${column}`, cell);
  }

  end(height = LINE): void {
    this.rowDefs.set(this.row, { height });
  }

  /** Writes a text over all columns from `from` on, in a row as high as the text. */
  text(text: string, style: CellStyle = PLAIN, from = 0): void {
    const [startRow, endRow, endCol] = [this.row, this.row, this.widths.length - 1];
    this.put(from, buildText(text, { ...style, alignment: WRAPPED }));
    this.merges.push({ startRow, endRow, startCol: from, endCol });
    const lines = Math.ceil((text.length || 1) / sum(this.widths.slice(from)));
    this.end(1.4 * lines * style.font!.size!);
  }

  /** Writes a row for each figure: its name, the number and its sentence. */
  figures({ items }: Extract<Block, { kind: "figures" }>): void {
    for (const { label, value, unit, sentence = "" } of items) {
      this.put(0, buildText(label, { ...FAINT, alignment: WRAPPED }));
      const numFmt = value !== null && chooseFormat(messages.figure(value, unit), ` "${unit}"`);
      if (numFmt) this.put(1, { value, style: { ...PLAIN, numFmt, alignment: WRAPPED } });
      this.text(sentence, PLAIN, 2);
    }
  }

  table(table: Table, names: ReadonlyMap<string, string>): void {
    const columns = listColumns(table);
    columns.forEach(({ head, label }, i) => {
      const horizontal = i === 0 || head.kind ? LEFT : { horizontal: "right" } as const;
      this.put(i, buildText(label, { ...BAND, alignment: { wrapText: true, ...horizontal } }));
    });
    this.end(LINE * Math.ceil(1 + Math.max(...columns.map(({ label }) => label.length)) / 9));
    for (const row of table.groups.flat()) {
      const [{ text, link }] = row.cells;
      const style = row.kind ? BAND : PLAIN;
      columns.forEach(({ head, read }, i) => this.put(i, buildCell(read(row), head, style)));
      if (link && "file" in link) {
        const location = `'${names.get(`turbines/${link.file}`)}'!A1`;
        this.put(0, {
          ...buildText(text!, { ...LINK, alignment: LEFT }),
          hyperlink: { target: "", location },
        });
      }
      this.end();
    }
    this.end();
  }

  /** Puts a chart over whole cells, the only placement that hucre supports. */
  async picture({ chart, look }: Picture, svg: string): Promise<void> {
    const { width, height } = readSize(svg);
    const col = look === "narrow" ? 3 : 6;
    const across = sum(this.widths.slice(0, col).map((one) => 7 * one + 5)); // px, with the margins of cells
    const points = 0.75 * height * across / width;
    const rows = Math.ceil(points / MAX_HEIGHT); // pages break between rows, so use as few as possible
    const anchor = { from: { row: this.row, col: 0 }, to: { row: this.row + rows, col } };
    const { altText } = chart!;
    this.images.push({ data: await renderPng(svg, 2), type: "png", anchor, altText });
    for (let i = 0; i < rows; i++) this.end(points / rows);
    this.end();
  }
}

interface Page {
  readonly path: string;
  readonly document: ReportDocument;
}

/**
 * Writes pages as a workbook: a turbine has one sheet; a fleet or an answer has one, and another for each long table. Such
 * a table comes first on its sheet, and its head stays in sight. Reports with the same creation time give identical files.
 *
 * @param pages The pages
 * @param drawings The pages with their drawn charts, in the same order
 */
export async function writeWorkbook(
  pages: readonly Page[],
  drawings: AsyncIterable<Page & { readonly drawn: Drawings }>,
): Promise<Uint8Array> {
  const { colToLetter, writeXlsx } = await import("hucre/xlsx");
  const sheets: WriteSheet[] = [];
  const namedRanges: NonNullable<WriteOptions["namedRanges"]> = [];
  const taken = new Set(["history"]); // reserved by Excel
  /** A sheet name that spreadsheets accept, unique if case is ignored. */
  const nameSheet = (title: string) => {
    const clean = visibleText(title).replace(/[[\]:*?/\\]/g, "-").replaceAll("'", "’");
    for (let i = 1;; i++) {
      const end = i === 1 ? "" : ` (${i})`;
      const name = (clean.slice(0, 31 - end.length) + end).toWellFormed();
      if (taken.size !== taken.add(name.toLowerCase()).size) return name;
    }
  };
  const names = new Map(pages.map(({ path, document: { of, title } }) => {
    return [path, nameSheet(of === "fleet" ? messages.workbook.fleet : title)];
  }));
  for await (const { path, document, drawn } of drawings) {
    const { title, about, of, sources, origin } = document;
    const items = [...sources, messages.sources.made(formatStamp(origin.generatedAt))];
    const notice = origin.world === "sample" ? messages.synthetic : "";
    const [main, rest] = [true, false].map((wanted) =>
      document.sections.filter(({ blocks }) => blocks.some(isMain) === wanted)
    );
    rest.push({ id: "", title: messages.headings.sources, blocks: [{ kind: "list", items }] });
    const sheetSections = of === "turbine"
      ? [[...main, ...rest]]
      : [rest, ...main.map((one) => [one])];
    for (const [i, sections] of sheetSections.entries()) {
      const name = i === 0 ? names.get(path)! : nameSheet(sections[0].title);
      const blocks = sections.flatMap(({ blocks }) => blocks);
      const sheet = new Sheet(blocks.filter((block) => block.kind === "table"));
      sheet.text(title, TITLE);
      sheet.text(about, FAINT);
      if (notice) sheet.text(notice, SYNTHETIC);
      const summary = of === "turbine" ? blocks.find(isSummary) : undefined;
      if (summary) { for (const [, text] of listLines(summary)) sheet.text(text!); // the summary first
       }
      const frozen = sections[0].blocks.some(isMain) ? sheet.row + 2 : 0;
      for (const { title, blocks } of sections) {
        sheet.text(title, BOLD);
        for (const block of blocks.toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)))) {
          if (block === summary) continue;
          for (const [label, text] of listLines(block)) {
            if (label) sheet.put(0, buildText(label, { ...FAINT, alignment: WRAPPED }));
            sheet.text(text ?? messages.notKnown, PLAIN, label ? 1 : 0);
          }
          if (block.kind === "figures") sheet.figures(block);
          if (block.kind === "table") sheet.table(block, names);
          for (const picture of block.kind === "pictures" ? block.items : []) {
            const svg = drawn.get(picture)?.wide;
            if (svg) await sheet.picture(picture, svg);
            else if (picture.missing) sheet.text(picture.missing);
          }
        }
        sheet.end();
      }
      const { cells, merges, images, rowDefs, widths } = sheet;
      sheets.push({
        name,
        rows: [],
        cells,
        merges,
        images,
        rowDefs,
        columns: widths.map((width) => ({ width })),
        ...(frozen > 0 && { freezePane: { rows: frozen, columns: 1 } }),
        pageSetup: {
          orientation: sum(widths) > PORTRAIT_WIDTH ? "landscape" : "portrait",
          paperSize: "a4",
          fitToPage: true,
          fitToWidth: 1,
          fitToHeight: 0,
          margins: { left: 0.4, right: 0.4, top: 0.4, bottom: 0.6, header: 0.3, footer: 0.3 },
        },
        headerFooter: { oddFooter: `&L${notice}&R${messages.workbook.page.join(" &P ")} &N` },
      });
      // hucre's own print settings fail if the sheet name has a space.
      const range = (what: string, range: string) =>
        namedRanges.push({ name: `_xlnm.${what}`, range: `'${name}'!${range}`, scope: name });
      range("Print_Area", `$A$1:$${colToLetter(widths.length - 1)}$${sheet.row}`);
      if (sections.length === 1) range("Print_Titles", `$${frozen}:$${frozen}`);
    }
  }
  const [{ document: { title, origin } }] = pages;
  const made = new Date(origin.generatedAt);
  const properties = {
    title: visibleText(title),
    creator: "Vindkit",
    created: made,
    modified: made,
  };
  return await writeXlsx({ sheets, namedRanges, properties });
}
