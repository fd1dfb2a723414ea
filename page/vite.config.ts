// How the pages are built: files with stable names, which CMake embeds in the binary.
// SPDX-License-Identifier: Apache-2.0
import { readdirSync } from "node:fs";
import { cwd } from "node:process";
import { defineConfig } from "vitest/config";

/** Every HTML file here is a page; its script has its name, that of index.html is `page`. */
const pages = readdirSync(cwd()).flatMap((file) => {
  const name = /^(.*)\.html$/.exec(file)?.[1];
  return name ? [[name === "index" ? "page" : name, file] as const] : [];
});

export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    target: "es2022",
    // Links to what a script imports, so that it is fetched with the script and not after it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 65536,
    cssCodeSplit: false,
    rollupOptions: {
      input: Object.fromEntries(pages),
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "shared.js",
        assetFileNames: "page.[ext]",
      },
    },
  },
  // The limit only ends what hangs: a busy machine may need ten times as long as a free one.
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"], testTimeout: 60_000 },
});
