// What runs inside the page while the parts of a drag are measured: when each of its steps was.
// SPDX-License-Identifier: Apache-2.0

/** Installed before the page's own script; must not refer to anything outside of it. */
export function partsHarness() {
  const marks = {};
  /** The first time of a step since the last `begin`. */
  const first = (name, at = performance.now()) => (marks[name] ??= at);
  const seen = (e) => {
    first("event", e.timeStamp);
    first("handled");
  };
  addEventListener("pointerrawupdate", seen, true);
  addEventListener("pointermove", seen, true);

  window.WebSocket = class extends WebSocket {
    constructor(...words) {
      super(...words);
      this.addEventListener("message", ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return;
        const length = new DataView(data).getUint32(0, true);
        const { ms } = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
        if (!marks.sent || marks.received) return;
        first("received");
        marks.computed = ms;
        marks.bytes = data.byteLength;
      });
    }
    send(data) {
      if (marks.event) first("sent");
      super.send(data);
    }
  };

  // The newest drawing of the answer: what is drawn before it is of the overlay's own frame.
  const draw = CanvasRenderingContext2D.prototype.drawImage;
  CanvasRenderingContext2D.prototype.drawImage = function (...words) {
    draw.apply(this, words);
    if (marks.received && this.canvas.isConnected) first("drawn");
  };

  window.parts = {
    begin: () => Object.keys(marks).forEach((name) => delete marks[name]),
    marks: () => ({ ...marks }),
  };
}
