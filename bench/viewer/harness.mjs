// What runs inside the page while it is measured: when events came and when frames were painted.
// SPDX-License-Identifier: Apache-2.0

/** Installed before the page's own script; must not refer to anything outside of it. */
export function harness() {
  let event = 0;
  const seen = (e) => (event = e.timeStamp);
  addEventListener("pointermove", seen, true);
  addEventListener("keydown", seen, true);
  const counts = () => window.sluice?.stats().drawn ?? {};
  // A task that an animation frame posts runs when the frame's painting is over.
  const afterPaint = (call) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = call;
    port2.postMessage(null);
  };

  let coming = null;
  /** From now on waits for a new picture in each slot. */
  const expect = (slots) => {
    const before = counts();
    event = 0;
    coming = new Promise((resolve) => {
      const look = () => {
        const now = counts();
        if (!slots.every((slot) => (now[slot] ?? 0) > (before[slot] ?? 0)))
          return requestAnimationFrame(look);
        const frame = performance.now();
        afterPaint(() => resolve({ event, frame, painted: performance.now() }));
      };
      requestAnimationFrame(look);
    });
  };
  /** When the event came, when the frame began that shows what it changed, and when it was painted. */
  const painted = () => coming;

  /** Counts for a time: frames with a new picture, the longest gaps and tasks. */
  const watch = (slot, milliseconds) => {
    const tasks = [];
    const observer = new PerformanceObserver((list) =>
      list.getEntries().forEach((entry) => tasks.push(entry.duration)),
    );
    observer.observe({ entryTypes: ["longtask"] });
    const start = performance.now();
    let [last, count, frames, gap] = [start, counts()[slot] ?? 0, 0, 0];
    return new Promise((resolve) => {
      const look = () => {
        const now = performance.now();
        gap = Math.max(gap, now - last);
        last = now;
        const drawn = counts()[slot] ?? 0;
        if (drawn > count) ++frames;
        count = drawn;
        if (now - start < milliseconds) requestAnimationFrame(look);
        else
          setTimeout(() => {
            observer.disconnect();
            const seconds = (now - start) / 1000;
            resolve({ rate: frames / seconds, longest: Math.max(0, ...tasks), gap });
          });
      };
      requestAnimationFrame(look);
    });
  };

  /** When the first picture was painted, in milliseconds since 1970. */
  const first = () =>
    new Promise((resolve) => {
      const look = () => {
        if (!(counts().image > 0)) requestAnimationFrame(look);
        else
          afterPaint(() => {
            const { step } = window.sluice.images();
            resolve({ at: performance.timeOrigin + performance.now(), step });
          });
      };
      look();
    });

  window.bench = { expect, painted, watch, first };
}
