import type { JSX } from 'preact';
import { count } from '../../text/quantity.js';
import { TargetText } from '../parts/text.js';
import { jsonLines, type LaidOutJson } from './json-lines.js';

/** A longer text is not laid out. */
const longestLaidOut = 64_000;
/** A body that is not JSON is shown to this length; a line of JSON to this. */
const longestText = 2_000;
const longestLine = 400;

/** Lines shown at the beginning, and on either side of the first marked one. */
const shownFirst = 24;
const shownAround = 8;

/** A body as text: JSON laid out without touching a digit, anything else as it came, cut if it is long. */
export function Body({ text, pointer = '' }: { text: string; pointer?: string | undefined }): JSX.Element {
  const json = text.length > longestLaidOut ? undefined : jsonLines(text, pointer);
  return (
    <pre>
      {json ? <JsonExcerpt {...json} /> : <TargetText text={text} keepLayout longest={longestText} />}
    </pre>
  );
}

/** The lines that matter; in the place of the others, their number. */
function JsonExcerpt({ lines, marked }: LaidOutJson): JSX.Element {
  const { first = -Infinity, last = -Infinity } = marked ?? {};
  const isShown = (index: number): boolean => index < shownFirst || Math.abs(index - first) <= shownAround;
  let leftOut = 0;
  const excerpt = lines.map((line, index) => {
    leftOut = isShown(index) ? 0 : leftOut + 1;
    const isEnd = isShown(index + 1) || index === lines.length - 1;
    if (leftOut > 0) return isEnd && <i>{`… ${count(leftOut, 'line')} left out …\n`}</i>;
    const text = line.trimStart();
    const shown = (
      <bdi>
        <TargetText text={text} longest={longestLine} />
      </bdi>
    );
    const isMarked = index >= first && index <= last;
    return [line.slice(0, line.length - text.length), isMarked ? <mark>{shown}</mark> : shown, '\n'];
  });
  return <>{excerpt}</>;
}
