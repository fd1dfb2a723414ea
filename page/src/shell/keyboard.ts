// The keys of a whole page: those that no element wants for itself.
// SPDX-License-Identifier: Apache-2.0

/** Keys and what they do, for the help. */
export type Keys = readonly (readonly [keys: string, what: string])[];

/** Whether an element wants a key for itself: arrows in a slider, space on a button. */
export function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog, .menu-body")) return true;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) {
    return target.type !== "checkbox" || key === " ";
  }
  return key === " " && target.closest("button, summary, a") !== null;
}

/** Listens to the keys that no element has used up. `act` says whether a key means something; a
 *  dialog has all keys, also those of which no element of it has the focus. */
export function listenToKeys(
  act: (event: KeyboardEvent) => boolean,
  dialogOpen: () => boolean,
): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || dialogOpen() || takesKey(event.target, event.key)) return;
    if (act(event)) event.preventDefault();
  });
}
