// Screenshots made small: colours rounded so little that one does not see it, then compressed well.
// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

/** RGB rows of a PNG, rounded, as a browser's page decodes it. */
async function decoded(page, png) {
  const answer = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let text = "";
    for (let i = 0; i < data.length; i += 4)
      for (let k = 0; k < 3; ++k)
        text += String.fromCharCode(Math.min(255, Math.round(data[i + k] / 4) * 4));
    return { width, height, rgb: btoa(text) };
  }, png.toString("base64"));
  return { ...answer, rgb: Buffer.from(answer.rgb, "base64") };
}

function chunk(name, bytes) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), bytes]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(bytes.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The PNG with fewer colours and better compressed. */
export async function small(context, png) {
  const page = await context.newPage();
  const { width, height, rgb } = await decoded(page, png);
  await page.close();
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const lines = Array.from({ length: height }, (_, row) => [
    Buffer.from([0]), // Blocks of equal pixels are shorter without a filter.
    rgb.subarray(3 * width * row, 3 * width * (row + 1)),
  ]);
  const data = deflateSync(Buffer.concat(lines.flat()), { level: 9 });
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
