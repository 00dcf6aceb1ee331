import type { JSX } from 'preact';
import { bytes, counted } from '../../text/quantity.js';
import { TargetText } from '../parts/target-text.js';
import { excerptOf } from './excerpt.js';
import { jsonLines, type JsonLine } from './json-lines.js';
import { isMarked, placeOf, type MarkedPlace } from './marked-place.js';

/** A body that is no JSON is shown to this length; a line of JSON to this. */
const longestText = 2_000;
const longestLine = 400;
const longestBase64 = 500;

function LeftOut({ what }: { readonly what: string }): JSX.Element {
  return <i class="left-out">… {what} left out …</i>;
}

function LaidOutLine({ line }: { readonly line: JsonLine }): JSX.Element {
  return (
    <bdi>
      <TargetText text={line.text} longest={longestLine} />
    </bdi>
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
        const indent = '  '.repeat(line.depth);
        if (!place || !marked.has(part.index)) {
          return (
            <>
              {indent}
              <LaidOutLine line={line} />
              {'\n'}
            </>
          );
        }
        return (
          <>
            {indent}
            <mark class="wrong">
              <LaidOutLine line={line} />
              {part.index === first && <TargetText text={noteOn(place)} />}
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
  return (
    <pre class="body">
      <TargetText text={text} keepLayout longest={longestText} />
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
  return (
    <>
      <p class="note">Not UTF-8: {bytes(size)}, shown as base64.</p>
      <pre class="body">
        <TargetText text={base64} longest={longestBase64} />
      </pre>
    </>
  );
}
