// Shows the display components on synthetic rasters, for the eye and for the stop-watch.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import { ImageView } from "../src/display/image_view";
import { Histogram } from "../src/display/histogram";
import { type Limits, limitsOf, type Picture } from "../src/display/limits";
import { ProfilePlot } from "../src/display/profile_plot";
import { type Painter, painter } from "../src/display/renderer";
import { Painter2d } from "../src/display/renderer_2d";
import { glPainter } from "../src/display/renderer_gl";
import type { DisplaySettings } from "../src/types";
import "./display.css";

const query = new URLSearchParams(location.search);
if (query.get("theme") === "dark") document.documentElement.classList.add("dark");

const base: DisplaySettings = {
  scale: "linear",
  power: 0.5,
  limits: { kind: "percentile", low: 0.5, high: 99.5 },
  map: "ember",
  invert: false,
  symmetric: false,
  smooth: false,
  colorBar: true,
  scaleBar: true,
};

function raster(rows: number, cols: number, at: (row: number, col: number) => number): Picture {
  const values = new Float32Array(rows * cols);
  for (let i = 0; i < values.length; ++i) values[i] = at(Math.floor(i / cols), i % cols);
  return { rows, cols, values };
}

const pattern = (shift: number): Picture =>
  raster(192, 192, (r, c) => {
    let sum = 1 + 20 * Math.exp(-Math.hypot(r - 96, c - 96) / 20);
    for (let i = -2; i <= 2; ++i)
      for (let j = -2; j <= 2; ++j)
        if (Math.hypot(r - 96 - 34 * i, c - 96 - 34 * j - shift) < 13)
          sum += 4000 / (1 + 12 * (i * i + j * j));
    return Math.floor(sum * (1 + 0.2 * Math.sin(r * 12.9 + c * 78.2)));
  });

const lattice = (phase: number): Picture =>
  raster(256, 256, (r, c) => {
    const hole = Math.hypot(r - 60, c - 190) < 12;
    return hole ? NaN : 1e5 * (2 + Math.sin(r / 5 + phase) + Math.cos(c / 6 + r / 30));
  });

const signed = raster(120, 200, (r, c) => 3 * Math.sin(r / 9) * Math.cos(c / 14) + 0.2);
const down = raster(128, 128, (r, c) => Math.sin(r / 9) * Math.cos(c / 14));
const right = raster(128, 128, (r, c) => Math.cos(r / 9) * Math.sin(c / 14));
const field: Picture =
  "values" in down && "values" in right
    ? { rows: 128, cols: 128, down: down.values, right: right.values }
    : down;

const first = pattern(0);
const chosen = signal<Limits>({ low: 0, high: 800 });

function Contrast(props: { picture: Picture; log?: boolean }): ComponentChildren {
  return (
    <Histogram picture={props.picture} settings={base} limits={chosen.value} unit="counts"
      logCounts={props.log} onLimits={(limits) => (chosen.value = limits)}
      onAuto={() => (chosen.value = limitsOf(props.picture, base))} />
  );
}

function Gallery(): ComponentChildren {
  const shared = { label: "Panel", unit: "counts", backgroundPan: true };
  const log = { ...base, scale: "log" } as const;
  const overlay = (zoom: number): ComponentChildren => (
    <g fill="none" stroke="#38bdf8" stroke-width={2}>
      <circle cx={96} cy={96} r={30} />
      <rect x={126 - 4 / zoom} y={96 - 4 / zoom} width={8 / zoom} height={8 / zoom} />
    </g>
  );
  return (
    <div class="grid">
      <div>
        <ImageView {...shared} picture={pattern(0)} settings={log} step={0.41} stepUnit="mrad"
          origin={[96, 96]} marker={[96, 96]}>
          {overlay}
        </ImageView>
      </div>
      <div>
        <ImageView {...shared} picture={lattice(0)} settings={{ ...base, map: "gray" }} step={0.52}
          stepUnit="Å" marker={[12, 40]} />
      </div>
      <div>
        <ImageView {...shared} picture={signed} unit="px"
          settings={{ ...base, map: "balance", symmetric: true, smooth: true }} step={0}
          stepUnit="" />
      </div>
      <div>
        <ImageView {...shared} picture={field} unit="px" settings={base} step={30} stepUnit="nm"
          marker={[20, 30]} />
      </div>
      <div>
        <ImageView {...shared} picture={pattern(0)} step={0.41} stepUnit="mrad"
          settings={{ ...base, scale: "power", map: "turbo", smooth: true, invert: true }}
          view={signal({ zoom: 9, center: [90, 100] })} />
      </div>
      <div>
        <p>Counts</p>
        <Contrast picture={first} />
        <p>Logarithm of the counts</p>
        <Contrast picture={first} log />
      </div>
      <div class="curve">
        <ProfilePlot label="Line profile" x={Float32Array.from({ length: 200 }, (_, i) => i * 0.05)}
          curves={[
            { label: "signed", y: Float32Array.from({ length: 200 }, (_, i) => Math.sin(i / 9)) },
            { label: "gap", color: "#f97316",
              y: Float32Array.from({ length: 200 }, (_, i) =>
                i > 90 && i < 110 ? NaN : i / 200) },
          ]}
          xLabel="Distance" xUnit="nm" yLabel="Value" yUnit="counts" />
      </div>
      <div>
        <ImageView {...shared} picture={null} settings={base} step={0} stepUnit="" />
      </div>
    </div>
  );
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

/** Milliseconds from a new raster until the canvas holds it; read back, so nothing is put off. */
async function measure(host: HTMLElement, pictures: Picture[], settings: DisplaySettings) {
  const times: number[] = [];
  const ends: number[] = [];
  for (let i = 0; i < 68; ++i) {
    const picture = { ...pictures[i % pictures.length]! };
    const start = performance.now();
    render(
      <div class="big">
        <ImageView picture={picture} settings={settings} label="x" unit="" step={0} stepUnit="" />
      </div>,
      host,
    );
    times.push(performance.now() - start);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    ends.push(performance.now() - start);
  }
  const late = times.slice(8);
  const sync = median(late);
  return { sync: +sync.toFixed(2), p95: +late[Math.floor(late.length * 0.95)]!.toFixed(2),
    shown: +median(ends.slice(8)).toFixed(2) };
}

async function bench(host: HTMLElement): Promise<void> {
  const out: Record<string, unknown> = {};
  for (const scale of ["linear", "log", "power"] as const)
    for (const smooth of [false, true])
      for (const [name, pictures] of [
        ["192", [pattern(0), pattern(2)]],
        ["256", [lattice(0), lattice(1)]],
      ] as const) {
        const settings = { ...base, scale, smooth, colorBar: query.has("bar") };
        out[`${name} ${scale} ${smooth ? "smooth" : "pixels"}`] = JSON.stringify(
          await measure(host, [...pictures], settings),
        );
      }
  render(null, host);
  const report = document.createElement("pre");
  report.textContent = JSON.stringify({ painter: painter().kind, ...out }, null, 1);
  document.body.append(report);
  document.title = "done";
}

/** Largest difference of any byte between the shader and its twin, image pixel by image pixel. */
function compare(): void {
  const gl = glPainter(() => undefined, true);
  const twin = new Painter2d();
  const out: Record<string, number> = {};
  const draw = (by: Painter, picture: Picture, settings: DisplaySettings): ImageData => {
    const { rows: height, cols: width } = picture;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    const place = { x: 0, y: 0, width, height };
    by.paint(context, picture, settings, limitsOf(picture, settings), place);
    return context.getImageData(0, 0, width, height);
  };
  const counts = { rows: 16, cols: 16, values: Uint16Array.from({ length: 256 }, (_, i) => i * i) };
  const wide = raster(3, 700, (r, c) => (c === 5 ? Infinity : c === 9 ? -Infinity : r * c * 1e-4));
  const pictures = { pattern: pattern(0), lattice: lattice(0), signed, field, counts, wide };
  if (gl)
    for (const [name, picture] of Object.entries(pictures))
      for (const scale of ["linear", "log", "power"] as const)
        for (const invert of [false, true]) {
          const settings = { ...base, scale, invert };
          const [a, b] = [draw(gl, picture, settings).data, draw(twin, picture, settings).data];
          let most = 0;
          a.forEach((v, i) => (most = Math.max(most, Math.abs(v - b[i]!))));
          out[`${name} ${scale} ${invert}`] = most;
        }
  const report = document.createElement("pre");
  report.textContent = JSON.stringify(out);
  document.body.append(report);
  document.title = "done";
}

const host = document.getElementById("app");
if (query.has("compare")) compare();
else if (host && query.has("bench")) void bench(host);
else if (host) render(<Gallery />, host);
