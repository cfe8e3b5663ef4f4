import { messages } from "../content/messages.ts";
import type { Paper } from "../document/document.ts";
import { cardLabels, verdictLabels } from "../document/tables.ts";
import { diverging } from "../../plots/drawing/theme.ts";

/** Tables whose rows are cards on a phone. */
const CARDS = ":is(.turbines, .verdicts)";

/** Shows some cells of a card with their names, by position after the name of the turbine. */
function showFields(table: string, labels: readonly string[], places: readonly number[]): string {
  return places.map((place) =>
    `${table} td:nth-child(${place + 2}):not(:empty) { display: flex; }
  ${table} td:nth-child(${place + 2})::before { content: "${labels[place]}"; }`
  ).join("\n  ");
}

/**
 * Style sheet of the pages, legible on paper, on screens (also dark) and on phones. Charts stay white cards in the dark,
 * because their colours were checked on white. Paper is always light, and charts fill its width, so no text is below 7 pt.
 */
export const STYLES: string = `
:root {
  color-scheme: light; --ink: #1a1a1a; --paper: #fff; --faint: #555; --line: #ddd; --rule: #666; --band: #f2f4f6;
  --link: #00548a; --focus: #0072b2;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark; --ink: #e6e6e6; --paper: #16181c; --faint: #a8adb5; --line: #3a3f47; --rule: #8b929c; --band: #21252b;
    --link: #7db8f0; --focus: #7db8f0;
  }
}
* { box-sizing: border-box; }
body {
  color: var(--ink); background: var(--paper); margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 3rem;
  font: 16px/1.5 "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; overflow-wrap: anywhere;
}
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: .3rem 0; }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 2.2rem 0 .6rem; }
p { margin: .5rem 0; max-width: 48rem; }
.about, footer, .note, .hint { color: var(--faint); font-size: .85rem; }
.summary { font-size: 1.05rem; }
.synthetic {
  background: #e69f00; color: #1a1a1a; font-weight: bold; margin: 1rem 0; max-width: none; padding: .5rem .8rem;
}
.synthetic, i, .verdict-strip li { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.hint { display: none; }
.box { overflow-x: auto; }
.frame th, .frame .text { white-space: normal; min-width: 4rem; }
table { border-collapse: collapse; font-size: .8rem; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .25rem .45rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; overflow-wrap: normal; }
th { font-weight: normal; }
thead th { border-bottom: 2px solid var(--rule); color: var(--faint); vertical-align: bottom; line-height: 1.25; }
tbody th { font-weight: bold; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
tbody th { min-width: 8rem; max-width: 16rem; overflow-wrap: break-word; }
.months tbody th, td { white-space: nowrap; }
.park > *, .sum > * { background: var(--band); border-bottom-color: var(--rule); }
.sum > * { border-top: 2px solid var(--rule); }
.park th, .park td, .sum td { font-weight: bold; }
.text { text-align: left; }
td.strip { text-align: left; }
.strip span:not(.missing), span.strip { display: inline-flex; vertical-align: middle; border: 1px solid #767676; }
i { width: .62rem; height: .95rem; border-right: 1px solid #fff8; }
i.p { border-bottom: 3px solid #1a1a1a; }
i.n { background: repeating-linear-gradient(135deg, #fff 0 2px, #888 2px 3px); }
${diverging.map((color, i) => `.c${i}{background:${color}}`).join("\n")}
.unit { color: var(--faint); white-space: nowrap; }
td .unit { white-space: normal; }
.months td .unit { white-space: nowrap; }
.missing { color: var(--faint); }
.facts, .headline { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .6rem 1.5rem; margin: 1rem 0; }
.facts dt, .headline dt { color: var(--faint); font-size: .8rem; }
.facts dd, .headline dd { margin: 0; }
.value { font-variant-numeric: tabular-nums; font-weight: bold; white-space: nowrap; }
.headline .value { font-size: 1.3rem; }
.value .unit { font-size: .8rem; font-weight: normal; }
.sentences { margin: 1rem 0; }
.sentences div { display: grid; grid-template-columns: 13rem 8rem 1fr; gap: 0 1rem; padding: .35rem 0; border-bottom: 1px solid var(--line); }
.sentences dt { color: var(--faint); }
.sentences dd { margin: 0; }
.sentences .value { text-align: right; font-size: 1.05rem; }
#definitions { font-size: .85rem; }
.terms { columns: 26rem; column-gap: 2rem; }
.terms div { break-inside: avoid; padding-bottom: .5rem; }
.terms dt { font-weight: bold; }
.terms dd { margin: 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr)); gap: 1rem 2rem; align-items: start; }
figure { margin: .8rem 0; width: fit-content; max-width: 100%; }
figure svg { display: block; height: auto; max-width: 100%; }
.charts:has(.narrow) { grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); }
.phone { display: none; }
.verdict-strip { display: grid; grid-template-columns: repeat(12, 1fr); gap: 2px; list-style: none; margin: 1rem 0; padding: 0; }
.verdict-strip li { border-top: .45rem solid var(--line); font-size: .72rem; line-height: 1.25; padding: .2rem .1rem; overflow-wrap: normal; }
.verdict-strip b { display: block; font-weight: normal; color: var(--faint); }
.v-as-usual { border-color: #767676 !important; } .v-wind { border-color: #3587b9 !important; }
.v-stops { border-color: #b03a00 !important; } .v-limited-power { border-color: #ca8200 !important; } .v-unexplained { border-color: #8a4fa3 !important; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; }
footer h2 { font-size: 1rem; margin-top: 1rem; }
@media screen and (max-width: 48rem) {
  body { font-size: 15px; padding: 1rem .8rem 2rem; }
  h1 { font-size: 1.4rem; }
  .box table { min-width: 52rem; }
  .box tbody th, .box thead th:first-child { position: sticky; left: 0; background: var(--paper); max-width: 9rem; min-width: 7rem; }
  .box .park th, .box .sum th { background: var(--band); }
  /* Cut content fades out at the edge until you scroll to its end, and a hint says that it scrolls. */
  .box { mask: linear-gradient(to left, transparent, #000 var(--fade)); animation: fade linear; animation-timeline: scroll(self inline); }
  .hint { display: block; margin-bottom: 0; }
  .wide { display: none; }
  .phone { display: block; }
  :is(.phone, .narrow) svg { max-width: 320px; }
  .verdict-strip { grid-template-columns: repeat(4, 1fr); }
  /* A turbine is a card of four fields. */
  .hint:has(+ ${CARDS}), ${CARDS} thead { display: none; }
  ${CARDS} { mask: none; animation: none; }
  ${CARDS} table { min-width: 0 !important; display: block; }
  ${CARDS} tbody { display: block; }
  ${CARDS} tr { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.2rem; padding: .5rem .3rem; border-bottom: 1px solid var(--rule); }
  ${CARDS} tbody th { grid-column: 1 / -1; position: static !important; max-width: none; border: 0; }
  ${CARDS} td { display: none; justify-content: space-between; gap: .5rem; align-items: baseline; border: 0; padding: .1rem 0; white-space: normal; }
  ${CARDS} td::before { color: var(--faint); text-align: left; font-weight: normal; }
  ${CARDS} .sum { background: var(--band); }
  ${showFields(".turbines", cardLabels, [1, 3, 7])}
  ${showFields(".turbines:not(#share *)", cardLabels, [6])}
  ${showFields("#share .turbines", [messages.labels.share], [0])}
  ${showFields(".verdicts", verdictLabels, [6, 0, 1, 2])}
  .facts, .headline { grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); }
  .sentences div { grid-template-columns: 1fr auto; }
  .sentences dd:last-child { grid-column: 1 / -1; }
}
@property --fade { syntax: "<length>"; inherits: false; initial-value: 0px; }
@keyframes fade { from { --fade: 2rem; } }
@page { size: A4; margin: 12mm 12mm 14mm; }
@media print {
  :root { font-size: 11px; }
  body { font-size: 9.5pt; max-width: none; padding: 0; }
  .skip, nav { display: none; }
  a { color: inherit; text-decoration: none; }
  h2 { margin-top: .9rem; }
  p { max-width: none; }
  table { font-size: 7pt; }
  .box table { min-width: 0; }
  th, td { padding: .18rem .35rem; }
  tbody th { min-width: 5.5rem; width: 9.5rem; max-width: 12rem; position: static !important; }
  i { width: .5rem; height: .8rem; }
  .box { overflow: visible; margin: .4rem 0; }
  figure { margin: .4rem 0; }
  figure { width: auto; }
  h2, h3, thead { break-after: avoid; }
  figure, tr, footer, .facts, .headline, .sentences div, #definitions, .synthetic, .park { break-inside: avoid; }
  .park, .note:not(:last-child) { break-after: avoid; }
  /* Sources never start a sheet: the explanations of the figures go with them. */
  .sum, footer { break-before: avoid; } main { display: contents; }
  .charts, .charts:has(.narrow) { grid-template-columns: 1fr 1fr; gap: .6rem; } .charts .wide { display: none; } .charts .phone { display: block; }
  figure svg { width: 100%; }
  .charts :is(.phone, .narrow) svg { max-width: 318px; }
  .charts .narrow:nth-child(n + 3) { display: none; } /* the table has its figures: of three, letters were too small */
  .verdict-strip { margin: .3rem 0; } .verdict-strip li { font-size: 7pt; border-top-width: .3rem; }
  .months table { break-inside: avoid; line-height: 1.3; }
  .months tbody th { width: auto; }
  .months td, .months tbody th { padding-block: .1rem; }
  /* A turbine's sentences explain each figure, so definitions are dropped and the facts move up: two sheets instead of three. */
  .turbine #definitions { display: none; }
  .turbine h2 { margin: .8rem 0 .4rem; }
  .turbine footer { margin-top: .5rem; }
  /* Only the month of an owner's share: its twelve months would take another sheet. */
  .turbine #share :is(.box, .note) { display: none; }
  .turbine ul, .turbine .sentences, .turbine .facts { margin-block: .4rem; }
  #definitions, footer { font-size: 7.5pt; line-height: 1.35; }
  #definitions p, #definitions dl, footer ul { margin-block: .4rem; }
  .terms div { padding-bottom: .2rem; }
  footer { margin-top: 1rem; }
  .facts { grid-template-columns: repeat(4, 1fr); }
  .headline { grid-template-columns: repeat(auto-fit, minmax(6rem, 1fr)); }
  .sentences { line-height: 1.35; }
  .sentences div { grid-template-columns: 15rem 7rem 1fr; padding: .12rem 0; }
  .facts dd { font-size: 8.5pt; }
  .facts dt, .headline dt, .value .unit { font-size: 7.5pt; }
}
`;

/**
 * Styles that one document of all pages needs in addition to {@linkcode STYLES}: its paper, page numbers, and each turbine
 * on one sheet with its charts side by side.
 */
export function buildPrintStyles(paper: Paper, notice: string): string {
  const [page, of] = messages.workbook.page;
  const font = 'font: 7.5pt "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; color: #555;';
  return `
@page { size: ${paper}; margin: 9mm 12mm 11mm; @bottom-left { content: "${notice}"; ${font} }
  @bottom-right { content: "${page} " counter(page) " ${of} " counter(pages); ${font} } }
.sheet + .sheet { break-before: page; }
.turbine { font-size: 7.5pt; line-height: 1.3;
  h1 { font-size: 13pt; margin: 0; } h2 { font-size: 9pt; margin: .45rem 0 .15rem; }
  :is(#short, #figures, #facts, footer) h2, #share ~ #facts { display: none; }
  p, ul, .sentences, .facts { margin-block: .2rem; } .synthetic { margin: .3rem 0; padding: .1rem .5rem; }
  .about, .facts dd { font-size: 7.5pt; } .sentences, .sentences .unit { font-size: 7.1pt; } .sentences .value { font-size: 8pt; }
  .sentences div { grid-template-columns: 11rem 5.2rem 1fr; gap: 0 .7rem; line-height: 1.25; padding: .05rem 0; }
  .charts figure { margin: 0; }
  .facts { grid-template-columns: repeat(3, auto); gap: 0 1.5rem; } .facts div { display: flex; gap: .5rem; }
  .months { line-height: 1.2; }   .months td, .months tbody th { padding-block: 0; }
  footer { border-top: 0; font-size: 7pt; line-height: 1.25; margin-top: .2rem; } footer ul { padding-left: 1rem; }
}
`;
}
