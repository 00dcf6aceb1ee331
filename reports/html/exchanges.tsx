import type { JSX } from 'preact';
import { curlOf } from '../../lib/evidence/curl.js';
import type { RecordedExchange } from '../../lib/evidence/recorded-exchange.js';
import type { Finding, RequirementResult } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { printable } from '../../lib/explain/printable.js';
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
        if (exchange && unshown.delete(id)) return exchangeView(exchange);
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
function exchangeView(exchange: RecordedExchange): JSX.Element {
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
  const messages = [
    ['Request', asked, request.headers, request.body],
    ['Response', came, response?.headers ?? [], text ?? base64],
  ] as const;
  return (
    <details class="exchange">
      <summary>
        <b>{printable(id)}</b> <code>{asked}</code> → <b>{came}</b>{' '}
        <span class="note">
          {duration(timing.total)}, {exchange.credential} key
        </span>
      </summary>
      <div class="messages" id={anchorOf(id)}>
        {messages.map(([name, first, headers, body]) => (
          <div>
            <p class="note">{name}</p>
            <pre>
              <b>{first}</b>
              <bdi>{restOfMessage(headers, body)}</bdi>
            </pre>
          </div>
        ))}
      </div>
      <Command text={printable(curlOf(request))} />
      <p class="note">{printable(notes.filter(Boolean).join(' '))}</p>
    </details>
  );
}

/** Columns of a body that are shown: a page of a hundred animals is in the files of the run. */
const longestBody = 2_000;

/** The headers and the body of a message, as they came. */
export function restOfMessage(headers: RecordedExchange['request']['headers'], body = ''): string {
  const lines = ['', ...headers.map((header) => header.join(': '))];
  const ofBody = body === '' ? [] : ['', ...clip(body, longestBody).split('\n')];
  return [...lines, ...ofBody].map(printable).join('\n');
}
