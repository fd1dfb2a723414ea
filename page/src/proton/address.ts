// What of the page stands in its address: a link shows the same again.
// SPDX-License-Identifier: Apache-2.0
import { batch, effect } from "@preact/signals";
import { type HashFields, keepHash, numbersOf, parseHash } from "../shell/hash";
import { onHello } from "./live";
import { levelsOf } from "./looks";
import { axesOf } from "./space";
import {
  base,
  chooseBase,
  chooseOver,
  difference,
  filled,
  goTo,
  hidden,
  levels,
  lined,
  looks,
  opacity,
  outlined,
  over,
  panel,
  place,
  profileAxis,
  setDifference,
  setLook,
  structures,
  threshold,
  typedReference,
  volumes,
} from "./state";

/** What is shown now. */
export function fieldsOf(): HashFields {
  const here = base.value;
  if (!here) return {};
  const limits = volumes.value.flatMap(({ id }) => {
    const look = looks.value[id];
    return look?.limits ? [[`limits-${id}`, `${look.limits.low},${look.limits.high}`] as const] : [];
  });
  const maps = volumes.value.flatMap(({ id }) => {
    const map = looks.value[id]?.map;
    return map ? [[`map-${id}`, map] as const] : [];
  });
  return {
    base: here.id,
    over: over.value?.id ?? "none",
    difference: difference.value ? "1" : "",
    at: axesOf(here).map((axis) => place.value[axis]).join(","),
    along: String(profileAxis.value),
    colours: filled.value ? "1" : "0",
    opacity: String(opacity.value),
    from: String(threshold.value),
    lines: lined.value ? "1" : "0",
    hidden: [...hidden.value].join(","),
    outlines: outlined.value ? "" : "0",
    plot: panel.value === "profile" ? "" : panel.value,
    levels: levels.value.join(",") || "none",
    reference: typedReference.value === null ? "" : String(typedReference.value),
    ...Object.fromEntries([...limits, ...maps]),
  };
}

const inside = (text: string | undefined, low: number, high: number): number | null => {
  const [value, ...more] = numbersOf(text) ?? [];
  return value !== undefined && more.length === 0 && value >= low && value <= high ? value : null;
};

/** Shows what an address says, as far as it fits these volumes. */
export function applyFields(fields: HashFields): void {
  const known = (id: string | undefined): id is string => volumes.value.some((one) => one.id === id);
  batch(() => {
    if (known(fields["base"])) chooseBase(fields["base"]);
    if (known(fields["over"]) || fields["over"] === "none")
      chooseOver(fields["over"] === "none" ? "" : fields["over"]);
    setDifference(fields["difference"] === "1");
    if (fields["colours"]) filled.value = fields["colours"] === "1";
    if (fields["lines"]) lined.value = fields["lines"] === "1";
    if (fields["outlines"]) outlined.value = fields["outlines"] === "1";
    if (fields["plot"] === "histogram") panel.value = "histogram";
    const ids = (fields["hidden"] ?? "").split(",");
    hidden.value = new Set(ids.filter((id) => structures.value.some((one) => one.id === id)));
    opacity.value = inside(fields["opacity"], 0, 1) ?? opacity.value;
    threshold.value = inside(fields["from"], 0, 100) ?? threshold.value;
    typedReference.value = inside(fields["reference"], 0, Number.MAX_VALUE) || null;
    const chosen = fields["levels"] ?? "";
    levels.value = (chosen === "none" ? [] : chosen && levelsOf(chosen)) || levels.value;
    const axis = inside(fields["along"], 0, 2);
    if (axis === 0 || axis === 1 || axis === 2) profileAxis.value = axis;
    for (const volume of volumes.value) {
      const [low, high] = numbersOf(fields[`limits-${volume.id}`]) ?? [];
      if (low !== undefined && high !== undefined && high > low)
        setLook(volume, { limits: { low, high } });
      const map = fields[`map-${volume.id}`];
      if (map) setLook(volume, { map });
    }
    const at = numbersOf(fields["at"]);
    if (at && base.value && at.length === axesOf(base.value).length)
      goTo([at[0]!, at[1]!, at[2] ?? 0]);
  });
}

/** Reads the address once, when the volumes are known, and keeps it up to date from then on. */
export function startAddress(): void {
  let read = false;
  onHello(() => {
    if (read || volumes.value.length === 0) return;
    read = true;
    applyFields(parseHash(location.hash));
    effect(() => keepHash(fieldsOf()));
  });
}
