/** Style sheet of the pages: legible on paper, on a screen and on a phone. */
export const STYLES = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body {
  color: #1a1a1a; background: #fff; margin: 0 auto; max-width: 56rem; padding: 1.5rem 1rem 3rem;
  font: 16px/1.5 "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 2.5rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.8rem 0 .5rem; }
p { margin: .5rem 0; max-width: 44rem; }
.about, figcaption, footer, .note { color: #555; font-size: .85rem; }
.synthetic {
  background: #e69f00; color: #1a1a1a; font-weight: bold; margin: 1rem 0; max-width: none; padding: .5rem .8rem;
  print-color-adjust: exact; -webkit-print-color-adjust: exact;
}
.box { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; width: 100%; }
caption { text-align: left; color: #555; padding-bottom: .3rem; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top; overflow-wrap: normal; }
th { font-weight: normal; }
thead th { border-bottom: 2px solid #666; color: #444; vertical-align: bottom; line-height: 1.25; }
tbody th { font-weight: bold; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
tbody th { min-width: 7rem; }
.months tbody th { white-space: nowrap; }
.text { text-align: left; }
.unit { color: #666; white-space: nowrap; }
.missing { color: #767676; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .6rem 1.5rem; margin: 1rem 0; }
.facts dt { color: #555; font-size: .8rem; }
.facts dd { margin: 0; }
.whole { white-space: nowrap; }
.terms dt { font-weight: bold; margin-top: .6rem; }
.terms dd { margin: 0; }
figure { margin: 1.5rem 0; overflow-x: auto; }
figure svg { display: block; height: auto; max-width: 100%; min-width: 34rem; }
footer { border-top: 1px solid #ccc; margin-top: 3rem; }
footer h2 { font-size: 1rem; margin-top: 1rem; }
@media (max-width: 36rem) {
  body { font-size: 15px; padding: 1rem .8rem 2rem; }
  h1 { font-size: 1.4rem; }
  table { min-width: 34rem; }
  .facts { grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); }
}
@page { size: A4; margin: 14mm 15mm; }
@media print {
  :root { font-size: 12px; }
  body { font-size: 10pt; max-width: none; padding: 0; }
  table { font-size: 8pt; }
  th, td { padding: .25rem .4rem; }
  p { max-width: none; }
  .facts { grid-template-columns: repeat(3, 1fr); }
  h2, h3 { break-after: avoid; }
  .turbine + .turbine { break-before: page; }
  figure, table, .facts, .terms div { break-inside: avoid; }
  figure, .box { overflow: visible; }
  figure { margin: 1rem 0; }
  figure svg { min-width: 0; }
}
`;
