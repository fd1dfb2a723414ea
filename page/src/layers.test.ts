// Which way imports point (page/README.md): shell knows no domain, and no domain another one.
// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";

/** Each may import those before it; every other folder is a domain and may import all of them. */
const SHARED = ["types", "analysis", "export", "display", "shell"];

const sources = import.meta.glob<string>("./**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The folder of src, or the file in it, that a path is in. */
const roomOf = (path: string): string =>
  new URL(path, "file:///").pathname.split("/")[1]!.replace(/\.tsx?$/, "");

/** Why a file may not import another one; else null. */
function objection(from: string, to: string): string | null {
  const target = new URL(to, `file:///${from}`).pathname.slice(1);
  const [own, other] = [roomOf(from), roomOf(target)];
  const [rank, otherRank] = [SHARED.indexOf(own), SHARED.indexOf(other)];
  if (own === other || (otherRank >= 0 && (rank < 0 || otherRank < rank))) return null;
  return `${from}: ${own} may not import ${other} (${to})`;
}

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]*)"/g)].map(([, to]) => to!);

it("knows up from down", () => {
  expect(objection("slide/app.tsx", "../shell/frame/frame")).toBeNull();
  expect(objection("stem4d/state/scan.ts", "../geometry/measure")).toBeNull();
  expect(objection("display/view.ts", "../types")).toBeNull();
  expect(objection("slide/app.tsx", "../stem4d/panels.css")).toContain("slide may not");
  expect(objection("shell/protocol/slots.ts", "../../slide/types")).toContain("shell may not");
  expect(objection("display/view.ts", "../shell/live")).toContain("display may not");
  const text = 'import "./a.css";\nexport type { B } from "../b";\nawait import("./c");';
  expect(importsOf(text)).toEqual(["./a.css", "../b", "./c"]);
});

it("every import points downwards", () => {
  const files = Object.entries(sources).filter(([path]) => path !== "./layers.test.ts");
  expect(files.length).toBeGreaterThan(100);
  expect(
    files.flatMap(([path, text]) =>
      importsOf(text).flatMap((to) => objection(path.slice(2), to) ?? []),
    ),
  ).toEqual([]);
});
