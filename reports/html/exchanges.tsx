import type { JSX } from 'preact';
import { applyEdits, findNodeAtLocation, format, parseTree } from 'jsonc-parser';
import { curlOf } from '../../lib/evidence/curl.js';
import type { RecordedExchange } from '../../lib/evidence/recorded-exchange.js';
import type { Finding, RequirementResult } from '../../lib/evidence/record/record.js';
import { jsonOf } from '../../lib/evidence/record/regular-file.js';
import { clip } from '../../lib/explain/clip.js';
import { printable } from '../../lib/explain/printable.js';
import { isDeeper, pathOf } from '../../lib/specification/json-value.js';
import type { RunView } from '../summary/run-view.js';
import { count, duration, known, moment } from '../text.js';
import { Command, Facts, longestText } from './parts.js';

export interface PageData extends RunView {
  readonly exchanges: {
    readonly byId: ReadonlyMap<string, RecordedExchange>;
    /** Those that no place of the page shows as yet. */
    readonly unshown: Set<string>;
    readonly leftOut: number;
  };
}

export function entriesOf({ findings, observations = [] }: RequirementResult): Finding[] {
  const observed = observations.map(({ subject, behaviour, exchanges }) => {
    return { message: `${subject}: ${behaviour}`, exchanges };
  });
  return [...findings, ...observed];
}

/** Entries of a requirement, and exchanges of a finding, that a page names: the record has the others. */
export const mostEntries = 8;
const mostNamed = 4;

interface FindingProperties extends Pick<PageData, 'exchanges'> {
  readonly finding: Omit<Finding, 'message'>;
}

/**
 * What shows a finding: all that came from the target is set as code. An exchange is at the first place of the page that names
 * it, and others lead there.
 */
export function FindingView({ finding, exchanges: { byId, unshown } }: FindingProperties): JSX.Element {
  const { exchanges: ids, expected, received, pointer, reproduce, occurrences = 0 } = finding;
  const facts = known([
    ['Expected', expected],
    ['Received', received],
    ['Place', pointer],
  ]);
  const rest = Math.max(occurrences, ids.length) - mostNamed;
  return (
    <>
      {facts.length > 0 && (
        <Facts facts={facts.map(([name, text]) => [name, <code>{clip(text, longestText)}</code>])} />
      )}
      {reproduce !== undefined && <Command text={reproduce} />}
      {ids.slice(0, mostNamed).map((id) => {
        const exchange = byId.get(id);
        if (exchange && unshown.delete(id)) return exchangeView(exchange, pointer);
        return <span class="note">{exchange ? <a href={`#${anchorOf(id)}`}>{id}</a> : id} </span>;
      })}
      {rest > 0 && <span class="note">and {rest} more</span>}
    </>
  );
}

/** Ids come from a file that anyone may have edited: nothing odd passes. */
function anchorOf(id: string): string {
  return `exchange-${id.replaceAll(/[^\w-]/g, '-')}`;
}

/** A request and its response, folded under one line; a link to its inside unfolds it. */
function exchangeView(exchange: RecordedExchange, pointer: string | undefined): JSX.Element {
  const { id, request, response, timing, failure, connection, repeats } = exchange;
  const { text, base64, bytes: size = 0, truncated = false } = response?.body ?? {};
  // The origin is at the head of the page.
  const asked = printable(`${request.method} ${request.url.replace(/^[a-z]+:\/\/[^/]*/i, '')}`);
  const came = response?.status ?? failure?.kind ?? 'no response';
  const notes = [
    `Sent ${moment(exchange.sentAt)} for ${exchange.purpose}.`,
    timing.wait >= 1 && `Paced by ${duration(timing.wait)}.`,
    connection !== undefined && `Connection ${connection}.`,
    repeats !== undefined && `A retry of ${repeats}.`,
    failure && `No complete response (${failure.kind}): ${failure.message}.`,
    base64 !== undefined && 'The body is not UTF-8, and shown as base64.',
    truncated && `Only the beginning of ${count(size, 'byte')} is kept here.`,
  ];
  const message = (
    name: string,
    first: string | number,
    headers: RecordedExchange['request']['headers'],
    body = '',
    marked = '',
  ): JSX.Element => (
    <div>
      <p class="note">{name}</p>
      <pre>
        <b>{first}</b>
        {headers.map((header) => `\n${printable(header.join(': '))}`)}
      </pre>
      {body !== '' && <Body text={body} pointer={marked} />}
    </div>
  );
  return (
    <details class="exchange">
      <summary>
        <b>{printable(id)}</b> <code>{asked}</code> → <b>{came}</b>{' '}
        <span class="note">
          {duration(timing.total)}, {exchange.credential} key
        </span>
      </summary>
      <div class="messages" id={anchorOf(id)}>
        {message('Request', asked, request.headers, request.body)}
        {message('Response', came, response?.headers ?? [], text ?? base64, pointer)}
      </div>
      <Command text={printable(curlOf(request))} />
      <p class="note">{printable(notes.filter(Boolean).join(' '))}</p>
    </details>
  );
}

/** Lines that are shown, so many of them before the first marked one, and the columns of each. */
const shownLines = 24;
const shownBefore = 8;
const longestLine = 1_000;

/** The lines of a body that matter: those around what a JSON pointer names, or its beginning. */
export function Body({ text, pointer }: Record<'text' | 'pointer', string>): JSX.Element {
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
 * A body in lines, those of JSON laid out with every token as it came, and the first and last line of what a JSON pointer names,
 * or the first of what lacks it.
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
  const path = pathOf(pointer);
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
