// A detector in a few lines: DECTRIS' Stream V2 over ZeroMQ, which notes when each image is sent.
// SPDX-License-Identifier: Apache-2.0
import { createServer } from "node:net";

const clock = () => performance.timeOrigin + performance.now();

// CBOR (RFC 8949), as far as it is needed.
function head(major, n) {
  if (n < 24) return Buffer.from([(major << 5) | n]);
  if (n < 256) return Buffer.from([(major << 5) | 24, n]);
  const out = Buffer.alloc(5);
  out[0] = (major << 5) | 26;
  out.writeUInt32BE(n, 1);
  return out;
}
const text = (s) => Buffer.concat([head(3, Buffer.byteLength(s)), Buffer.from(s)]);
const list = (...all) => Buffer.concat([head(4, all.length), ...all]);
const map = (pairs) =>
  Buffer.concat([head(5, pairs.length), ...pairs.flatMap(([key, value]) => [text(key), value])]);
const natural = (n) => head(0, n);
/** Rows x columns of bytes: tags 40 and 64 of RFC 8746. */
const plane = (rows, cols, bytes) =>
  Buffer.concat([head(6, 40), list(list(natural(rows), natural(cols)), Buffer.concat([head(6, 64), head(2, bytes.length), bytes]))]);

// ZMTP 3.0: greeting, READY, and frames.
const GREETING = Buffer.concat([
  Buffer.from([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0]),
  Buffer.from("NULL".padEnd(20, "\0")),
  Buffer.alloc(32),
]);
function ready() {
  const body = Buffer.concat([Buffer.from("\x05READY\x0bSocket-Type"), Buffer.from([0, 0, 0, 4]), Buffer.from("PUSH")]);
  return Buffer.concat([Buffer.from([4, body.length]), body]);
}
function framed(body) {
  const top = Buffer.alloc(9);
  top[0] = 2;
  top.writeBigUInt64BE(BigInt(body.length), 1);
  return Buffer.concat([top, body]);
}

/** Waits for a receiver at a port; then sends series. */
export class Detector {
  #socket;
  #of;
  #frames;

  /** `scan` [rows, columns] of `size` x `size` bytes. */
  static async listen(port, scan, size) {
    const server = createServer({ noDelay: true });
    const came = new Promise((resolve) => server.once("connection", resolve));
    await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
    return { server, connected: came.then((socket) => new Detector(socket, scan, size).#greet()) };
  }

  constructor(socket, scan, size) {
    this.#socket = socket;
    this.#of = { scan, size };
    // A disk that is brighter from image to image, over and over.
    this.#frames = Array.from({ length: 16 }, (_, k) =>
      Buffer.from(Uint8Array.from({ length: size * size }, (_, i) => {
        const [row, col] = [Math.floor(i / size) - size / 2, (i % size) - size / 2];
        return Math.hypot(row, col) < size / 8 ? 20 + k : (i * 7 + k) % 11 === 0 ? 1 : 0;
      })),
    );
  }

  async #greet() {
    const heard = () => new Promise((resolve) => this.#socket.once("data", resolve));
    this.#socket.write(GREETING);
    await heard();
    this.#socket.write(ready());
    await new Promise((resolve) => setTimeout(resolve, 300));
    this.#socket.resume();
    return this;
  }

  #put(type, id, ...more) {
    const whose = [["type", text(type)], ["series_id", natural(id)], ["series_unique_id", text(`s${id}`)]];
    this.#socket.write(framed(map([...whose, ...more])));
  }

  /** Sends a series by the clock; when each image was sent, in ms of the epoch. */
  async series(id, rate) {
    const { scan, size } = this.#of;
    const images = scan[0] * scan[1];
    this.#put("start", id,
      ["number_of_images", natural(images)], ["image_size_x", natural(size)], ["image_size_y", natural(size)],
      ["image_dtype", text("uint8")], ["channels", list(text("threshold_1"))],
      ["user_data", map([["scan", list(natural(scan[0]), natural(scan[1]))]])]);
    const sent = new Float64Array(images);
    const begin = clock();
    for (let i = 0; i < images; ) {
      const due = Math.min(images, Math.floor(((clock() - begin) / 1000) * rate) + 1);
      for (; i < due; ++i) {
        sent[i] = clock();
        const data = map([["threshold_1", plane(size, size, this.#frames[i % 16])]]);
        this.#put("image", id, ["image_id", natural(i)], ["data", data]);
      }
      await new Promise((resolve) => (rate > 500 ? setImmediate(resolve) : setTimeout(resolve, 1)));
    }
    this.#put("end", id);
    return sent;
  }
}
