import { type Column, pickColumns } from "../api/column.ts";
import { figures, monthlyIndicesFrame } from "../api/columns.ts";
import { formatMonth } from "../show/month.ts";
import { formatNumber } from "../show/number.ts";
import { type Content, type Markup, markup } from "./_markup.ts";
import { type MonthRows, statusOf, twelveMonthsTo } from "./_months.ts";

const [turbineColumn, monthColumn, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["turbine_id", "month", "status"],
);

/** A figure with one decimal, or a dash where it is missing. */
export function figureText(value: number | null): Content {
  return value === null
    ? markup`<span class="missing" title="no value">–</span>`
    : formatNumber(value, 1);
}

function heads(columns: readonly Column[]): Markup[] {
  return columns.map(({ label, unit, description }) =>
    markup`<th scope="col" title="${description}">${label}${
      unit ? markup`<br><span class="unit">${unit}</span>` : ""
    }</th>`
  );
}

function tableOf(
  head: Content,
  body: readonly Markup[],
  label: string,
  kind: "turbines" | "months",
): Markup {
  return markup`<div class="box ${kind}" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody>
</table></div>`;
}

const statusHead = markup`<th scope="col" class="text">${statusColumn.label}</th>`;

function row(head: string, values: readonly (number | null)[], status: string): Markup {
  return markup`<tr><th scope="row">${head}</th>${
    values.map((value) => markup`<td>${figureText(value)}</td>`)
  }<td class="text">${status}</td></tr>`;
}

/** Six figures of each turbine in one month. */
export function fleetTable(
  turbines: readonly { readonly name: string; readonly rows: MonthRows }[],
  month: string,
): Markup {
  const head = markup`<th scope="col">${turbineColumn.label}</th>${heads(figures)}${statusHead}`;
  const body = turbines.map(({ name, rows }) =>
    row(name, figures.map((column) => rows.number(column.name, month)), statusOf(rows, month))
  );
  return tableOf(head, body, `Figures of all turbines, ${formatMonth(month)}`, "turbines");
}

/** Six figures of the twelve months that end with one, with what was produced where that is known. */
export function twelveMonthTable(
  rows: MonthRows,
  month: string,
  compared: { readonly rows: MonthRows; readonly columns: readonly Column[] } | undefined,
): Markup {
  const head = markup`<th scope="col">${monthColumn.label}</th>${
    heads([...figures, ...(compared?.columns ?? [])])
  }${statusHead}`;
  const body = twelveMonthsTo(month).map((one) =>
    row(
      formatMonth(one),
      [
        ...figures.map((column) => rows.number(column.name, one)),
        ...(compared?.columns ?? []).map((column) => compared!.rows.number(column.name, one)),
      ],
      statusOf(rows, one),
    )
  );
  return tableOf(head, body, `Last 12 months to ${formatMonth(month)}`, "months");
}
