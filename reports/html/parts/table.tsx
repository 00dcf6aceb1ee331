import type { ComponentChildren, JSX } from 'preact';
import type { Part } from '../../summary/part.js';
import { TargetText } from './text.js';

/** Facts and tables as every report tells them. */
export function PartView({ facts, tables = [] }: Omit<Part, 'title'>): JSX.Element {
  return (
    <>
      <Facts facts={facts.map(([name, text]) => [name, <TargetText text={text} />])} />
      {tables.map((table) => (
        <Table {...table} />
      ))}
    </>
  );
}

interface FactsProperties {
  readonly facts: readonly (readonly [name: string, content: ComponentChildren])[];
}

/** Names with what belongs to them; a fact without content is left out. */
export function Facts({ facts }: FactsProperties): JSX.Element {
  const shown = facts.filter(([, content]) => content !== undefined && content !== '');
  return (
    <dl>
      {shown.map(([name, content]) => (
        <div>
          <dt>
            <TargetText text={name} />
          </dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  );
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
