import type { JSX } from 'preact';
import { count } from '../../text/quantity.js';
import { TargetText } from '../parts/text.js';
import { jsonLines, type LaidOutJson } from './json-lines.js';

/** A longer text is not laid out. */
const longestLaidOut = 64_000;
/** A body that is not JSON is shown to this length; a line of JSON to this. */
const longestText = 2_000;
const longestLine = 400;

/** Lines shown at the beginning, at the end, and around the first marked ones. */
const shownFirst = 24;
const shownLast = 3;
const shownAround = 4;
const mostMarked = 16;

/** A body as text: JSON laid out without touching a digit, anything else as it came, cut if it is long. */
export function Body({ text, pointer = '' }: { text: string; pointer?: string | undefined }): JSX.Element {
  const json = text.length > longestLaidOut ? undefined : jsonLines(text, pointer);
  return (
    <pre class="body">
      {json ? <JsonExcerpt {...json} /> : <TargetText text={text} keepLayout longest={longestText} />}
    </pre>
  );
}

/** The lines that matter; between two of them, the number of those left out. */
function JsonExcerpt({ lines, marked, missing }: LaidOutJson): JSX.Element {
  const marks = marked.slice(0, mostMarked);
  const isShown = (index: number): boolean =>
    index < shownFirst ||
    index >= lines.length - shownLast ||
    marks.some((mark) => Math.abs(mark - index) <= shownAround);
  let leftOut = 0;
  const excerpt = lines.map((line, index) => {
    leftOut = isShown(index) ? 0 : leftOut + 1;
    if (leftOut > 0)
      return (
        isShown(index + 1) && (
          <i class="left-out">
            … {count(leftOut, 'line')} left out …{'\n'}
          </i>
        )
      );
    const text = line.trimStart();
    const shown = (
      <bdi>
        <TargetText text={text} longest={longestLine} />
      </bdi>
    );
    const note = missing !== undefined && <TargetText text={` ← ${missing} is missing here`} />;
    const indent = line.slice(0, line.length - text.length);
    return [indent, marks.includes(index) ? <mark>{[shown, note]}</mark> : shown, '\n'];
  });
  return <>{excerpt}</>;
}
