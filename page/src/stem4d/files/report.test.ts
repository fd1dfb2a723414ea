// The report: escaped, complete and self-contained.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { statistics } from "../../analysis/statistics";
import { decodeNpy } from "../../export/npy";
import { encodePng } from "../../export/png";
import type { Dataset } from "../types";
import { reportHtml } from "./report";
import type { Report } from "./report";

const evil = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;`;
const raster = { rows: 2, cols: 2, values: Float32Array.of(1, 2, 3, NaN) };
const dataset: Dataset = {
  id: "0",
  name: evil,
  path: `/data/${evil}`,
  state: "ready",
  live: null,
  message: "",
  scan: [2, 2],
  detector: [4, 4],
  dtype: "uint16",
  step: 1,
  energy_kv: 0,
  scan_step_nm: 0,
  detector_step_mrad: 0,
  disk: null,
  layout: "",
  bytes: { resident: 0, source: 0, float32: 0 },
  frames: 4,
  missing: 1,
  changed: false,
  read: 1,
  grid: { origin: [0, 0], bin: 1 },
  units: { pixel: "counts", sum: "counts" },
  notes: [evil],
  metadata: [{ name: evil, value: evil, unit: evil }],
};
const report: Report = {
  title: evil,
  created: evil,
  version: evil,
  notes: `first ${evil}\n\nsecond`,
  panels: [
    {
      title: evil,
      caption: evil,
      png: encodePng({ width: 1, height: 1, rgba: Uint8Array.of(1, 2, 3, 255) }),
      unit: evil,
      about: { request: { op: "image" } },
      statistics: statistics(raster.values),
      raw: [{ name: evil, raster }],
    },
  ],
  datasets: [dataset],
  detectors: [{ name: evil, color: evil, description: evil, text: evil, pixels: 5 }],
  calibration: [[evil, evil]],
  commands: [`sluice '${evil}'`],
  session: `{"name": "${evil} µ"}`,
};

const parsed = (text: string): Document => new DOMParser().parseFromString(text, "text/html");

describe("reportHtml", () => {
  const text = reportHtml(report);

  it("lets no text become markup", () => {
    expect(text).not.toMatch(/<script/i);
    expect(text).not.toMatch(/<img src=x/);
    expect(text.match(/<img /g)).toHaveLength(1);
    expect(text).not.toMatch(/ style=/);
    expect(text).toContain("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    const page = parsed(text);
    expect(page.querySelectorAll("script, [onerror]")).toHaveLength(0);
    expect(page.querySelector("h1")?.textContent).toBe(evil);
  });

  it("asks nothing of a network", () => {
    const policy = parsed(text).querySelector("meta[http-equiv]")?.getAttribute("content");
    expect(policy).toContain("default-src 'none'");
    const elements = parsed(text).querySelectorAll("[src], [href]");
    expect(elements.length).toBeGreaterThan(2);
    for (const element of elements) {
      const target = element.getAttribute("src") ?? element.getAttribute("href");
      expect(target).toMatch(/^data:/);
    }
  });

  it("gives the raw values and the session back", () => {
    const links = [...parsed(text).querySelectorAll("a[download]")];
    expect(links).toHaveLength(2);
    const bytes = links.map((a) => {
      const body = (a.getAttribute("href") ?? "").split(",")[1] ?? "";
      return Uint8Array.from(atob(body), (c) => c.charCodeAt(0));
    });
    const value = { shape: [2, 2], values: raster.values };
    expect(decodeNpy(bytes[0]!)).toEqual({ ok: true, value });
    expect(new TextDecoder().decode(bytes[1])).toBe(report.session);
    for (const a of links) expect(a.getAttribute("download")).not.toMatch(/[<>"/\\]/);
  });

  it("leaves out sections that would be empty", () => {
    const bare: Report = {
      ...report,
      notes: " ",
      detectors: [],
      calibration: [],
      datasets: [],
      commands: [],
      session: "",
      panels: [],
    };
    const titles = [...parsed(reportHtml(bare)).querySelectorAll("h2")].map((h) => h.textContent);
    expect(titles).toEqual(["Images"]);
  });

  it("shows the numbers of a panel", () => {
    const all = parsed(text).querySelector("dl")?.textContent ?? "";
    expect(all).toContain("Mean2");
    expect(all).toContain("Without value1");
  });
});
