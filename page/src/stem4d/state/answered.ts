// Images as they were answered.
// SPDX-License-Identifier: Apache-2.0
import type { Raster } from "../../types";
import type { Request, UsedRotation } from "../protocol/messages";
import type { Bound } from "./question";

export type ImageRequest = Extract<Request, { op: "image" }>;

/** Images, and what they answer. */
export interface Answered extends Bound<ImageRequest> {
  /** Where the answer is coarse, each value is drawn as step x step. */
  images: readonly Raster[];
  rotation: UsedRotation | null;
  notes: readonly string[];
  /** Server's milliseconds. */
  ms: number;
}

/** Of its images. */
export function bytesOf({ images }: Answered): number {
  return images.reduce((sum, image) => sum + image.values.byteLength, 0);
}
