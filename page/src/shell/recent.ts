// Values that may be needed again, by name: the newest ones, up to a size.
// SPDX-License-Identifier: Apache-2.0

/** What was used least recently goes first; the last one stays, whatever its size. */
export class Recent<T> {
  private readonly kept = new Map<string, T>();
  private total = 0;

  constructor(
    private readonly most: number,
    private readonly sizeOf: (value: T) => number,
    /** Whether something may go now. */
    private readonly mayGo: (name: string) => boolean = () => true,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  has(name: string): boolean {
    return this.kept.has(name);
  }

  /** What is there; it counts as used. */
  get(name: string): T | undefined {
    const found = this.kept.get(name);
    if (found !== undefined) {
      this.kept.delete(name);
      this.kept.set(name, found);
    }
    return found;
  }

  /** What is there, as if nobody had looked. */
  peek(name: string): T | undefined {
    return this.kept.get(name);
  }

  put(name: string, value: T): void {
    this.delete(name);
    this.kept.set(name, value);
    this.total += this.sizeOf(value);
    this.trim();
  }

  delete(name: string): void {
    const old = this.kept.get(name);
    if (old === undefined) return;
    this.total -= this.sizeOf(old);
    this.kept.delete(name);
  }

  clear(): void {
    this.kept.clear();
    this.total = 0;
  }

  entries(): IterableIterator<[name: string, value: T]> {
    return this.kept.entries();
  }

  /** Lets go of what is too much. */
  trim(): void {
    for (const name of this.kept.keys()) {
      if (this.total <= this.most || this.kept.size === 1) return;
      if (this.mayGo(name)) this.delete(name);
    }
  }
}
