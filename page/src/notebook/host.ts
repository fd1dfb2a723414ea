// The widget's half in the notebook (anywidget): a frame with the page, and its line to the kernel.
// SPDX-License-Identifier: Apache-2.0
import page from "virtual:page";
import { hidePicture } from "./last_picture";
import { type Line, lineOf, type Model } from "./line";

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const frame = document.createElement("iframe");
  const height = Number(model.get("height")) || 600;
  frame.title = "Sluice";
  frame.style.cssText = `width: 100%; height: ${height}px; border: 0; display: block`;
  frame.allow = "fullscreen; clipboard-write";
  // A frame that is moved in the document starts its page anew.
  let line: Line | null = null;
  frame.sluice = () => {
    line?.stop();
    line = lineOf(model);
    return line.comm;
  };
  frame.srcdoc = page;
  el.append(frame);
  const show = hidePicture(el);
  return () => {
    line?.stop();
    show();
  };
}

export default { render };
