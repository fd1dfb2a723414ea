// How the page is built: two files with stable names, which CMake embeds in the binary.
// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 65536,
    cssCodeSplit: false,
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: "page.js",
        assetFileNames: "page.[ext]",
      },
    },
  },
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"] },
});
