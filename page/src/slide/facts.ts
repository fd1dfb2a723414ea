// What a file says, as names and values: the lines of `sluice info`.
// SPDX-License-Identifier: Apache-2.0
import type { Slide } from "./types";

type Fact = readonly [name: string, value: string];

const MOST = 200;

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Numbers and texts as they are, counts by name as "name (count)". */
function plain(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(Number(value.toPrecision(6)));
  if (isFields(value))
    return Object.entries(value)
      .map(([name, count]) => `${name} (${plain(count)})`)
      .join(", ");
  return Array.isArray(value) ? value.map(plain).join(", ") : "";
}

function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let power = 0;
  for (let size = bytes; size >= 1000 && power < 4; size /= 1000) ++power;
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

function levelsText(levels: unknown): string {
  if (!Array.isArray(levels)) return "";
  return levels
    .filter(isFields)
    .map(({ factor, tiles }) => `1/${plain(factor)} (${plain(tiles)} tiles)`)
    .join(", ");
}

function channelFacts(channels: unknown): Fact[] {
  if (!Array.isArray(channels)) return [];
  return channels.filter(isFields).map((channel, index) => {
    const parts = [plain(channel["name"]), plain(channel["pixel_type"]), plain(channel["fluor"])];
    const [from, to] = [channel["excitation_nm"], channel["emission_nm"]];
    if (typeof from === "number") parts.push(`${plain(from)} > ${plain(to)} nm`);
    if (typeof channel["exposure_ms"] === "number")
      parts.push(`${plain(channel["exposure_ms"])} ms`);
    return [
      `Channel ${plain(channel["channel"]) || index}`,
      parts.filter((p) => p !== "").join(", "),
    ];
  });
}

/** The facts of a slide in the order in which one asks for them; what it lacks is left out. */
export function factsOf({ info, bounds, pixel, zStep, tStep }: Slide): Fact[] {
  const [x, y, width, height] = bounds;
  const [dx, dy] = pixel;
  const inUm = dx > 0 ? `, ${(width * dx).toFixed(1)} × ${(height * dy).toFixed(1)} µm` : "";
  const size = info["bytes"];
  const facts: Fact[] = [
    ["Extent", `${width} × ${height} pixels at ${x}, ${y}${inUm}`],
    ["Pixel", dx > 0 ? `${plain(dx)} × ${plain(dy)} µm` : ""],
    ["Z step", zStep > 0 ? `${plain(zStep)} µm` : ""],
    ["Interval", tStep > 0 ? `${plain(tStep)} s` : ""],
    ["Pixel type", plain(info["pixel_types"])],
    ["Compression", plain(info["compressions"])],
    ["Levels", levelsText(info["levels"])],
    ["Tiles", plain(info["tiles"])],
    [
      "File",
      typeof size === "number"
        ? `CZI ${plain(info["version"])}, ${bytesText(size)}`
        : info["format"] === "ome-zarr"
          ? "OME-Zarr"
          : "",
    ],
    ...channelFacts(info["channels"]),
    ["Objective", plain(info["objective"])],
    ["Acquired", plain(info["acquired"])],
    ["Written by", plain(info["application"])],
  ];
  return facts.filter(([, value]) => value !== "").slice(0, MOST);
}
