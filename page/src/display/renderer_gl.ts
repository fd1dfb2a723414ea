// Paints with WebGL2: one context for all panels, its picture copied into each panel's canvas.
// SPDX-License-Identifier: Apache-2.0
import type { DisplaySettings } from "../types";
import { mapName, mapTable, NO_DATA, WHEEL, wheelTable } from "./colormaps";
import { isField, type Limits, type Picture } from "./limits";
import type { Painter, Place } from "./renderer";
import { Painter2d } from "./renderer_2d";
import { programOf, type Uniforms } from "./shader";
import { exponentOf, scaled } from "./tone";

interface Held {
  texture: WebGLTexture;
  rows: number;
  cols: number;
  field: boolean;
  picture: Picture | null;
}

const scales = { linear: 0, log: 1, power: 2 } as const;

/** Whether float32 would round away what the limits show. */
export function needsDouble(picture: Picture, limits: Limits): boolean {
  if (isField(picture) || picture.values instanceof Float32Array) return false;
  const most = Math.max(Math.abs(limits.low), Math.abs(limits.high));
  return most > 2 ** 24 && limits.high - limits.low < most / 64;
}

class PainterGl implements Painter {
  readonly kind = "webgl2";
  readonly #gl: WebGL2RenderingContext;
  readonly #uniforms: Uniforms;
  readonly #held = new Map<CanvasRenderingContext2D, Held>();
  readonly #maps = new Map<string, WebGLTexture>();
  readonly #exact = new Painter2d();
  readonly #limit: number;
  #scratch = new Float32Array(0);

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    const { program, uniforms } = programOf(gl);
    this.#uniforms = uniforms;
    this.#limit = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    gl.useProgram(program);
    gl.bindVertexArray(gl.createVertexArray());
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.uniform1i(uniforms.values, 0);
    gl.uniform1i(uniforms.colours, 1);
    const [r, g, b] = NO_DATA;
    gl.uniform3f(uniforms.noData, r / 255, g / 255, b / 255);
  }

  paint(
    target: CanvasRenderingContext2D,
    picture: Picture,
    settings: DisplaySettings,
    limits: Limits,
    place: Place,
  ): void {
    const tooLarge = Math.max(picture.rows, picture.cols) > this.#limit;
    if (tooLarge || needsDouble(picture, limits)) {
      this.#exact.paint(target, picture, settings, limits, place);
      return;
    }
    this.#upload(target, picture);
    this.#colours(isField(picture) ? "" : mapName(settings.map));
    // Only smooth enlargements need the shader at every screen pixel; the canvas scales the rest.
    if (settings.smooth && place.width > picture.cols) {
      const { width, height } = target.canvas;
      this.#draw(picture, settings, limits, place, width, height);
      target.drawImage(this.#gl.canvas, 0, 0, width, height, 0, 0, width, height);
      return;
    }
    const { rows, cols } = picture;
    this.#draw(picture, settings, limits, { x: 0, y: 0, width: cols, height: rows }, cols, rows);
    target.imageSmoothingEnabled = place.width < cols;
    target.imageSmoothingQuality = "medium";
    const { x, y, width, height } = place;
    target.drawImage(this.#gl.canvas, 0, 0, cols, rows, x, y, width, height);
  }

  release(target: CanvasRenderingContext2D): void {
    const held = this.#held.get(target);
    if (held) this.#gl.deleteTexture(held.texture);
    this.#held.delete(target);
    this.#exact.release(target);
  }

  /** Draws into the upper left corner of the shared canvas. */
  #draw(
    picture: Picture,
    settings: DisplaySettings,
    limits: Limits,
    place: Place,
    width: number,
    height: number,
  ): void {
    const gl = this.#gl;
    const canvas = gl.canvas;
    // It only grows: a resize throws the buffers away.
    if (canvas.width < width) canvas.width = width;
    if (canvas.height < height) canvas.height = height;
    const u = this.#uniforms;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, canvas.height - height, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform4f(u.place, place.x, place.y, place.width, place.height);
    gl.uniform1f(u.height, canvas.height);
    const { low, high, knee } = limits;
    gl.uniform2f(u.limits, scaled(low, settings, knee), scaled(high, settings, knee));
    gl.uniform1f(u.knee, knee ?? 1);
    gl.uniform1i(u.scale, scales[settings.scale]);
    gl.uniform1f(u.power, exponentOf(settings));
    gl.uniform1i(u.invert, settings.invert ? 1 : 0);
    gl.uniform1i(u.smoothed, settings.smooth && place.width > picture.cols ? 1 : 0);
    gl.uniform1i(u.field, isField(picture) ? 1 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /** Binds the target's texture and fills it if its picture is not this one. */
  #upload(target: CanvasRenderingContext2D, picture: Picture): void {
    const gl = this.#gl;
    const field = isField(picture);
    const { rows, cols } = picture;
    let held = this.#held.get(target);
    gl.activeTexture(gl.TEXTURE0);
    if (!held || held.rows !== rows || held.cols !== cols || held.field !== field) {
      if (held) gl.deleteTexture(held.texture);
      held = { texture: gl.createTexture(), rows, cols, field, picture: null };
      this.#held.set(target, held);
      gl.bindTexture(gl.TEXTURE_2D, held.texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, field ? gl.RG32F : gl.R32F, cols, rows);
      nearest(gl);
    }
    gl.bindTexture(gl.TEXTURE_2D, held.texture);
    if (held.picture === picture) return;
    const format = field ? gl.RG : gl.RED;
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, cols, rows, format, gl.FLOAT, this.#floats(picture));
    held.picture = picture;
  }

  /** Values as the texture takes them: float32, the components of a vector side by side. */
  #floats(picture: Picture): Float32Array {
    const size = picture.rows * picture.cols;
    if (!isField(picture)) {
      if (picture.values instanceof Float32Array && picture.values.length >= size)
        return picture.values;
      if (this.#scratch.length < size) this.#scratch = new Float32Array(size);
      this.#scratch.fill(NaN, 0, size);
      this.#scratch.set(picture.values.subarray(0, size));
      return this.#scratch;
    }
    if (this.#scratch.length < 2 * size) this.#scratch = new Float32Array(2 * size);
    for (let i = 0; i < size; ++i) {
      this.#scratch[2 * i] = picture.right[i] ?? NaN;
      this.#scratch[2 * i + 1] = picture.down[i] ?? NaN;
    }
    return this.#scratch;
  }

  /** Binds the table of a map, or of the colour wheel for "". */
  #colours(name: string): void {
    const gl = this.#gl;
    gl.activeTexture(gl.TEXTURE1);
    const known = this.#maps.get(name);
    gl.bindTexture(gl.TEXTURE_2D, known ?? gl.createTexture());
    if (known) return;
    const bytes = new Uint8Array((name === "" ? wheelTable() : mapTable(name)).buffer);
    const [cols, rows] = name === "" ? [WHEEL.hues, WHEEL.steps] : [256, 1];
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, cols, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    nearest(gl);
    const texture: unknown = gl.getParameter(gl.TEXTURE_BINDING_2D);
    if (texture instanceof WebGLTexture) this.#maps.set(name, texture);
  }
}

function nearest(gl: WebGL2RenderingContext): void {
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
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
  canvas.addEventListener("webglcontextlost", lost, { once: true });
  try {
    return new PainterGl(gl);
  } catch {
    return null; // a driver that cannot compile the shader is as good as none
  }
}
