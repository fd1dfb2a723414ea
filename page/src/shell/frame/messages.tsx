// What the page tells: errors and notes, announcements, and what to do when the server is gone.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { phase } from "../live";
import { announcement, dismiss, notices } from "../notices";
import { Icon } from "./icons";

export function Messages({ children }: { children?: ComponentChildren }): ComponentChildren {
  return (
    <div class="messages" role="region" aria-label="Messages">
      {children}
      {notices.value.map(({ key, kind, text, times }) => (
        <div key={key} class={`message ${kind}`} role={kind === "error" ? "alert" : "status"}>
          <span>
            {text}
            {times > 1 && <small> (×{times})</small>}
          </span>
          <button type="button" aria-label="Dismiss" onClick={() => dismiss(key)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

export function Announcer(): ComponentChildren {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {announcement.value}
    </div>
  );
}

/** Over everything while there is no server to answer. */
export function Disconnected(): ComponentChildren {
  const now = phase.value;
  if (now.kind === "open" || now.kind === "connecting") return null;
  const advice = {
    lost:
      "It is tried again and again; what you set stays. If you stopped it, start it again with " +
      "the same --port and --token.",
    refused:
      "Open the address that `sluice view` printed when it started; it has a new token each time.",
    mismatch: "The page in this tab is from another version of Sluice than the server.",
  }[now.kind];
  return (
    <div class="disconnected" role="alertdialog" aria-label="No connection">
      <div>
        <h2>{now.kind === "lost" ? "Connection lost" : "Cannot connect"}</h2>
        <p>{now.text}</p>
        <p>{(now.kind !== "mismatch" && now.advice) || advice}</p>
        {now.kind !== "lost" && (
          <button type="button" onClick={() => location.reload()}>
            Reload the page
          </button>
        )}
      </div>
    </div>
  );
}
