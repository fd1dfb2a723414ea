// What the user set, as a file that opens exactly so again.
// SPDX-License-Identifier: Apache-2.0
import { fail } from "../../export/outcome";
import type { Outcome } from "../../export/outcome";
import { fieldsOf, wrong, Wrong } from "./check";
import { schema, sections } from "./session_schema";
import type { Session } from "./session_schema";

export type { DatasetName, Panel, Session, SessionView } from "./session_schema";

/** The file; `created` in ISO 8601. `shows`: what the panels answered then, for the reader. */
export function sessionText(
  session: Session,
  version: string,
  created: string,
  shows: Readonly<Record<string, unknown>> = {},
): string {
  return `${JSON.stringify({ schema, version, created, ...session, shows }, null, 1)}\n`;
}

/** Refers to datasets and detectors that are not in it: left as if none were chosen. */
function consistent(session: Session): Session {
  const { datasets, dataset, detectors, selected, compare } = session;
  const there = (i: number): boolean => i < datasets.length;
  return {
    ...session,
    dataset: dataset !== null && there(dataset) ? dataset : null,
    selected: detectors.some((d) => d.key === selected) ? selected : null,
    compare: { ...compare, datasets: compare.datasets.filter(there) },
  };
}

/** Reads a session that is JSON already; a section that it lacks stays as in `current`. */
export function readSession(value: unknown, current: Session): Outcome<Session> {
  try {
    const from = fieldsOf(value, "");
    const found = from.get("schema");
    if (found !== schema) return fail(schemaMessage(found));
    const kept = { ...current };
    const take = <K extends keyof Session>(name: K): void => {
      if (from.has(name)) assign(kept, name, sections[name](from.get(name), name));
    };
    for (const name of sectionNames) take(name);
    const keys = kept.detectors.map((d) => d.key);
    const twice = keys.findIndex((k, i) => keys.indexOf(k) !== i);
    if (twice >= 0) wrong(`detectors[${twice}].key`, "of one detector only", keys[twice]);
    return { ok: true, value: consistent(kept) };
  } catch (error) {
    if (error instanceof Wrong) return fail(`${error.message}.`);
    throw error;
  }
}

function assign<T extends object, K extends keyof T>(to: T, name: K, value: T[K]): void {
  to[name] = value;
}

const isSection = (name: string): name is keyof Session => Object.hasOwn(sections, name);
const sectionNames = Object.keys(sections).filter(isSection);

function schemaMessage(found: unknown): string {
  const version = typeof found === "string" ? /^sluice-session\/(\d{1,9})$/.exec(found)?.[1] : null;
  if (version)
    return `This session is of version ${version}, this Sluice reads version 1: use a newer one.`;
  return `This is no Sluice session: its "schema" is not "${schema}".`;
}

const largest = 64 << 20;

/** Reads a session file; a section that it lacks stays as in `current`. */
export function parseSession(content: string, current: Session): Outcome<Session> {
  if (content.length > largest) return fail("This file is too large for a session (over 64 MiB).");
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return fail("This is no Sluice session: the file is not JSON.");
  }
  return readSession(value, current);
}
