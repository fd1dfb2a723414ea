// The program under test: commands that answer, and viewers that serve.
// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import type { Shape } from "../src/stem4d/types";
import { type Numbers, readNpy } from "./npy";

export const program = env["SLUICE"] ?? fileURLToPath(new URL("../../build/release/bin/sluice", import.meta.url));

/** Runs a command and returns what it prints. */
export function sluice(...words: string[]): string {
  return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

let outputs = 0;

/** The files that a `stem4d` command writes, by name without ending; and what it says. */
export type Answers = ((name: string) => Numbers) & { readonly printed: string };

export function answersOf(folder: string, words: readonly string[]): Answers {
  const out = join(folder, `answer-${++outputs}`);
  const printed = sluice("stem4d", ...words, "--format", "npy", "--out", out);
  return Object.assign((name: string) => readNpy(join(out, `${name}.npy`)), { printed });
}

/** A shape as the command line takes it; written here anew, so that the page's own is tested. */
export function detectorOf(shape: Shape): string {
  const at = (p: readonly number[]): string => p.join(":");
  const range = (a: number, b: number): string => `${Math.min(a, b)}..${Math.max(a, b)}`;
  switch (shape.shape) {
    case "point":
      return `point:row=${shape.center[0]},col=${shape.center[1]}`;
    case "disk":
      return `disk:r=${shape.outer},center=${at(shape.center)}`;
    case "annulus":
      return `annulus:r=${shape.inner}..${shape.outer},center=${at(shape.center)}`;
    case "square":
      return `square:half=${shape.outer},center=${at(shape.center)}`;
    case "rectangle":
      return (
        `rectangle:rows=${range(shape.from[0], shape.to[0])},` +
        `cols=${range(shape.from[1], shape.to[1])}`
      );
    case "polygon":
      return `polygon:${shape.corners.map(at).join("/")}`;
  }
}

/** The image that the command line makes of a shape. */
export function virtualImage(folder: string, path: string, shape: Shape, mean = false): Numbers {
  const more = mean ? ["--mean"] : [];
  const words = ["virtual-image", path, "--detector", `it=${detectorOf(shape)}`, ...more];
  return answersOf(folder, words)("it");
}

/** A viewer that runs. */
export interface Server {
  /** With the token. */
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

/** Starts `sluice view` and waits for its address. */
export function serve(paths: readonly string[], options: readonly string[] = []): Promise<Server> {
  return serveBy("view", ...paths, ...options);
}

/** Starts a command that shows a page, and waits for its address. */
export async function serveBy(...words: readonly string[]): Promise<Server> {
  const port = words.includes("--port") ? [] : ["--port", "0"];
  const child = spawn(program, [...words, ...port, "--print-url"]);
  let errors = "";
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text) => (errors += text));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text) => resolve(text.trim()));
    child.once("error", reject);
    // Not "exit": what it wrote may still be on its way then.
    child.once("close", (code) => reject(new Error(`sluice ${words[0]} ended with ${code}: ${errors}`)));
  });
  return {
    url,
    port: Number(new URL(url).port),
    process: child,
    stop: async () => {
      child.kill("SIGTERM");
      await ended(child);
    },
  };
}
