// Small controls that all pages use: native elements with a label each.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icons";

/** A menu of choices. */
export function Choice<T extends string>(props: {
  label: string;
  value: T;
  options: readonly (readonly [value: T, text: string])[];
  choose: (value: T) => void;
  /** The label is for screen readers only. */
  bare?: boolean;
  title?: string;
}): ComponentChildren {
  const { label, value, options, choose, bare, title } = props;
  const change = (event: Event): void => {
    if (!(event.currentTarget instanceof HTMLSelectElement)) return;
    const found = options[event.currentTarget.selectedIndex];
    if (found) choose(found[0]);
  };
  return (
    <label class="field" title={title}>
      <span class={bare ? "unseen" : ""}>{label}</span>
      <select value={value} onChange={change}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Check(props: {
  label: string;
  checked: boolean;
  set: (on: boolean) => void;
  title?: string;
}): ComponentChildren {
  return (
    <label class="check" title={props.title}>
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
      <span>{props.label}</span>
    </label>
  );
}

/** A number; takes effect when it is complete (Enter, Tab, or the arrows). */
export function NumberField(props: {
  label: string;
  value: number;
  set: (value: number) => void;
  min?: number;
  max?: number;
  step?: number | "any";
  unit?: string;
  bare?: boolean;
  /** Shown; what is typed is taken as it is. */
  decimals?: number;
}): ComponentChildren {
  const { label, value, set, min, max, step, unit, bare, decimals } = props;
  const rounded = decimals === undefined ? value.toPrecision(6) : value.toFixed(decimals);
  const shown = Number.isFinite(value) ? String(Number(rounded)) : "";
  const change = (event: Event): void => {
    if (!(event.currentTarget instanceof HTMLInputElement)) return;
    const typed = event.currentTarget.valueAsNumber;
    if (Number.isFinite(typed)) set(Math.min(max ?? Infinity, Math.max(min ?? -Infinity, typed)));
    else event.currentTarget.value = shown;
  };
  return (
    <label class="field">
      <span class={bare ? "unseen" : ""}>{label}</span>
      <input
        type="number"
        value={shown}
        min={min}
        max={max}
        step={step ?? "any"}
        onChange={change}
      />
      {unit && <span class="unit">{unit}</span>}
    </label>
  );
}

export function Slider(props: {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  set: (value: number) => void;
  text?: string;
}): ComponentChildren {
  return (
    <label class="field slider">
      <span>{props.label}</span>
      <input
        type="range"
        min={props.min}
        max={props.max}
        step={props.step}
        value={props.value}
        onInput={(event) => props.set(event.currentTarget.valueAsNumber)}
      />
      <output>{props.text ?? props.value}</output>
    </label>
  );
}

/** A push button that stays pressed. */
export function Toggle(props: {
  on: boolean;
  set: (on: boolean) => void;
  title: string;
  children: ComponentChildren;
  disabled?: boolean;
  /** For screen readers, where the children may be hidden. */
  name?: string;
}): ComponentChildren {
  return (
    <button
      type="button"
      aria-pressed={props.on}
      aria-label={props.name}
      title={props.title}
      disabled={props.disabled}
      onClick={() => props.set(!props.on)}
    >
      {props.children}
    </button>
  );
}

/** A button that opens a small panel; closes on Escape and on a click elsewhere. */
export function Menu(props: {
  label: ComponentChildren;
  title: string;
  /** For screen readers, where the label may be hidden. */
  name?: string;
  align?: "left" | "right";
  children: ComponentChildren;
}): ComponentChildren {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const own = box.current;
      if (own?.open && !(event.target instanceof Node && own.contains(event.target)))
        own.open = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("focusin", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("focusin", close);
    };
  }, []);
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !box.current?.open) return;
    event.stopPropagation();
    box.current.open = false;
    box.current.querySelector("summary")?.focus();
  };
  return (
    <details ref={box} class="menu" onKeyDown={escape}>
      <summary title={props.title} aria-label={props.name}>{props.label}</summary>
      <div class={`menu-body ${props.align ?? "left"}`}>{props.children}</div>
    </details>
  );
}

/** A button in a menu that does something and closes the menu. */
export function MenuItem(props: {
  act: () => void;
  children: ComponentChildren;
  disabled?: boolean;
  title?: string;
}): ComponentChildren {
  return (
    <button
      type="button"
      class="menu-item"
      disabled={props.disabled}
      title={props.title}
      onClick={(event) => {
        const menu = event.currentTarget.closest("details");
        if (menu) {
          menu.open = false;
          menu.querySelector("summary")?.focus();
        }
        props.act();
      }}
    >
      {props.children}
    </button>
  );
}

/** A modal dialog; `close` is called for Escape, its button, and a click beside it. */
export function Dialog(props: {
  title: string;
  close: () => void;
  children: ComponentChildren;
}): ComponentChildren {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    <dialog
      ref={box}
      aria-label={props.title}
      onClose={props.close}
      onClick={(event) => {
        if (event.target === box.current) box.current?.close();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2>{props.title}</h2>
          <button type="button" aria-label="Close" onClick={() => box.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}
