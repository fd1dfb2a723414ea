// The shader program: values to colours on the graphics processor, as toRgba does.
// SPDX-License-Identifier: Apache-2.0

const vertex = `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

const fragment = `#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D values;
uniform sampler2D colours;
uniform vec4 place;    // x, y, width, height of the picture on the target
uniform float height;  // of the target
uniform vec2 limits;   // on the scale
uniform int scale;     // 0 linear, 1 log, 2 power
uniform float power;
uniform float knee;    // of the log scale
uniform bool invert;
uniform bool smoothed;
uniform bool field;
uniform vec3 noData;
out vec4 colour;

// log(1 + x) loses all digits of a small x.
float log1p(float x) {
  return x < 1e-3 ? x * (1.0 - x * (0.5 - x / 3.0)) : log(1.0 + x);
}
float scaled(float x) {
  float size = abs(x);
  if (scale == 1) return sign(x) * log1p(size / knee);
  if (scale == 2) return size == 0.0 ? 0.0 : sign(x) * pow(size, power);
  return x;
}
vec2 at(ivec2 p) {
  return texelFetch(values, clamp(p, ivec2(0), textureSize(values, 0) - 1), 0).rg;
}
vec2 between(vec2 p) {
  vec2 low = floor(p);
  vec2 t = p - low;
  ivec2 i = ivec2(low);
  vec2 a = at(i), b = at(i + ivec2(1, 0)), c = at(i + ivec2(0, 1)), d = at(i + 1);
  return mix(mix(a, b, t.x), mix(c, d, t.x), t.y);
}
bool bad(float x) {
  return !(x <= 0.0 || x >= 0.0);
}
void main() {
  vec2 pixel = vec2(gl_FragCoord.x, height - gl_FragCoord.y);
  vec2 p = (pixel - place.xy) / place.zw * vec2(textureSize(values, 0));
  if (any(lessThan(p, vec2(0.0))) || any(greaterThanEqual(p, vec2(textureSize(values, 0)))))
    discard;
  vec2 v = smoothed ? between(p - 0.5) : at(ivec2(floor(p)));
  float size = field ? length(v) : v.x;
  if (bad(size) || (field && size > 3e38)) {
    colour = vec4(noData, 1.0);
    return;
  }
  float t = (scaled(size) - limits.x) / max(limits.y - limits.x, 1e-37);
  t = clamp(t, 0.0, 1.0);
  if (invert) t = 1.0 - t;
  ivec2 table = textureSize(colours, 0);
  int column = int(t * 255.0 + 0.5);
  int row = 0;
  if (field) {
    // The arc tangent of -0 is not the same on all drivers.
    float turn = v.y == 0.0 ? (v.x < 0.0 ? 0.5 : 0.0) : atan(-v.y, v.x) / 6.283185307179586;
    column = (int(floor(turn * float(table.x) + 0.5)) + table.x) % table.x;
    row = int(t * float(table.y - 1) + 0.5);
  }
  colour = texelFetch(colours, ivec2(column, row), 0);
}`;

type Name =
  | "values"
  | "colours"
  | "place"
  | "height"
  | "limits"
  | "scale"
  | "power"
  | "knee"
  | "invert"
  | "smoothed"
  | "field"
  | "noData";
export type Uniforms = Record<Name, WebGLUniformLocation | null>;

function compiled(gl: WebGL2RenderingContext, type: number, source: string): WebGLShader {
  const shader = gl.createShader(type);
  if (!shader) throw new Error("no shader");
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
    throw new Error(gl.getShaderInfoLog(shader) ?? "the shader does not compile");
  return shader;
}

/** Compiles and links; throws what the driver says. */
export function programOf(gl: WebGL2RenderingContext): {
  program: WebGLProgram;
  uniforms: Uniforms;
} {
  const program = gl.createProgram();
  gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, vertex));
  gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER, fragment));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    throw new Error(gl.getProgramInfoLog(program) ?? "the shader does not link");
  const find = (name: Name): WebGLUniformLocation | null =>
    gl.getUniformLocation(program, name);
  const uniforms: Uniforms = {
    values: find("values"),
    colours: find("colours"),
    place: find("place"),
    height: find("height"),
    limits: find("limits"),
    scale: find("scale"),
    power: find("power"),
    knee: find("knee"),
    invert: find("invert"),
    smoothed: find("smoothed"),
    field: find("field"),
    noData: find("noData"),
  };
  return { program, uniforms };
}
