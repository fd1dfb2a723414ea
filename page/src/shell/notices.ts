// What the user is told: messages that stay until dismissed, and announcements for screen readers.
// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";

export interface Notice {
  key: number;
  kind: "error" | "note";
  text: string;
  /** How often it came in a row. */
  times: number;
}

/** Messages on the screen, oldest first. */
export const notices = signal<readonly Notice[]>([]);
/** What a screen reader says next. */
export const announcement = signal("");

/** So many notes at most; errors stay until they are read. */
const MOST = 4;
let last = 0;

/** Without the oldest notes that are too many. */
function trimmed(list: readonly Notice[]): readonly Notice[] {
  const notes = list.filter(({ kind }) => kind === "note");
  const old = new Set(notes.slice(0, Math.max(0, notes.length - MOST)));
  return list.filter((one) => !old.has(one));
}

function add(kind: Notice["kind"], text: string): void {
  const same = notices.value.find((notice) => notice.text === text);
  if (same) {
    notices.value = notices.value.map((notice) =>
      notice === same ? { ...notice, times: notice.times + 1 } : notice,
    );
    return;
  }
  notices.value = trimmed([...notices.value, { key: ++last, kind, text, times: 1 }]);
}

export const complain = (text: string): void => add("error", text);

/** A message that goes away by itself. */
export function note(text: string): void {
  add("note", text);
  const key = last;
  setTimeout(() => dismiss(key), 8000);
}

export function dismiss(key: number): void {
  notices.value = notices.value.filter((notice) => notice.key !== key);
}

/** The last message goes away (Escape). */
export function dismissNewest(): void {
  notices.value = notices.value.slice(0, -1);
}

export function announce(text: string): void {
  announcement.value = text;
}
