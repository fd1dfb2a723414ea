// Paints tiles with WebGL2: raw values as textures, the window and colour in the shader.
// SPDX-License-Identifier: Apache-2.0
import { type Look, rgbOf } from "./looks";
import type { Drawing, Frame, Painter } from "./painter";
import type { Tile } from "./types";

const VERTEX = `#version 300 es
uniform vec4 to;
uniform vec4 from;
out vec2 place;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  place = mix(from.xy, from.zw, corner);
  vec2 at = mix(to.xy, to.zw, corner);
  gl_Position = vec4(at.x, at.y, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform highp sampler2D values;
uniform vec2 window;
uniform float gamma;
uniform vec3 tint;
uniform bool colour;
in vec2 place;
out vec4 result;
void main() {
  vec4 raw = texture(values, place);
  vec3 v = colour ? raw.rgb : raw.rrr;
  vec3 bright = clamp((v - window.x) / (window.y - window.x), 0.0, 1.0);
  if (gamma != 1.0) bright = pow(bright, vec3(1.0 / gamma));
  result = vec4(bright * tint, 1.0);
}`;

type Uniform = "to" | "from" | "window" | "gamma" | "tint" | "colour" | "values";
type Uniforms = Record<Uniform, WebGLUniformLocation | null>;

const BUDGET = 8;
const MOST_BYTES = 512 << 20;

/** How a tile's values become a texture. */
interface Layout {
  internal: number;
  format: number;
  type: number;
  values: Uint8Array | Float32Array;
  /** What a texture's 1.0 stands for. */
  full: number;
}

function layoutOf(gl: WebGL2RenderingContext, { values, samples }: Tile): Layout {
  const format = samples === 1 ? gl.RED : samples === 3 ? gl.RGB : gl.RGBA;
  const at = samples === 1 ? 0 : samples === 3 ? 1 : 2;
  if (values instanceof Uint8Array)
    return {
      internal: [gl.R8, gl.RGB8, gl.RGBA8][at]!,
      format,
      type: gl.UNSIGNED_BYTE,
      values,
      full: 255,
    };
  const floats = values instanceof Float32Array ? values : Float32Array.from(values);
  const internal = [gl.R32F, gl.RGB32F, gl.RGBA32F][at]!;
  return { internal, format, type: gl.FLOAT, values: floats, full: 1 };
}

interface Held {
  texture: WebGLTexture;
  bytes: number;
  full: number;
  smooth: boolean;
}

class PainterGl implements Painter {
  readonly kind = "webgl2";
  readonly #gl: WebGL2RenderingContext;
  readonly #uniforms: Uniforms;
  /** The least recently drawn first. */
  readonly #held = new Map<Tile, Held>();
  readonly #smoothFloats: boolean;
  #bytes = 0;
  /** Whether this frame made a texture. */
  #made = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    gl: WebGL2RenderingContext,
  ) {
    this.#gl = gl;
    const program = programOf(gl);
    const location = (name: string): WebGLUniformLocation | null =>
      gl.getUniformLocation(program, name);
    this.#uniforms = {
      to: location("to"),
      from: location("from"),
      window: location("window"),
      gamma: location("gamma"),
      tint: location("tint"),
      colour: location("colour"),
      values: location("values"),
    };
    this.#smoothFloats = gl.getExtension("OES_texture_float_linear") !== null;
    gl.useProgram(program);
    gl.bindVertexArray(gl.createVertexArray());
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.uniform1i(this.#uniforms.values, 0);
    gl.blendFunc(gl.ONE, gl.ONE);
  }

  paint({ ground, color, drawings, sharp }: Frame): boolean {
    const gl = this.#gl;
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    const [left, right] = [Math.max(ground.left, 0), Math.min(ground.right, width)];
    const [top, bottom] = [Math.max(ground.top, 0), Math.min(ground.bottom, height)];
    gl.scissor(left, height - bottom, Math.max(right - left, 0), Math.max(bottom - top, 0));
    gl.clearColor(...rgbOf(color), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const end = performance.now() + BUDGET;
    let complete = true;
    this.#made = false;
    for (const drawing of drawings) {
      // One at least in every frame: on a slow machine the others may take all the time.
      const held = this.#texture(drawing.tile, !this.#made || performance.now() < end);
      if (held) this.#draw(drawing, held, sharp);
      else complete = false;
    }
    this.#forget();
    return complete;
  }

  dispose(): void {
    for (const { texture } of this.#held.values()) this.#gl.deleteTexture(texture);
    this.#held.clear();
    this.#bytes = 0;
  }

  #draw({ tile, from, to, look }: Drawing, held: Held, sharp: boolean): void {
    const gl = this.#gl;
    const u = this.#uniforms;
    const { width, height } = this.canvas;
    const x = (v: number): number => (2 * v) / width - 1;
    const y = (v: number): number => 1 - (2 * v) / height;
    gl.bindTexture(gl.TEXTURE_2D, held.texture);
    this.#filter(tile, held, !sharp);
    gl.uniform4f(u.to, x(to.left), y(to.top), x(to.right), y(to.bottom));
    gl.uniform4f(
      u.from,
      from.left / tile.cols,
      from.top / tile.rows,
      from.right / tile.cols,
      from.bottom / tile.rows,
    );
    this.#look(look, held.full);
    gl.uniform1i(u.colour, tile.samples > 1 ? 1 : 0);
    if (tile.samples > 1) gl.disable(gl.BLEND);
    else gl.enable(gl.BLEND);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  #look({ low, high, gamma, color }: Look, full: number): void {
    const gl = this.#gl;
    gl.uniform2f(this.#uniforms.window, low / full, high / full);
    gl.uniform1f(this.#uniforms.gamma, gamma);
    gl.uniform3f(this.#uniforms.tint, ...rgbOf(color));
  }

  /** Smooth where pixels are made smaller, squares where they are enlarged. */
  #filter(tile: Tile, held: Held, smooth: boolean): void {
    const can = smooth && (tile.values instanceof Uint8Array || this.#smoothFloats);
    if (held.smooth === can) return;
    held.smooth = can;
    this.#set(can ? this.#gl.LINEAR : this.#gl.NEAREST);
  }

  #set(filter: number): void {
    const gl = this.#gl;
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
  }

  /** A tile's texture; undefined where there is no time to make it in this frame. */
  #texture(tile: Tile, inTime: boolean): Held | undefined {
    const known = this.#held.get(tile);
    if (known) {
      this.#held.delete(tile);
      this.#held.set(tile, known);
      return known;
    }
    if (!inTime) return undefined;
    this.#made = true;
    const gl = this.#gl;
    const texture = gl.createTexture();
    const { internal, format, type, values, full } = layoutOf(gl, tile);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, internal, tile.cols, tile.rows);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, tile.cols, tile.rows, format, type, values);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    this.#set(gl.NEAREST);
    const held = { texture, bytes: values.byteLength, full, smooth: false };
    this.#held.set(tile, held);
    this.#bytes += held.bytes;
    return held;
  }

  #forget(): void {
    for (const [tile, { texture, bytes }] of this.#held) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#gl.deleteTexture(texture);
      this.#held.delete(tile);
      this.#bytes -= bytes;
    }
  }
}

function programOf(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error("no shader");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error("the shader does not link");
  return program;
}

function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(name));
}

/** A WebGL2 painter, or null where there is none or, unless `even` so, only one in software. */
export function glPainter(lost: () => void, even: boolean): Painter | null {
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, alpha: true });
  if (!gl || (!even && isSoftware(gl))) return null;
  try {
    const painter = new PainterGl(canvas, gl);
    canvas.addEventListener("webglcontextlost", lost, { once: true });
    return painter;
  } catch {
    return null; // a driver that cannot compile the shader is as good as none
  }
}
