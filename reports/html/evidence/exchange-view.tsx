import type { ComponentChildren, JSX } from 'preact';
import { curlOf } from '../../../lib/evidence/curl.js';
import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import type { Finding } from '../../../lib/evidence/record/requirement-result.js';
import { printable } from '../../../lib/explain/printable.js';
import { count, duration, moment } from '../../text.js';
import { Command } from '../parts.js';
import { exchangeAnchor, type PageData } from './shown-exchanges.js';
import { applyEdits, findNodeAtLocation, format, parseTree } from 'jsonc-parser';
import { jsonOf } from '../../../lib/evidence/record/regular-file.js';
import { clip } from '../../../lib/explain/clip.js';
import { isDeeper } from '../../../lib/specification/json-value.js';

interface PlaceProperties extends Pick<PageData, 'exchanges'> {
  /** The anchor of a cause, a window or a requirement. */
  readonly place: string;
  readonly findings?: readonly Finding[];
}

/** The exchanges that stand at a place, each with what is wrong in its body marked. */
export function ExchangeViews({ exchanges, place, findings = [] }: PlaceProperties): JSX.Element {
  const shown = exchanges.byPlace.get(place)?.map((exchange) => {
    const finding = findings.find(({ exchanges: ids }) => ids.includes(exchange.id));
    return exchangeView(exchange, finding?.pointer);
  });
  return <>{shown}</>;
}

/** A request and its response, folded under one line; a link to its inside unfolds it. */
function exchangeView(exchange: RecordedExchange, pointer: string | undefined): JSX.Element {
  const { id, request, response, timing, failure, connection, repeats } = exchange;
  const { text, base64, bytes: size = 0, truncated = false } = response?.body ?? {};
  // The origin is at the head of the page.
  const asked = printable(`${request.method} ${request.url.replace(/^[a-z]+:\/\/[^/]*/i, '')}`);
  const came = response?.status ?? failure?.kind ?? 'no response';
  const sent = [
    `Sent ${moment(exchange.sentAt)} for ${exchange.purpose}`,
    connection !== undefined && `over connection ${connection}`,
    repeats !== undefined && `as a retry of ${repeats}`,
    timing.wait >= 1 && `after ${duration(timing.wait)} of pacing`,
  ];
  const notes = [
    `${sent.filter(Boolean).join(', ')}.`,
    failure && `No complete response (${failure.kind}): ${failure.message}.`,
    base64 !== undefined && 'The body is not UTF-8, and shown as base64.',
    truncated && `Only the beginning of ${count(size, 'byte')} is kept here.`,
  ];
  return (
    <details class="exchange">
      <summary>
        <b>{printable(id)}</b> <code>{asked}</code> → <b>{came}</b>{' '}
        <span class="note">
          {duration(timing.total)}, {exchange.credential} key
        </span>
      </summary>
      <div class="messages" id={exchangeAnchor(id)}>
        {message('Request', asked, request.headers, request.body)}
        {message('Response', came, response?.headers ?? [], text ?? base64, pointer)}
      </div>
      <Command text={printable(curlOf(request))} />
      <p class="note">{printable(notes.filter(Boolean).join(' '))}</p>
    </details>
  );
}

/** The first line of a message, its headers and its body. */
function message(
  name: string,
  first: ComponentChildren,
  headers: readonly (readonly [string, string])[],
  body = '',
  pointer?: string,
): JSX.Element {
  return (
    <div>
      <p class="note">{name}</p>
      <pre>
        <b>{first}</b>
        {headers.map((header) => `\n${printable(header.join(': '))}`)}
      </pre>
      {body !== '' && <Body text={body} pointer={pointer} />}
    </div>
  );
}

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

/** A longer text is not laid out. Deeper nesting is hostile, not data. */
const longestLaidOut = 64_000;
const deepestLaidOut = 32;

/**
 * A body in lines, those of JSON laid out, its own tokens untouched: every digit, every escape, every duplicate key stays as
 * it was sent. What is not JSON, or so long or nested that nobody reads it, stays as it came. Of what a pointer names, its first and
 * last line; if it is not there, the beginning of what lacks it.
 * @param pointer of RFC 6901; empty marks nothing
 */
export function linesOfBody(
  text: string,
  pointer: string,
): { readonly lines: string[]; readonly first?: number; readonly last?: number } {
  if (text.length > longestLaidOut || isDeeper(text, deepestLaidOut) || jsonOf(text) === undefined)
    return { lines: text.split('\n') };
  const layout = { insertSpaces: true, tabSize: 2, eol: '\n' };
  const shown = applyEdits(text, format(text, undefined, layout)).trim();
  const lines = shown.split('\n');
  const [, ...path] = pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let node = path.length > 0 ? parseTree(shown) : undefined;
  if (!node) return { lines };
  const lineOf = (offset: number): number => shown.slice(0, offset).split('\n').length - 1;
  for (const token of path) {
    const inner = findNodeAtLocation(node, [node.type === 'array' ? Number(token) : token]);
    if (!inner) return { lines, first: lineOf(node.offset), last: lineOf(node.offset) };
    node = inner;
  }
  return { lines, first: lineOf(node.offset), last: lineOf(node.offset + node.length) };
}
