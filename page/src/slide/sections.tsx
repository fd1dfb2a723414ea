// The side column's other sections: position, scenes, pictures in the file, what the file says.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Slider } from "../shell/frame/controls";
import { FactsTable } from "../shell/frame/facts_table";
import { phase } from "../shell/live";
import { factsOf } from "./facts";
import { askAttachment, pictureOf, pictures } from "./attachments";
import { flaws, plane, setIndex, show, slide } from "./state";
import type { Dimension, Slide } from "./types";

const NAMES: Readonly<Record<string, string>> = {
  Z: "Z slice",
  T: "Time",
  R: "Rotation",
  I: "Illumination",
  H: "Phase",
  V: "View",
  B: "Block",
};

/** "3 of 5 · 2 µm". */
function indexText(here: Slide, { letter, first, count }: Dimension, at: number): string {
  const unit = letter === "Z" ? "µm" : "s";
  const step = letter === "Z" ? here.zStep : letter === "T" ? here.tStep : 0;
  const place = `${at - first + 1} of ${count}`;
  return step > 0 ? `${place} · ${Number(((at - first) * step).toPrecision(5))} ${unit}` : place;
}

export function PositionSection(): ComponentChildren {
  const here = slide.value;
  if (!here || here.dimensions.length === 0) return null;
  return (
    <details class="section" open>
      <summary>Position</summary>
      {here.dimensions.map((dimension) => {
        const { letter, first, count } = dimension;
        const at = plane.value[letter] ?? first;
        return (
          <Slider
            key={letter}
            label={NAMES[letter] ?? letter}
            value={at}
            min={first}
            max={first + count - 1}
            step={1}
            text={indexText(here, dimension, at)}
            set={(index) => setIndex(letter, index)}
          />
        );
      })}
    </details>
  );
}

export function ScenesSection(): ComponentChildren {
  const here = slide.value;
  if (!here || here.scenes.length < 2) return null;
  return (
    <details class="section" open={here.scenes.length <= 12}>
      <summary>Scenes ({here.scenes.length})</summary>
      <ul class="list">
        {here.scenes.map(({ scene, name, bounds }) => (
          <li key={scene}>
            <button type="button" class="pick" title="Show this scene" onClick={() => show(bounds)}>
              <span>{name || `Scene ${scene}`}</span>
              <small>
                {bounds[2]} × {bounds[3]}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

export function PicturesSection(): ComponentChildren {
  const here = slide.value;
  const jpgs = (here?.attachments ?? []).flatMap(({ name, type }, number) =>
    type.toUpperCase() === "JPG" ? [{ name, number }] : [],
  );
  const open = phase.value.kind === "open";
  useEffect(() => {
    if (!open) return;
    for (const { number } of jpgs)
      if (!pictures.peek().has(pictureOf(here?.id, number))) askAttachment(number);
  }, [here, open]);
  if (jpgs.length === 0) return null;
  return (
    <details class="section" open>
      <summary>Pictures in the file</summary>
      {jpgs.map(({ name, number }) => {
        const url = pictures.value.get(pictureOf(here?.id, number));
        return (
          <figure key={number} class="attached">
            {url && <img src={url} alt={name} />}
            <figcaption>{name}</figcaption>
          </figure>
        );
      })}
    </details>
  );
}

export function FactsSection(): ComponentChildren {
  const here = slide.value;
  if (!here) return null;
  return (
    <details class="section" open>
      <summary>About this slide</summary>
      <p class="hint">{here.path}</p>
      <FactsTable facts={factsOf(here)} />
    </details>
  );
}

export function NotesSection(): ComponentChildren {
  const here = slide.value;
  const damaged = [...new Set(flaws.value.map(({ message }) => message))].slice(0, 20);
  if (!here || here.notes.length + damaged.length === 0) return null;
  return (
    <details class="section" open>
      <summary>Notes</summary>
      {here.notes.map((text) => (
        <p key={text} class="hint">
          {text}
        </p>
      ))}
      {damaged.map((text) => (
        <p key={text} class="hint bad">
          Damaged: {text}
        </p>
      ))}
    </details>
  );
}
