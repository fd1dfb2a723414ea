// The top of a page: what is looked at, what can be done with it, and the help.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { Choice } from "./controls";
import { Icon } from "./icons";
import { setTheme, theme, type Theme } from "./theme";

const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

export function ThemeChoice(): ComponentChildren {
  return (
    <Choice
      label="Theme"
      bare
      title="Light or dark"
      value={theme.value}
      options={THEMES}
      choose={setTheme}
    />
  );
}

/** The name of what is looked at; where there are several, a choice of them. */
export function NameChoice(props: {
  label: string;
  here: { id: string; name: string; path: string } | null;
  /** By id. */
  options: readonly (readonly [id: string, text: string])[];
  choose: (id: string) => void;
  /** Where there is nothing to look at. */
  none: string;
}): ComponentChildren {
  const { label, here, options, choose, none } = props;
  if (!here || options.length < 2)
    return (
      <strong class="dataset-name" title={here?.path}>
        {here?.name ?? none}
      </strong>
    );
  return (
    <Choice
      label={label}
      bare
      title={here.path}
      value={here.id}
      options={options}
      choose={choose}
    />
  );
}

export function Header(props: {
  /** What is looked at, on the left. */
  about: ComponentChildren;
  /** What can be done, on the right. */
  children: ComponentChildren;
  help: () => void;
}): ComponentChildren {
  return (
    <header class="top">
      <h1>Sluice</h1>
      {props.about}
      <span class="gap" />
      {props.children}
      <button type="button" title="Keys and help (?)" aria-label="Help" onClick={props.help}>
        <Icon name="help" />
      </button>
    </header>
  );
}
