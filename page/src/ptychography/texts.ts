// A job in words; pure functions.
// SPDX-License-Identifier: Apache-2.0
import { lengthText, numberText } from "../display/nice";
import type { Job, Pair, Positions, Status } from "./types";
import { movesOf } from "./waves";

/** "8 s", "3 min 20 s", "2 h 5 min". */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 ? `${minutes} min ${whole % 60} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
}

/** What the header says. */
export function statusText(status: Status): string {
  const { state, iteration, iterations, rate, left, elapsed } = status;
  const after = `${iteration} iteration${iteration === 1 ? "" : "s"} in ${durationText(elapsed)}`;
  switch (state) {
    case "waiting":
      return "The data are being read";
    case "paused":
      return `${after}; more points are to come`;
    case "finished":
      return `Finished: ${after}`;
    case "saved":
      return `Finished result: ${after}`;
    case "stopped":
      return `Stopped after ${after}`;
    case "failed":
      return `Failed after ${after}`;
    case "running":
      return [
        `Iteration ${Math.min(iteration + 1, iterations)} of ${iterations}`,
        rate === null ? "" : `${numberText(rate, 3)} patterns/s`,
        left === null ? "" : `${durationText(left)} left`,
      ]
        .filter((part) => part)
        .join(" · ");
  }
}

/** "lsqml 20, epie 5": solvers and their iterations. */
export const stagesText = ({ stages }: Job): string =>
  stages.map(({ solver, iterations }) => `${solver || "not known,"} ${iterations}`).join(", then ");

/** Facts of a job as rows of a table. */
export function factsOf(job: Job): Pair[] {
  const { patterns, size, pixelNm, wavelengthNm, slices, sliceNm, modes } = job;
  return [
    ["Patterns", size > 0 ? `${patterns}, each of ${size} × ${size} px` : String(patterns)],
    ["Solver", stagesText(job) || "not known"],
    ["Pixel", pixelNm > 0 ? lengthText(pixelNm, "nm") : "not known"],
    ...(wavelengthNm > 0 ? [["Wavelength", `${numberText(wavelengthNm * 1000, 4)} pm`] as const] : []),
    ["Modes", String(modes)],
    ...(slices > 1 ? [["Slices", `${slices}, ${lengthText(sliceNm, "nm")} apart`] as const] : []),
  ];
}

/** "0.1234 · counting alone 0.098". */
export function rText({ r, floor }: Status): string {
  if (r === null) return "";
  const alone = floor === null ? "" : ` · counting alone ${numberText(floor, 3)}`;
  return `${numberText(r, 4)}${alone}`;
}

export function movesText(positions: Positions, pixelNm: number): string {
  if (!positions.known) return "The file does not tell whether they moved.";
  const { rms, most } = movesOf(positions);
  if (most === 0) return "As given.";
  const length = (pixels: number): string =>
    `${numberText(pixels, 3)} px` + (pixelNm > 0 ? ` (${lengthText(pixels * pixelNm, "nm", 3)})` : "");
  return `Moved ${length(rms)} rms, at most ${length(most)}.`;
}

/** "Mode 2, 21 %". */
export const modeText = (mode: number, power: number | undefined): string =>
  `${mode + 1}` + (power === undefined ? "" : ` · ${numberText(100 * power, power < 0.1 ? 2 : 3)} %`);
