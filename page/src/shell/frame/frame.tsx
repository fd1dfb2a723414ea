// The frame of a page: header, main part and side column, with dialogs and messages over them.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import "./theme.css";
import "./controls.css";
import "./dialogs.css";
import "./frame.css";
import { Announcer, Disconnected, Messages } from "./messages";
import { SideEdge } from "./side_edge";
import { theme } from "./theme";

/** The window's title and theme. */
function useDocument(name: string | undefined): void {
  const look = theme.value;
  useEffect(() => {
    document.title = name ? `${name} – Sluice` : "Sluice";
  }, [name]);
  useEffect(() => {
    if (look === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = look;
  }, [look]);
}

export function Frame(props: {
  /** Of what is looked at. */
  name: string | undefined;
  header: ComponentChildren;
  /** Of the main part. */
  id: string;
  /** Words of the link that leads the keyboard past the header. */
  skip?: string;
  /** The main part. */
  children: ComponentChildren;
  /** The side column; null: it is not shown. */
  side: ComponentChildren;
  dialog: ComponentChildren;
  /** Messages of the domain's own, above the others. */
  messages?: ComponentChildren;
  /** Without a server there is nothing more to come: a connection that is lost is no trouble. */
  complete?: boolean;
}): ComponentChildren {
  const { id, side } = props;
  useDocument(props.name);
  return (
    <>
      {props.skip && (
        <a class="skip" href={`#${id}`}>
          {props.skip}
        </a>
      )}
      {props.header}
      <div class={side ? "body" : "body wide"}>
        <main id={id} tabIndex={-1}>
          {props.children}
        </main>
        {side && <SideEdge />}
        {side && <aside aria-label="Settings">{side}</aside>}
      </div>
      {props.dialog}
      <Messages>{props.messages}</Messages>
      <Announcer />
      {!props.complete && <Disconnected />}
    </>
  );
}
