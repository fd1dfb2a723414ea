// Builds each page for notebooks: one ECMAScript module that anywidget loads, with all in it.
// SPDX-License-Identifier: Apache-2.0
//
//   node notebook.mjs FOLDER
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit, stderr } from "node:process";
import { build } from "vite";

const DOMAINS = ["stem4d", "slide", "proton", "ptychography"];
const common = {
  configFile: false,
  logLevel: "warn",
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
};

/** The script and the style of an entry, each in one piece. */
async function bundle(entry, format, plugins = []) {
  const [{ output }] = [
    await build({
      ...common,
      plugins,
      define: { "process.env.NODE_ENV": '"production"' },
      build: {
        write: false,
        target: "es2022",
        modulePreload: false,
        cssCodeSplit: false,
        assetsInlineLimit: 65536,
        lib: { entry, formats: [format], name: "sluice", fileName: "page" },
      },
    }),
  ].flat();
  const text = (end) =>
    output
      .filter(({ fileName }) => fileName.endsWith(end))
      .map(({ code, source }) => code ?? String(source))
      .join("\n");
  return { script: text("js"), style: text(".css") };
}

async function htmlOf(domain) {
  const { script, style } = await bundle(`src/${domain}/main.tsx`, "iife");
  // What would end the element early is written otherwise.
  const safe = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sluice</title>` +
    `<style>${style}</style></head><body><div id="app"></div><script>${safe}</script></body></html>`
  );
}

async function moduleOf(domain) {
  const html = await htmlOf(domain);
  const page = {
    name: "page",
    resolveId: (id) => (id === "virtual:page" ? "\0page" : null),
    load: (id) => (id === "\0page" ? `export default ${JSON.stringify(html)}` : null),
  };
  const { script } = await bundle("src/notebook/host.ts", "es", [page]);
  return script;
}

const [, , folder] = argv;
if (!folder) {
  stderr.write("usage: node notebook.mjs FOLDER\n");
  exit(2);
}
mkdirSync(folder, { recursive: true });
for (const domain of DOMAINS) writeFileSync(join(folder, `${domain}.js`), await moduleOf(domain));
