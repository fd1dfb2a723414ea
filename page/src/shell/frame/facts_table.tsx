// What is known of something: names and values in rows.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";

export function FactsTable({ facts }: { facts: readonly (readonly string[])[] }): ComponentChildren {
  return (
    <table class="facts">
      <tbody>
        {facts.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
