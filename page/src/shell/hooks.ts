// What the tests need of every page: to know when it has drawn all.
// SPDX-License-Identifier: Apache-2.0

const nextFrame = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Until a page is settled and has drawn once more. */
export async function untilDrawn(settled: () => boolean): Promise<void> {
  do await nextFrame();
  while (!settled());
  await nextFrame();
}
