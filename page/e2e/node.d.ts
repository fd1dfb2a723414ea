// The few words of Node.js that the tests use; its whole type library is not needed for them.
// SPDX-License-Identifier: Apache-2.0

declare module "node:process" {
  export const env: Record<string, string | undefined>;
  export const stdout: { write(text: string): void };
  export function cwd(): string;
  export function uptime(): number;
}

declare module "node:buffer" {
  export const Buffer: {
    alloc(size: number): Uint8Array;
    from(content: string | Uint8Array): Uint8Array;
  };
}

declare module "node:child_process" {
  interface Output {
    setEncoding(encoding: "utf8"): void;
    on(event: "data", call: (text: string) => void): void;
  }
  export interface ChildProcess {
    readonly stdin: { write(text: string): void };
    readonly stdout: Output;
    readonly stderr: Output;
    readonly exitCode: number | null;
    readonly signalCode: string | null;
    kill(signal?: "SIGINT" | "SIGTERM" | "SIGKILL"): boolean;
    once(event: "exit" | "close", call: (code: number | null) => void): void;
    once(event: "error", call: (error: Error) => void): void;
  }
  export function spawn(program: string, words: readonly string[]): ChildProcess;
  export function execFileSync(
    program: string,
    words: readonly string[],
    options: { encoding: "utf8"; stdio: readonly ["ignore", "pipe", "pipe"] },
  ): string;
}

declare module "node:fs" {
  export function existsSync(path: string): boolean;
  export function linkSync(from: string, to: string): void;
  export function mkdirSync(path: string, options: { recursive: true }): void;
  export function mkdtempSync(prefix: string): string;
  export function readdirSync(path: string): string[];
  export function readFileSync(path: string): Uint8Array<ArrayBuffer>;
  export function readFileSync(path: string, encoding: "utf8" | "base64"): string;
  export function renameSync(from: string, to: string): void;
  export function rmSync(path: string, options: { recursive: true; force: true }): void;
  export function writeFileSync(path: string, content: string | Uint8Array): void;
}

declare module "node:os" {
  export function tmpdir(): string;
}

declare module "node:path" {
  export function join(...parts: string[]): string;
}

declare module "node:url" {
  export function fileURLToPath(url: URL | string): string;
  export function pathToFileURL(path: string): URL;
}

declare module "node:http" {
  interface Answer {
    setHeader(name: string, value: string): void;
    end(content: string): void;
  }
  export interface Server {
    listen(port: number, host: string, ready: () => void): void;
    address(): { port: number } | string | null;
    close(): void;
    closeAllConnections(): void;
  }
  export function createServer(handle: (request: unknown, answer: Answer) => void): Server;
}
