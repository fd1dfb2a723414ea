// A report in one HTML file that opens without a server, a network or scripts.
// SPDX-License-Identifier: Apache-2.0
import type { Statistics } from "../../analysis/statistics";
import { plain } from "../../analysis/units";
import { rasterNpy } from "../../export/npy";
import { base64 } from "../../export/outcome";
import { safeName } from "../../export/zip";
import type { Raster } from "../../types";
import { html, Html, nothing } from "./html";
import { reportStyle } from "./report_style";
import type { Dataset, Detector } from "../types";

export interface ReportPanel {
  readonly title: string;
  /** What it shows, one or two sentences; also the picture's alternative text. */
  readonly caption: string;
  readonly png: Uint8Array;
  readonly unit: string;
  readonly statistics: Statistics | null;
  /** What the panel answers; also in its raw files. */
  readonly about: unknown;
  /** Raw values to download, by name: several for a vector image. */
  readonly raw: readonly { readonly name: string; readonly raster: Raster }[];
}

export interface ReportDetector extends Pick<Detector, "name" | "color"> {
  /** As in `describeShape`, and as the command line reads it. */
  readonly description: string;
  readonly text: string;
  readonly pixels: number;
}

export interface Report {
  readonly title: string;
  /** As the reader should see it. */
  readonly created: string;
  /** Of Sluice. */
  readonly version: string;
  /** Written by the user. */
  readonly notes: string;
  readonly panels: readonly ReportPanel[];
  readonly datasets: readonly Dataset[];
  readonly detectors: readonly ReportDetector[];
  readonly calibration: readonly (readonly [name: string, value: string])[];
  /** Shell commands that make the images again. */
  readonly commands: readonly string[];
  /** The session file, to open the page exactly so again; "": none. */
  readonly session: string;
}

function link(name: string, bytes: Uint8Array, label: string): Html {
  const href = `data:application/octet-stream;base64,${base64(bytes)}`;
  return html`<a download="${safeName(name)}" href="${href}">${label}</a>`;
}

function numbers(s: Statistics | null, unit: string): Html {
  if (!s) return nothing;
  const of = (value: number): string => (unit ? `${plain(value)} ${unit}` : plain(value));
  const rows: [string, string][] = [
    ["Mean", of(s.mean)],
    ["Std. deviation", of(s.std)],
    ["Minimum", of(s.min)],
    ["Maximum", of(s.max)],
    ["Pixels", String(s.count)],
  ];
  if (s.notFinite > 0) rows.push(["Without value", String(s.notFinite)]);
  return html`<dl class="numbers">${rows.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

function panelHtml(panel: ReportPanel): Html {
  const links = panel.raw.map(({ name, raster }) => {
    const file = name.endsWith(".npy") ? name : `${name}.npy`;
    const label = `${file} (${raster.rows} × ${raster.cols}, raw values)`;
    return html`<li>${link(file, rasterNpy(raster, panel.about), label)}</li>`;
  });
  return html`<figure>
<h3>${panel.title}</h3>
<img alt="${panel.title}: ${panel.caption}" src="data:image/png;base64,${base64(panel.png)}">
<figcaption>${panel.caption}${numbers(panel.statistics, panel.unit)}
${links.length ? html`<ul class="links">${links}</ul>` : nothing}
<details><summary>What was asked for</summary><pre>${JSON.stringify(panel.about, null, 1)}</pre>
</details></figcaption>
</figure>`;
}

function table(rows: readonly (readonly [string, string])[]): Html {
  const lines = rows.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  );
  return html`<div class="wide"><table><tbody>${lines}</tbody></table></div>`;
}

const section = (title: string, body: Html): Html =>
  body.text ? html`<section><h2>${title}</h2>\n${body}</section>\n` : nothing;

// An SVG attribute, because a style attribute would be one more thing that text could break out of.
const swatch = (color: string): Html =>
  html`<svg class="swatch" viewBox="0 0 9 9" aria-hidden="true"><circle cx="4.5" cy="4.5" r="4"
 fill="${color}"/></svg>`;

function detectorsHtml(detectors: readonly ReportDetector[]): Html {
  if (!detectors.length) return nothing;
  const lines = detectors.map(
    (d) => html`<tr><td>${swatch(d.color)}${d.name}</td><td>${d.description}</td>
<td class="number">${d.pixels}</td><td><code>${d.text}</code></td></tr>`,
  );
  return html`<div class="wide"><table><thead><tr><th scope="col">Name</th>
<th scope="col">Region</th><th scope="col" class="number">Pixels</th>
<th scope="col">For the command line</th></tr></thead>
<tbody>${lines}</tbody></table></div>`;
}

function datasetHtml(d: Dataset): Html {
  const by = (size: readonly number[]): string => size.join(" × ");
  const rows: [string, string][] = [
    ["File", d.path],
    ["Scan", `${by(d.scan)} points`],
    ["Detector", `${by(d.detector)} pixels, ${d.dtype}`],
    ["Frames", d.missing > 0 ? `${d.frames} (${d.missing} missing)` : String(d.frames)],
  ];
  if (d.step > 1) rows.push(["Loaded", `one scan point in ${d.step} along both axes`]);
  for (const { name, value, unit } of d.metadata)
    rows.push([name, unit ? `${value} ${unit}` : value]);
  for (const note of d.notes) rows.push(["Note", note]);
  return html`<h3>${d.name}</h3>${table(rows)}`;
}

/** The report's HTML text. */
export function reportHtml(report: Report): string {
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  const notes = report.notes.trim()
    ? html`${report.notes
        .trim()
        .split(/\n{2,}/)
        .map((paragraph) => html`<p>${paragraph}</p>\n`)}`
    : nothing;
  const session = report.session
    ? html`<p class="links">${link(
        "session.json",
        new TextEncoder().encode(report.session),
        "session.json",
      )} opens the page as it was: <code>sluice view … --session session.json</code></p>`
    : nothing;
  const commands = report.commands.length
    ? html`<pre>${report.commands.join("\n")}</pre>`
    : nothing;
  const body = html`<header><h1>${report.title}</h1>
<p class="about">${report.created} · Sluice ${report.version}</p></header>
<main>
${section("Notes", notes)}<section><h2>Images</h2><div class="panels">
${report.panels.map(panelHtml)}</div></section>
${section("Virtual detectors", detectorsHtml(report.detectors))}
${section("Calibration", report.calibration.length ? table(report.calibration) : nothing)}
${section("Data", html`${report.datasets.map(datasetHtml)}`)}
${section("To make the images again", html`${commands}${session}`)}</main>
<footer>Made by Sluice ${report.version}. The raw values are in this file.</footer>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${report.title}</title>
<style>${new Html(reportStyle)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}
