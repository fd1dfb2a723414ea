// What a panel is asked, and what stands in it: the answer to exactly that, or why there is none.
// SPDX-License-Identifier: Apache-2.0
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";

/** What is wanted. Equal keys have equal answers. */
export interface Wish<R> {
  readonly key: string;
  /** Of what: answers of one subject may trail behind a drag, those of another never. */
  readonly subject: string;
  readonly request: R;
}

/** How much of a scan that is being measured an answer is of (protocol/messages.ts). */
export interface Part {
  readonly points: number;
  readonly of: number;
  readonly final: boolean;
}

/** An answer, which carries what it answers. */
export interface Bound<R> extends Wish<R> {
  /** 1: of all scan points; k: of every k-th. */
  readonly step: number;
  /** Null: the scan is complete. */
  readonly live?: Part | null;
  /** performance.now() of the event that asked for it. */
  readonly since: number;
}

export type Standing<A> =
  /** To what is asked now. `trouble`: why no sharper one came; "" where none is missed. */
  | { readonly kind: "answered"; readonly answer: A; readonly trouble: string }
  /** To what was asked a moment ago in the same drag; the newer one is on its way. */
  | { readonly kind: "trailing"; readonly answer: A }
  | { readonly kind: "waiting" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "nothing" };

export interface Failed {
  readonly key: string;
  readonly why: string;
}

/** What stands for a wish. Only this decides whether an answer may be shown. */
export function standingOf<R, A extends Bound<R>>(
  wish: Wish<R> | null,
  newest: A | null,
  failure: Failed | null,
): Standing<A> {
  if (!wish) return { kind: "nothing" };
  const why = failure?.key === wish.key ? failure.why : "";
  if (newest?.key === wish.key) return { kind: "answered", answer: newest, trouble: why };
  if (why !== "") return { kind: "failed", why };
  if (newest?.subject === wish.subject) return { kind: "trailing", answer: newest };
  return { kind: "waiting" };
}

/** The answer that is on the screen, also one that trails; null: none is. */
export function visible<A>(standing: Standing<A>): A | null {
  return standing.kind === "answered" || standing.kind === "trailing" ? standing.answer : null;
}

export interface Source<R, A> {
  /** An answer that is there already. */
  known(key: string): A | undefined;
  /** Whether a sharper answer than a known one is to be had. */
  more(known: A): boolean;
  ask(wish: Wish<R>, done: (answer: A) => void, failed: (why: string) => void): void;
}

/** Milliseconds after which a panel says that it waits. */
export const PATIENCE = 250;

/** A panel's question; asks when the wish changes, and again after `retry`. */
export class Question<R, A extends Bound<R>> {
  /** It has waited for longer than one should without a word. */
  readonly late = signal(false);
  readonly standing: ReadonlySignal<Standing<A>>;
  /** Key of what is asked; "": nothing. */
  readonly key: ReadonlySignal<string>;
  private readonly newest = signal<A | null>(null);
  private readonly failure = signal<Failed | null>(null);
  private readonly attempt = signal(0);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heard: A | null = null;

  constructor(
    readonly wish: ReadonlySignal<Wish<R> | null>,
    private readonly source: Source<R, A>,
  ) {
    this.key = computed(() => wish.value?.key ?? "");
    this.standing = computed(() => standingOf(wish.value, this.newest.value, this.failure.value));
    effect(() => {
      void this.key.value;
      void this.attempt.value;
      untracked(() => this.put());
    });
    effect(() => {
      const { kind } = this.standing.value;
      const newest = this.newest.value;
      untracked(() => this.watch(kind === "waiting" || kind === "trailing", newest));
    });
  }

  /** Asks again for what could not be had. */
  retry(): void {
    this.attempt.value++;
  }

  /** A newer answer to what is asked, which came by another way. */
  renew(answer: A): void {
    this.take(answer);
  }

  private put(): void {
    const wish = this.wish.peek();
    this.failure.value = null;
    // What was of another subject would only hold memory.
    if (this.newest.peek()?.subject !== wish?.subject) this.newest.value = null;
    if (!wish) return;
    const known = this.source.known(wish.key);
    if (known) this.newest.value = known;
    if (known && !this.source.more(known)) return;
    this.source.ask(
      wish,
      (answer) => this.take(answer),
      (why) => this.fail(wish.key, why),
    );
  }

  private take(answer: A): void {
    const wish = this.wish.peek();
    if (!wish) return;
    // Equal keys have equal answers, whatever it was asked for.
    const right = answer.key === wish.key;
    // What trails behind comes too late when the right one is there.
    if (!right && (answer.subject !== wish.subject || this.newest.peek()?.key === wish.key)) return;
    batch(() => {
      this.newest.value = answer;
      if (this.failure.peek()?.key === answer.key) this.failure.value = null;
    });
  }

  private fail(key: string, why: string): void {
    if (key === this.key.peek()) this.failure.value = { key, why };
  }

  /** Patience begins anew with each answer, also one that trails, but not with each question. */
  private watch(waits: boolean, newest: A | null): void {
    const news = newest !== null && newest !== this.heard;
    this.heard = newest;
    if (!waits || news) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.late.value = false;
    }
    if (waits && !this.late.peek())
      this.timer ??= setTimeout(() => (this.late.value = true), PATIENCE);
  }
}
