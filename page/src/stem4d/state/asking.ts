// Asks for images and patterns, and takes only answers that are what was asked for.
// SPDX-License-Identifier: Apache-2.0
import { Recent } from "../../shell/recent";
import type { Raster } from "../../types";
import type { Answer } from "../protocol/messages";
import { rasters } from "../protocol/wire";
import { type Answered, bytesOf, type ImageRequest } from "./answered";
import { stretched } from "./coarse";
import { datasetOf, finished } from "./datasets";
import { type Query, moreToCome } from "./keys";
import { ask } from "./live";
import type { Bound, Wish } from "./question";
import { since } from "./timing";

export type PatternRequest = Extract<Query, { op: "frame" | "region" | "pattern" }>;

/** A pattern as it was answered, with what it answers. */
export interface ShownPattern extends Bound<PatternRequest> {
  raster: Raster;
  /** Frames it was made of. */
  frames: number;
}

const CACHE_BYTES = 256 << 20;
const cache = new Recent<Answered>(CACHE_BYTES, bytesOf);
export const cached = (key: string): Answered | undefined => cache.get(key);

const PATTERNS = 64;
const patterns = new Recent<ShownPattern>(PATTERNS, () => 1);
export const cachedPattern = (key: string): ShownPattern | undefined => patterns.peek(key);

const WRONG = "The server answered something else than was asked for.";

/** How many images answer a request. */
function imageCount({ mode, detectors }: ImageRequest): number {
  if (mode === "com_vector") return 2;
  return mode === "sum" || mode === "mean" ? detectors.length : 1;
}

/** The answer's images on the whole scan; null: they are not what was asked for. */
export function imagesOf(request: ImageRequest, answer: Answer): Raster[] | null {
  const of = datasetOf(request.dataset);
  const found = rasters(answer);
  if (!of || answer.dataset !== request.dataset || answer.op !== request.op) return null;
  if (found.length !== imageCount(request)) return null;
  const [rows, cols] = of.scan;
  const coarse = (size: number): number => Math.ceil(size / Math.max(1, answer.step));
  const fits = found.every((one) => one.rows === coarse(rows) && one.cols === coarse(cols));
  return fits ? found.map((raster) => stretched(raster, answer.step, rows, cols)) : null;
}

/** Asks in a slot; `take` may be called twice (coarse, then sharp), and says whether what came is
 *  what was asked for. `after`: only when more than that of the scan has come. */
export function askFor<R extends Query>(
  slot: string,
  wish: Wish<R>,
  take: (answer: Answer, bound: Bound<R>) => boolean,
  failed: (why: string) => void,
  after?: number,
): void {
  const from = since();
  const { dataset } = wish.request;
  const request = after === undefined ? wish.request : { ...wish.request, after };
  ask(slot, request, {
    patient: after !== undefined,
    answered: (answer) => {
      if (answer.step === 1) finished(dataset);
      const { step, live } = answer;
      if (!take(answer, { ...wish, step, live, since: from })) failed(WRONG);
    },
    // A sharper answer is only missed where it was to come.
    failed: ({ code, message }) => {
      if (code !== "unfinished" || moreToCome(dataset, 2)) failed(message);
    },
  });
}

/** Asks for images in a slot; `done` may be called twice. */
export function askImage(
  slot: string,
  wish: Wish<ImageRequest>,
  done: (answered: Answered) => void,
  failed: (why: string) => void,
  after?: number,
): void {
  const take = (answer: Answer, bound: Bound<ImageRequest>): boolean => {
    const images = imagesOf(wish.request, answer);
    if (!images) return false;
    const { rotation, notes, ms } = answer;
    const answered: Answered = { ...bound, images, rotation, notes, ms };
    // What is of a part of the scan is old in a moment.
    if (!answer.live) cache.put(answered.key, answered);
    done(answered);
    return true;
  };
  askFor(slot, wish, take, failed, after);
}

/** Asks for a pattern in a slot; `done` may be called twice. */
export function askPattern(
  slot: string,
  wish: Wish<PatternRequest>,
  done: (pattern: ShownPattern) => void,
  failed: (why: string) => void,
  after?: number,
): void {
  const { dataset, op } = wish.request;
  const take = (answer: Answer, bound: Bound<PatternRequest>): boolean => {
    const [raster, ...more] = rasters(answer);
    const [rows, cols] = datasetOf(dataset)?.detector ?? [0, 0];
    const asked = answer.dataset === dataset && answer.op === op;
    if (!asked || more.length > 0 || raster?.rows !== rows || raster.cols !== cols) return false;
    const pattern: ShownPattern = { ...bound, raster, frames: answer.frames };
    if (!answer.live || answer.live.final) patterns.put(pattern.key, pattern);
    done(pattern);
    return true;
  };
  askFor(slot, wish, take, failed, after);
}
