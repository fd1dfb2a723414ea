// The help: all keys, and what the domain says besides.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import type { Keys } from "../keyboard";
import { Dialog } from "./controls";

export function Help(props: {
  keys: Keys;
  close: () => void;
  /** Above the keys. */
  intro?: ComponentChildren;
  /** Below them. */
  children: ComponentChildren;
}): ComponentChildren {
  return (
    <Dialog title="Help" close={props.close}>
      {props.intro && <p>{props.intro}</p>}
      <table class="keys">
        <tbody>
          {props.keys.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">{keys}</th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">{props.children}</p>
    </Dialog>
  );
}
