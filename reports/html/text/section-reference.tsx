import type { JSX } from 'preact';
import { TargetText } from '../parts/target-text.js';

/** Where an RFC's section stands; `undefined` for anything that is no such reference. */
export function addressOfRfc(part: string): string | undefined {
  const [, number, section] = /^RFC (\d{3,5})(?: (\d+(?:\.\d+)*))?$/.exec(part) ?? [];
  if (number === undefined) return undefined;
  return `https://www.rfc-editor.org/rfc/rfc${number}${section === undefined ? '' : `#section-${section}`}`;
}

/** The sections that a requirement stands on: the specification's by number, an RFC's with its address. */
export function SectionReference({ section }: { readonly section: string }): JSX.Element {
  const parts = section.split(',').map((part) => part.trim());
  return (
    <>
      {parts.map((part, index) => {
        const address = addressOfRfc(part);
        const text = /^\d/.test(part) ? `§ ${part}` : part;
        return (
          <>
            {index > 0 && ', '}
            {address === undefined ? (
              <TargetText text={text} />
            ) : (
              <a href={address} rel="noreferrer">
                {text}
              </a>
            )}
          </>
        );
      })}
    </>
  );
}
