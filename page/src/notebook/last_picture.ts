// The last picture stands below the widget for whoever opens the notebook without a kernel; while
// there is a page it is hidden.
// SPDX-License-Identifier: Apache-2.0

/** An output, and its picture, in JupyterLab and Notebook 7, and in what was there before. */
const OUTPUTS = ".jp-OutputArea-child, .output_area";
const PICTURES = ".jp-RenderedImage, .jp-RenderedText, .output_png, .output_text";

/** Hides the picture that is the output below `el`, also one that comes later; gives back what
 *  shows it again. */
export function hidePicture(el: HTMLElement): () => void {
  let hidden: HTMLElement | null = null;
  const hide = (): void => {
    const below = el.closest(OUTPUTS)?.nextElementSibling;
    if (!(below instanceof HTMLElement) || below === hidden) return;
    if (!below.querySelector(PICTURES)) return;
    below.style.display = "none";
    hidden = below;
  };
  // The widget is put into the document after it was made.
  const watch = new MutationObserver(hide);
  const start = requestAnimationFrame(() => {
    hide();
    const area = el.closest(OUTPUTS)?.parentElement;
    if (area) watch.observe(area, { childList: true, subtree: true });
  });
  return () => {
    cancelAnimationFrame(start);
    watch.disconnect();
    if (hidden) hidden.style.display = "";
  };
}
