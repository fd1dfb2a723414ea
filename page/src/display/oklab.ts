// OKLab to sRGB, as src/figure/colour.cpp does it. https://bottosson.github.io/posts/oklab
// SPDX-License-Identifier: Apache-2.0

export type Triple = [number, number, number];

const cube = (v: number): number => v * v * v;

function linearOf([lightness, a, b]: Triple): Triple {
  const l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const s = cube(lightness - 0.0894841775 * a - 1.291485548 * b);
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
  ];
}

const displayable = (c: Triple): boolean => c.every((v) => v >= -1e-4 && v <= 1 + 1e-4);

function encoded(linear: number): number {
  const v = Math.min(Math.max(linear, 0), 1);
  return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * Math.pow(v, 1 / 2.4) - 0.055));
}

/** OKLab of a lightness (0 to 1), a chroma and a hue in degrees. */
export function labOf(lightness: number, chroma: number, hue: number): Triple {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

/** sRGB (0 to 255); a colour outside of the screen's keeps lightness and hue, and loses chroma. */
export function rgbOf(lab: Triple): Triple {
  const faded = (f: number): Triple => linearOf([lab[0], f * lab[1], f * lab[2]]);
  let inside = 1;
  let outside = 1;
  if (!displayable(faded(1))) {
    inside = 0;
    for (let step = 0; step < 20; ++step) {
      const middle = (inside + outside) / 2;
      if (displayable(faded(middle))) inside = middle;
      else outside = middle;
    }
  }
  const c = faded(inside);
  return [encoded(c[0]), encoded(c[1]), encoded(c[2])];
}
