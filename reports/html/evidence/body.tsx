import type { JSX } from 'preact';
import { bytes, count } from '../../text/quantity.js';
import { TargetText } from '../parts/text.js';
import { jsonLines, type JsonLine } from './json-lines.js';
import { markedLines } from './place-mark.js';

/** A body that is not JSON is shown to this length; a line of JSON to this. */
const longestText = 2_000;
const longestLine = 400;
const longestBase64 = 500;

/** Lines shown at the beginning, around the first marked ones, and at the end. */
const shownFirst = 24;
const shownAround = 4;
const shownMarked = 16;
const shownLast = 3;
/** Fewer lines than this are shown rather than counted. */
const fewestLeftOut = 4;

/** The index of each line that is shown of a long body; a number below zero stands for so many lines left out. */
function excerptOf(lines: number, marked: readonly number[]): number[] {
  const near = marked.slice(0, shownMarked);
  const isShown = (index: number): boolean =>
    index < shownFirst ||
    index >= lines - shownLast ||
    near.some((mark) => Math.abs(mark - index) <= shownAround);
  const excerpt: number[] = [];
  let next = 0;
  while (next < lines) {
    let end = next;
    while (end < lines && !isShown(end)) end += 1;
    const hidden = end - next;
    if (hidden >= fewestLeftOut) excerpt.push(-hidden);
    else for (let index = next; index < end; index += 1) excerpt.push(index);
    if (end < lines) excerpt.push(end);
    next = end + 1;
  }
  return excerpt;
}

function LaidOutJson({ lines, pointer = '' }: { lines: readonly JsonLine[]; pointer?: string | undefined }) {
  const { marked, missing } = markedLines(lines, pointer);
  return (
    <pre class="body">
      {excerptOf(lines.length, marked).map((index) => {
        const line = lines[index];
        if (!line)
          return (
            <i class="left-out">
              … {count(-index, 'line')} left out …{'\n'}
            </i>
          );
        const text = (
          <bdi>
            <TargetText text={line.text} longest={longestLine} />
          </bdi>
        );
        const note = missing !== undefined && index === marked[0] ? ` ← ${missing} is missing here` : '';
        return (
          <>
            {'  '.repeat(line.depth)}
            {marked.includes(index) ? (
              <mark>
                {text}
                <TargetText text={note} />
              </mark>
            ) : (
              text
            )}
            {'\n'}
          </>
        );
      })}
    </pre>
  );
}

/** A body as text: JSON laid out without touching a digit, anything else as it came, cut if it is long. */
export function Body({ text, pointer }: { text: string; pointer?: string | undefined }): JSX.Element {
  const lines = jsonLines(text);
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
