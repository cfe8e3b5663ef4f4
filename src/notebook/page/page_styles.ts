/** Style sheet of the pages: legible on a screen, on a phone, in the dark and on A4. */
export const pageStyles = `
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --faint: #595959; --code: #f4f5f7; --line: #d8dbe0; --link: #005a9c; --bad: #a3130a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16181c; --faint: #a8adb5; --code: #21252b; --line: #3a3f47; --link: #7db8f0; --bad: #ff9a8f; }
}
body { margin: 0 auto; max-width: 52rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 .6em; break-after: avoid; }
h1 { margin-top: 0; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, SFMono-Regular, Consolas, monospace; font-size: .875em; }
/* Code is wrapped, so that none of it is out of sight. */
pre { margin: .5rem 0; padding: .75rem 1rem; line-height: 1.45; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.code { background: var(--code); border-left: 3px solid var(--link); border-radius: 3px; }
:not(pre) > code { background: var(--code); padding: .1em .3em; border-radius: 3px; }
/* What is wider than the page scrolls, and fades out at the edge until its end is seen. */
@property --fade { syntax: "<length>"; inherits: false; initial-value: 0px; }
@keyframes fade { from { --fade: 2rem; } }
.outputs { margin: .5rem 0 1.5rem; overflow-x: auto; mask: linear-gradient(to left, transparent, #000 var(--fade)); animation: fade linear; animation-timeline: scroll(self inline); }
.outputs:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.outputs .table > div { overflow: visible !important; }
/* Tables of results are wider than a line of text: they may use the room beside it. */
@media (min-width: 60rem) { .outputs { width: max-content; min-width: 100%; max-width: min(76rem, 100vw - 4rem); margin-left: 50%; transform: translateX(-50%); } }
.outputs pre { padding: .25rem 1rem; white-space: pre; }
pre.error { color: var(--bad); white-space: pre-wrap; }
.synthetic { margin: 0 0 1.5rem; padding: .35em .75em; background: #e69f00; color: #1a1a1a; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.note, .outputs pre:not(.error) { color: var(--faint); }
img { max-width: 100%; height: auto; }
img.chart { display: block; background: #fff; border-radius: 4px; }
@media screen and (max-width: 40rem) { img.chart { max-width: none; width: 36rem; } }
blockquote { margin: 1em 0; padding: 0 1em; border-left: 3px solid var(--line); color: var(--faint); }
section.text table { border-collapse: collapse; }
section.text th, section.text td { border-bottom: 1px solid var(--line); padding: .25em .8em; text-align: left; }
@page { size: A4; margin: 16mm 12mm; }
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --faint: #444; --code: #f4f5f7; --line: #bbb; --link: #000; --bad: #8a0000; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  .outputs pre { white-space: pre-wrap; }
  .outputs { overflow: visible; mask: none; }
  /* Tables bring styles of their own, made for screens that scroll. */
  .outputs th, .outputs td { white-space: normal !important; overflow-wrap: anywhere; padding: 1pt 4pt 1pt 0 !important; font-size: 7.5pt; }
  img, tr { break-inside: avoid; }
}
`;
