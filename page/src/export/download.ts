// Hands bytes to the user as a file.
// SPDX-License-Identifier: Apache-2.0
import type { Bytes } from "./outcome";
import { safeName } from "./zip";

/** Media types by the end of the name. */
const types: Readonly<Record<string, string>> = {
  png: "image/png",
  tiff: "image/tiff",
  csv: "text/csv;charset=utf-8",
  json: "application/json",
  html: "text/html;charset=utf-8",
  zip: "application/zip",
};

/** Saves a file where the browser saves downloads; the name is made safe. */
export function download(name: string, content: Bytes | string): void {
  const safe = safeName(name);
  const type = types[safe.slice(safe.lastIndexOf(".") + 1).toLowerCase()];
  const url = URL.createObjectURL(
    new Blob([content], { type: type ?? "application/octet-stream" }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = safe;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser may still be reading: Safari starts a download after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
