import type { JSX } from 'preact';
import { clip } from '../../../lib/explain/clip.js';
import { printable } from '../../../lib/explain/printable.js';
import { count } from '../../text/quantity.js';
import { linesOfBody } from './json-lines.js';

/** Lines that are shown, so many of them before the first marked one, and the columns of each. */
const shownLines = 24;
const shownBefore = 8;
const longestLine = 1_000;

interface BodyProperties {
  readonly text: string;
  /** The JSON pointer of what is marked. */
  readonly pointer?: string | undefined;
}

/** The lines of a body that matter: those around what is marked, or its beginning. */
export function Body({ text, pointer = '' }: BodyProperties): JSX.Element {
  const { lines, first = 0, last = -1 } = linesOfBody(text, pointer);
  const begin = Math.max(0, first - shownBefore);
  const shown = lines.slice(begin, begin + shownLines).map((line, index) => {
    const content = line.trimStart();
    const words = <bdi>{printable(clip(content, longestLine))}</bdi>;
    const isMarked = begin + index >= first && begin + index <= last;
    return [' '.repeat(line.length - content.length), isMarked ? <mark>{words}</mark> : words, '\n'];
  });
  const leftOut = (number: number) => number > 0 && <i>{`… ${count(number, 'line')} left out …\n`}</i>;
  return (
    <pre>
      {leftOut(begin)}
      {shown}
      {leftOut(lines.length - begin - shown.length)}
    </pre>
  );
}
