import type { ComponentChildren, JSX } from 'preact';
import type { Finding } from '../../../lib/evidence/record/requirement-result.js';
import { withoutCodeMarks } from '../../text/finding-text.js';

interface FactsProperties {
  readonly facts: readonly (readonly [name: string, content: ComponentChildren])[];
}

/** Names with what belongs to them. */
export function Facts({ facts }: FactsProperties): JSX.Element {
  return (
    <dl>
      {facts.map(([name, content]) => (
        <div>
          <dt>{name}</dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What was expected and received, and the place in a body or a description. All of it is set as code. */
export function FindingFacts({ expected, received, pointer }: Finding): JSX.Element | null {
  const facts = Object.entries({ Expected: expected, Received: received, Place: pointer }).flatMap(
    ([name, text]) => (text ? [[name, <code>{withoutCodeMarks(text)}</code>] as const] : []),
  );
  return facts.length > 0 ? <Facts facts={facts} /> : null;
}

interface TableProperties {
  readonly caption: string;
  readonly head: readonly ComponentChildren[];
  /** The first cell of each row is its heading. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A table that scrolls by itself if it is wider than the page. */
export function Table({ caption, head, rows }: TableProperties): JSX.Element {
  return (
    <div class="scrolled" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells]) => (
            <tr>
              <th scope="row">{first}</th>
              {cells.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
