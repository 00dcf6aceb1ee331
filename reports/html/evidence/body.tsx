import type { JSX } from 'preact';
import { count } from '../../text/quantity.js';
import { TargetText } from '../parts/text.js';
import { jsonLines } from './json-lines.js';

/** A body that is not JSON is shown to this length; a line of JSON to this. */
const longestText = 2_000;
const longestLine = 400;

/** Lines shown at the beginning, and on either side of the first marked one. */
const shownFirst = 24;
const shownAround = 8;

interface BodyProperties {
  readonly text: string;
  /** The JSON pointer of what is marked. */
  readonly pointer?: string | undefined;
}

/** A body as text: of JSON, laid out without touching a digit, the lines that matter; anything else as it came. */
export function Body({ text, pointer = '' }: BodyProperties): JSX.Element {
  const { lines, first = -Infinity, last = -Infinity } = jsonLines(text, pointer) ?? {};
  if (!lines)
    return (
      <pre>
        <TargetText text={text} keepLayout longest={longestText} />
      </pre>
    );
  let leftOut = 0;
  const isShown = (index: number): boolean => index < shownFirst || Math.abs(index - first) <= shownAround;
  const excerpt = lines.map((line, index) => {
    leftOut = isShown(index) ? 0 : leftOut + 1;
    const isEnd = isShown(index + 1) || index === lines.length - 1;
    if (leftOut > 0) return isEnd && <i>{`… ${count(leftOut, 'line')} left out …\n`}</i>;
    const [, space = '', content = ''] = /^( *)(.*)$/.exec(line) ?? [];
    const shown = (
      <bdi>
        <TargetText text={content} longest={longestLine} />
      </bdi>
    );
    return [space, index >= first && index <= last ? <mark>{shown}</mark> : shown, '\n'];
  });
  return <pre>{excerpt}</pre>;
}
