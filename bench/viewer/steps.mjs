// What all measurements of the page do: wait for it, find its panels, move the pointer.
// SPDX-License-Identifier: Apache-2.0

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const sorted = (list) => [...list].sort((a, b) => a - b);
export const quantile = (list, q) =>
  sorted(list)[Math.min(list.length - 1, Math.floor(q * list.length))];
export const median = (list) => quantile(list, 0.5);

/** Opens the page; until it shows the whole scan. */
export async function ready(page, url) {
  await page.goto(url);
  await page.waitForFunction(() => window.sluice?.images()?.step === 1, null, { timeout: 120_000 });
  await page.evaluate(() => window.sluice.idle());
}

/** Where a panel's middle is, and CSS pixels per image pixel. */
export async function placeOf(page, name) {
  const panel = page.getByRole("application", { name });
  const box = await panel.boundingBox();
  const text = await panel.locator("svg.overlay > g").getAttribute("transform");
  const zoom = Number(/scale\(([\d.]+)/.exec(text)[1]);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, zoom };
}

/** On a circle, so that no position comes twice soon and none is beyond the image. */
export const around = ({ x, y, zoom }, i, radius) => ({
  x: x + radius * zoom * Math.cos(i * 0.61),
  y: y + radius * zoom * Math.sin(i * 0.61) + (i % 7) * 0.9 * zoom,
});

/** Does something and waits for what it changes: when its event came and when it was painted. */
export async function answered(page, slots, act) {
  await page.evaluate((names) => window.bench.expect(names), slots);
  // At any moment between two frames of the browser.
  await pause(Math.random() * 17);
  await act();
  return page.evaluate(() => window.bench.painted());
}

/** What single moves of a drag came to; the first five are left out. */
export async function moves(page, place, slot, radius, count) {
  const { mouse } = page;
  await mouse.move(place.x, place.y);
  await mouse.down();
  const list = [];
  for (let i = 0; i < count; ++i) {
    const { x, y } = around(place, i, radius);
    list.push(await answered(page, [slot], () => mouse.move(x, y)));
  }
  await mouse.up();
  await page.evaluate(() => window.sluice?.idle());
  return list.slice(5);
}
