// Answers that may be shown again at once: the newest ones, up to a number of bytes.
// SPDX-License-Identifier: Apache-2.0
import type { UsedRotation } from "../../protocol/messages";
import type { Raster } from "../../types";

/** Images as they were answered. */
export interface Answered {
  /** What was asked: equal keys have equal answers. */
  key: string;
  dataset: string;
  images: readonly Raster[];
  /** 1: of all scan points; k: of every k-th, each drawn as k x k. */
  step: number;
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
