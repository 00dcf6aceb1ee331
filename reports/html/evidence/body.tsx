import type { JSX } from 'preact';
import { bytes, count } from '../../text/quantity.js';
import { TargetText } from '../parts/text.js';
import { jsonLines, type JsonLine } from './json-lines.js';

/** A longer text is not laid out. */
const longestLaidOut = 64_000;
/** A body that is not JSON is shown to this length; a line of JSON to this. */
const longestText = 2_000;
const longestLine = 400;
const longestBase64 = 500;

/** Lines shown at the beginning, at the end, and around the first marked ones. */
const shownFirst = 24;
const shownLast = 3;
const shownAround = 4;
const mostMarked = 16;

/** The lines that a JSON pointer names: those of the value, or the first line of the object that lacks it. */
export function markedLines(lines: readonly JsonLine[], pointer: string): number[] {
  const linesOf = (isMarked: (line: JsonLine) => boolean): number[] =>
    lines.flatMap((line, index) => (isMarked(line) ? [index] : []));
  if (pointer === '') return [];
  const own = linesOf((line) => line.pointer === pointer || line.pointer.startsWith(`${pointer}/`));
  const parent = pointer.slice(0, pointer.lastIndexOf('/'));
  return own.length > 0
    ? own
    : linesOf((line) => line.pointer === parent && line.text.includes('{')).slice(0, 1);
}

/** The lines that are shown; between two of them, the number of those left out. */
function excerptOf(lines: readonly JsonLine[], marked: readonly number[]): (JsonLine | number)[] {
  const excerpt: (JsonLine | number)[] = [];
  for (const [index, line] of lines.entries()) {
    const last = excerpt.at(-1);
    const isShown =
      index < shownFirst ||
      index >= lines.length - shownLast ||
      marked.some((mark) => Math.abs(mark - index) <= shownAround);
    if (isShown) excerpt.push(line);
    else if (typeof last === 'number') excerpt[excerpt.length - 1] = last + 1;
    else excerpt.push(1);
  }
  return excerpt;
}

function LaidOutJson({ lines, pointer }: { lines: readonly JsonLine[]; pointer: string }): JSX.Element {
  const marked = markedLines(lines, pointer).slice(0, mostMarked);
  const marks = new Set(marked.map((index) => lines[index]));
  const isMissing = !lines.some((line) => line.pointer === pointer);
  const name = pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return (
    <pre class="body">
      {excerptOf(lines, marked).map((line) => {
        if (typeof line === 'number')
          return (
            <i class="left-out">
              … {count(line, 'line')} left out …{'\n'}
            </i>
          );
        const text = (
          <bdi>
            <TargetText text={line.text} longest={longestLine} />
          </bdi>
        );
        const note = isMissing && <TargetText text={` ← ${name} is missing here`} />;
        const shown = marks.has(line) ? <mark>{[text, note]}</mark> : text;
        return ['  '.repeat(line.depth), shown, '\n'];
      })}
    </pre>
  );
}

/** A body as text: JSON laid out without touching a digit, anything else as it came, cut if it is long. */
export function Body({ text, pointer = '' }: { text: string; pointer?: string | undefined }): JSX.Element {
  const lines = text.length > longestLaidOut ? undefined : jsonLines(text);
  if (lines) return <LaidOutJson lines={lines} pointer={pointer} />;
  return (
    <pre class="body">
      <TargetText text={text} keepLayout longest={longestText} />
    </pre>
  );
}

/** A body whose bytes are not UTF-8. */
export function BinaryBody({ base64, size }: { base64: string; size: number }): JSX.Element {
  return (
    <>
      <p class="note">Not UTF-8: {bytes(size)}, shown as base64.</p>
      <pre class="body">
        <TargetText text={base64} longest={longestBase64} />
      </pre>
    </>
  );
}
