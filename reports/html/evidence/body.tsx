import type { JSX } from 'preact';
import { bytes, count, counted } from '../figures.js';
import { Foreign } from '../text/foreign.js';
import { cutText, excerptOf } from './excerpt.js';
import { jsonLines, type JsonLine } from './json-lines.js';
import { isMarked, placeOf, type MarkedPlace } from './marked-place.js';

/** A body that is no JSON is shown to this length; a line of JSON to this. */
const longestText = 2_000;
const longestLine = 400;

function LeftOut({ what }: { readonly what: string }): JSX.Element {
  return <i class="left-out">… {what} left out …</i>;
}

function LaidOutLine({ line }: { readonly line: JsonLine }): JSX.Element {
  const { shown, leftOut } = cutText(line.text, longestLine);
  return (
    <>
      {'  '.repeat(line.depth)}
      <bdi>
        <Foreign text={shown} />
      </bdi>
      {leftOut > 0 && <LeftOut what={counted(leftOut, 'character')} />}
    </>
  );
}

function noteOn(place: MarkedPlace): string {
  return place.kind === 'missing' ? ` ← ${place.name} is missing here` : '';
}

function LaidOutJson({
  lines,
  pointer,
}: {
  readonly lines: readonly JsonLine[];
  readonly pointer?: string | undefined;
}) {
  const place = pointer === undefined || pointer === '' ? undefined : placeOf(lines, pointer);
  const marked = new Set(
    lines.flatMap((line, index) => (place && isMarked(line, index, lines, place) ? [index] : [])),
  );
  const first = Math.min(...marked);
  return (
    <pre class="body">
      {excerptOf(lines.length, [...marked]).map((part) => {
        if ('leftOut' in part) {
          return (
            <>
              <LeftOut what={counted(part.leftOut, 'line')} />
              {'\n'}
            </>
          );
        }
        const line = lines[part.index];
        if (!line) return null;
        if (!place || !marked.has(part.index)) {
          return (
            <>
              <LaidOutLine line={line} />
              {'\n'}
            </>
          );
        }
        return (
          <>
            <mark class="wrong">
              <LaidOutLine line={line} />
              {part.index === first && <Foreign text={noteOn(place)} />}
            </mark>
            {'\n'}
          </>
        );
      })}
    </pre>
  );
}

export interface BodyProperties {
  readonly text: string;
  /** Where the fault sits: a JSON pointer. */
  readonly pointer?: string | undefined;
}

/** A body as text: JSON laid out without touching a digit, anything else as it came, cut where it is long. */
export function Body({ text, pointer }: BodyProperties): JSX.Element {
  const lines = jsonLines(text);
  if (lines) return <LaidOutJson lines={lines} pointer={pointer} />;
  const { shown, leftOut } = cutText(text, longestText);
  return (
    <pre class="body">
      <Foreign text={shown} keepLayout />
      {leftOut > 0 && (
        <>
          {'\n'}
          <LeftOut what={counted(leftOut, 'character')} />
        </>
      )}
    </pre>
  );
}

/** A body whose bytes are no UTF-8. */
export function BinaryBody({
  base64,
  size,
}: {
  readonly base64: string;
  readonly size: number;
}): JSX.Element {
  const { shown, leftOut } = cutText(base64, longestText / 4);
  return (
    <>
      <p class="note">Not UTF-8: {bytes(size)}, shown as base64.</p>
      <pre class="body">
        <Foreign text={shown} />
        {leftOut > 0 && <LeftOut what={`${count(leftOut)} characters`} />}
      </pre>
    </>
  );
}

/** Whether a pointer leads anywhere in a body. */
export function leadsInto(text: string | undefined, pointer: string): boolean {
  const lines = text === undefined || pointer === '' ? undefined : jsonLines(text);
  return lines !== undefined && placeOf(lines, pointer) !== undefined;
}
