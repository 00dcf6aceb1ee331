import type { ComponentChildren, JSX } from 'preact';
import { sectionText } from '../../text/finding-text.js';
import { requirementRuns } from '../../text/requirement-id.js';
import { exchangeAnchor, type ShownExchanges } from '../evidence/shown-exchanges.js';
import { TargetText } from './text.js';

/** Parts with commas between them. */
function Listed({ parts }: { readonly parts: readonly ComponentChildren[] }): JSX.Element {
  return <>{parts.map((part, index) => (index > 0 ? [', ', part] : part))}</>;
}

/** Ids of requirements in ranges, each leading to its place in the annotated specification. */
export function RequirementLinks({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  const link = (id: string): JSX.Element => <a href={`#${id}`}>{id}</a>;
  const parts = requirementRuns(ids).map((run) => {
    const [first = '', last = first] = [run[0], run.at(-1)];
    return first === last ? link(first) : [link(first), ' to ', link(last)];
  });
  return <Listed parts={parts} />;
}

/** Ids of exchanges; those that the report holds lead to their place. */
export function ExchangeLinks({
  ids,
  shown,
  most,
}: {
  readonly ids: readonly string[];
  readonly shown: ShownExchanges;
  readonly most: number;
}): JSX.Element {
  const parts = ids.slice(0, most).map((id) => {
    const text = <TargetText text={id} />;
    return shown.find(id) ? <a href={`#${exchangeAnchor(id)}`}>{text}</a> : text;
  });
  return (
    <>
      <Listed parts={parts} />
      {ids.length > most && ` and ${ids.length - most} more`}
    </>
  );
}

/** The address of an RFC's section; undefined for anything else. */
function addressOfRfc(part: string): string | undefined {
  const [, number, section] = /^RFC (\d{3,5})(?: (\d+(?:\.\d+)*))?$/.exec(part) ?? [];
  if (number === undefined) return undefined;
  return `https://www.rfc-editor.org/rfc/rfc${number}${section === undefined ? '' : `#section-${section}`}`;
}

/** The sections that a requirement is based on: the specification's by number, an RFC's with its address. */
export function SectionLinks({ section }: { readonly section: string }): JSX.Element {
  const parts = section.split(',').map((text) => {
    const part = text.trim();
    const address = addressOfRfc(part);
    if (address === undefined) return <TargetText text={sectionText(part)} />;
    return (
      <a href={address} rel="noreferrer">
        {part}
      </a>
    );
  });
  return <Listed parts={parts} />;
}
