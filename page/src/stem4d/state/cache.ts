// Answers that may be shown again at once: the newest ones, up to a number of bytes.
// SPDX-License-Identifier: Apache-2.0
import type { Request, UsedRotation } from "../protocol/messages";
import type { Raster } from "../../types";
import type { Bound } from "./question";

export type ImageRequest = Extract<Request, { op: "image" }>;

/** Images as they were answered, with what they answer. */
export interface Answered extends Bound<ImageRequest> {
  /** Where the answer is coarse, each value is drawn as step x step. */
  images: readonly Raster[];
  rotation: UsedRotation | null;
  notes: readonly string[];
  /** Server's milliseconds. */
  ms: number;
}

/** Least recently used answers go first. */
export class AnswerCache {
  private readonly kept = new Map<string, Answered>();
  private bytes = 0;

  constructor(private readonly most: number) {}

  get(key: string): Answered | undefined {
    const found = this.kept.get(key);
    if (found) {
      this.kept.delete(key);
      this.kept.set(key, found);
    }
    return found;
  }

  has(key: string): boolean {
    return this.kept.has(key);
  }

  put(answered: Answered): void {
    this.remove(answered.key);
    this.kept.set(answered.key, answered);
    this.bytes += sizeOf(answered);
    for (const key of this.kept.keys()) {
      if (this.bytes <= this.most || this.kept.size === 1) break;
      this.remove(key);
    }
  }

  get size(): number {
    return this.kept.size;
  }

  private remove(key: string): void {
    const old = this.kept.get(key);
    if (!old) return;
    this.bytes -= sizeOf(old);
    this.kept.delete(key);
  }
}

function sizeOf({ images }: Answered): number {
  return images.reduce((sum, image) => sum + image.values.byteLength, 0);
}
