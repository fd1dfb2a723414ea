// How the report looks: light, dark and on paper.
// SPDX-License-Identifier: Apache-2.0

export const reportStyle = `
:root { color-scheme: light dark; --page: #fff; --text: #1a1c20; --soft: #5b6270;
  --line: #d9dde3; --plate: #f5f6f8; --link: #0b62b4; }
@media (prefers-color-scheme: dark) { :root { --page: #14161a; --text: #e6e8ec;
  --soft: #9aa3b2; --line: #30353e; --plate: #1c1f25; --link: #74b9ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 2rem 1.5rem 4rem; background: var(--page);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .7rem; padding-bottom: .3rem;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
p { margin: .4rem 0; }
.about { color: var(--soft); }
a { color: var(--link); }
.panels { display: grid; gap: 1.2rem; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); }
figure { margin: 0; padding: .9rem; background: var(--plate); border: 1px solid var(--line);
  border-radius: 8px; break-inside: avoid; max-width: 36rem; }
figure img { display: block; width: 100%; height: auto; image-rendering: pixelated;
  border-radius: 3px; }
figcaption { margin-top: .6rem; }
dl.numbers { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr));
  gap: .3rem .8rem; margin: .5rem 0; }
dl.numbers dt { color: var(--soft); font-size: .8rem; }
dl.numbers dd { margin: 0; font-variant-numeric: tabular-nums; }
ul.links { list-style: none; margin: .6rem 0 0; padding: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem 1.4rem .35rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 500; }
tbody th { width: 16rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
pre { background: var(--plate); border: 1px solid var(--line); border-radius: 6px;
  padding: .7rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
.swatch { width: .9rem; height: .9rem; vertical-align: -.1rem; margin-right: .4rem; }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; }
@media print { :root { --page: #fff; --text: #000; --soft: #444; --line: #bbb; --plate: #fff; }
  body { max-width: none; padding: 0; font-size: 10pt; } a { color: inherit; }
  .panels { grid-template-columns: repeat(2, 1fr); } .links { display: none; }
  h2 { break-after: avoid; } tr { break-inside: avoid; } }
`;
