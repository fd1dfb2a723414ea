// Pictures in the file: the label, the whole slide.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { ask, drop } from "./live";
import { slide } from "./state";

/** Object URLs by `pictureOf`. */
export const pictures = signal<ReadonlyMap<string, string>>(new Map());

export const pictureOf = (id: string | undefined, number: number): string => `${id}/${number}`;

/** Asks for an attachment that is a picture. */
export function askAttachment(number: number): void {
  const here = slide.peek();
  if (!here) return;
  const slot = `a${number}`;
  // Of another slide it is not waited for.
  drop(slot);
  ask(slot, { op: "attachment", slide: here.id, number }, {
    answered: (answer) => {
      if (answer.op !== "attachment") return;
      const picture = new Blob([answer.bytes.slice()], { type: "image/jpeg" });
      const key = pictureOf(here.id, number);
      pictures.value = new Map(pictures.value).set(key, URL.createObjectURL(picture));
    },
  });
}

export function forgetPictures(): void {
  for (const url of pictures.peek().values()) URL.revokeObjectURL(url);
  pictures.value = new Map();
}
