import { STRIP_STYLES } from "./strip.ts";

/**
 * Style sheet of the pages: legible on paper, on a screen and on a phone. Deliberately light everywhere: the charts are
 * white cards in colours that were checked on white, and the page is what will be printed.
 */
export const STYLES: string = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body {
  color: #1a1a1a; background: #fff; margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 3rem;
  font: 16px/1.5 "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; overflow-wrap: anywhere;
}
a { color: #00548a; }
:focus-visible { outline: 3px solid #0072b2; outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: .3rem 0; }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 2.2rem 0 .6rem; }
p { margin: .5rem 0; max-width: 48rem; }
.about, footer, .note { color: #555; font-size: .85rem; }
.summary { font-size: 1.05rem; }
.synthetic {
  background: #e69f00; color: #1a1a1a; font-weight: bold; margin: 1rem 0; max-width: none; padding: .5rem .8rem;
}
.synthetic, i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.box { overflow-x: auto; }
table { border-collapse: collapse; font-size: .8rem; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .25rem .45rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top; overflow-wrap: normal; }
th { font-weight: normal; }
thead th { border-bottom: 2px solid #666; color: #444; vertical-align: bottom; line-height: 1.25; }
tbody th { font-weight: bold; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
tbody th { min-width: 8rem; max-width: 16rem; overflow-wrap: break-word; }
.months tbody th, td { white-space: nowrap; }
.park > *, .sum > * { background: #f2f4f6; border-bottom-color: #aaa; }
.sum > * { border-top: 2px solid #666; }
.park th, .park td, .sum td { font-weight: bold; }
.text { text-align: left; }
td.strip { text-align: left; }
.strip span:not(.missing), span.strip { display: inline-flex; vertical-align: middle; border: 1px solid #767676; }
i { width: .62rem; height: .95rem; border-right: 1px solid #fff8; }
i.p { border-bottom: 3px solid #1a1a1a; }
i.n { background: repeating-linear-gradient(135deg, #fff 0 2px, #888 2px 3px); }
${STRIP_STYLES}
.unit { color: #595959; white-space: nowrap; }
td .unit { white-space: normal; }
.missing { color: #6b6b6b; }
.facts, .headline { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .6rem 1.5rem; margin: 1rem 0; }
.facts dt, .headline dt { color: #555; font-size: .8rem; }
.facts dd, .headline dd { margin: 0; }
.value { font-variant-numeric: tabular-nums; font-weight: bold; white-space: nowrap; }
.headline .value { font-size: 1.3rem; }
.value .unit { font-size: .8rem; font-weight: normal; }
.sentences { margin: 1rem 0; }
.sentences div { display: grid; grid-template-columns: 13rem 8rem 1fr; gap: 0 1rem; padding: .35rem 0; border-bottom: 1px solid #ddd; }
.sentences dt { color: #444; }
.sentences dd { margin: 0; }
.sentences .value { text-align: right; font-size: 1.05rem; }
.definitions { font-size: .85rem; }
.terms { columns: 26rem; column-gap: 2rem; }
.terms div { break-inside: avoid; padding-bottom: .5rem; }
.terms dt { font-weight: bold; }
.terms dd { margin: 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr)); gap: 1rem 2rem; align-items: start; }
figure { margin: .8rem 0; overflow-x: auto; }
figure svg { display: block; height: auto; max-width: 100%; min-width: 34rem; }
footer { border-top: 1px solid #ccc; margin-top: 3rem; }
footer h2 { font-size: 1rem; margin-top: 1rem; }
@media screen and (max-width: 48rem) {
  body { font-size: 15px; padding: 1rem .8rem 2rem; }
  h1 { font-size: 1.4rem; }
  .box table { min-width: 52rem; }
  .box tbody th, .box thead th:first-child { position: sticky; left: 0; background: #fff; max-width: 9rem; min-width: 7rem; }
  .box .park th, .box .sum th { background: #f2f4f6; }
  .facts, .headline { grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); }
  .sentences div { grid-template-columns: 1fr auto; }
  .sentences dd:last-child { grid-column: 1 / -1; }
}
@page { size: A4; margin: 12mm 12mm 14mm; }
@media print {
  :root { font-size: 11px; }
  body { font-size: 9.5pt; max-width: none; padding: 0; }
  .skip, nav { display: none; }
  a { color: inherit; text-decoration: none; }
  h2 { margin-top: 1.4rem; }
  p { max-width: none; }
  table { font-size: 7pt; }
  .box table { min-width: 0; }
  th, td { padding: .18rem .25rem; }
  tbody th { min-width: 5.5rem; width: 9.5rem; max-width: 12rem; position: static !important; }
  i { width: .5rem; height: .8rem; }
  .box, figure { overflow: visible; }
  h2, h3, thead { break-after: avoid; }
  figure, tr, .facts, .headline, .sentences div, .terms div, .synthetic, .park { break-inside: avoid; }
  .park, .note { break-after: avoid; }
  .sum { break-before: avoid; }
  .charts { display: block; }
  figure svg { min-width: 0; max-height: 21rem; margin: 0 auto; }
  .place svg { max-height: 16rem; }
  .months table { break-inside: avoid; }
  .definitions, footer { font-size: 7.5pt; line-height: 1.35; }
  .terms div { padding-bottom: .2rem; }
  footer { margin-top: 1rem; }
  .facts { grid-template-columns: repeat(4, 1fr); }
  .headline { grid-template-columns: repeat(5, 1fr); }
  .sentences { line-height: 1.35; }
  .sentences div { grid-template-columns: 15rem 7rem 1fr; padding: .12rem 0; }
  .facts dd { font-size: 8.5pt; }
}
`;
