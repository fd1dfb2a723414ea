// What is kept in the page's address behind the "#": a link to it shows the same.
// SPDX-License-Identifier: Apache-2.0

/** By name; what is empty is left out. */
export type HashFields = Readonly<Record<string, string>>;

/** The fields of an address; what is no field is passed over. */
export function parseHash(hash: string): HashFields {
  return Object.fromEntries(new URLSearchParams(hash.replace(/^#/, "")));
}

/** The part behind the "#", which is read as it is written. */
export function hashText(fields: HashFields): string {
  const used = Object.entries(fields).filter(([, value]) => value !== "");
  const text = new URLSearchParams(used.map(([name, value]) => [name, value])).toString();
  return text.replaceAll("%2C", ",");
}

let timer = 0;

/** Writes the fields into the address, without an entry in the history, when they have rested. */
export function keepHash(fields: HashFields): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    // A page in a notebook's frame has no address of its own.
    if (location.protocol === "about:") return;
    const url = new URL(location.href);
    url.hash = hashText(fields);
    history.replaceState(null, "", url);
  }, 200);
}

/** Numbers with commas between; null where one is none. */
export function numbersOf(text: string | undefined): number[] | null {
  if (!text) return null;
  const all = text.split(",").map(Number);
  return all.every(Number.isFinite) ? all : null;
}
