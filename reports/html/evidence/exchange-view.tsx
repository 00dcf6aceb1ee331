import type { ComponentChildren, JSX } from 'preact';
import { curlOf } from '../../../lib/evidence/curl.js';
import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import type { Finding } from '../../../lib/evidence/record/requirement-result.js';
import { printable } from '../../../lib/explain/printable.js';
import { count, duration, moment } from '../../text.js';
import { Command } from '../parts.js';
import { Body } from './body.js';
import { exchangeAnchor, type PageData } from './shown-exchanges.js';

interface PlaceProperties extends Pick<PageData, 'exchanges'> {
  /** The anchor of a cause, a window or a requirement. */
  readonly place: string;
  readonly findings?: readonly Finding[];
}

/** The exchanges that stand at a place, each with what is wrong in its body marked. */
export function ExchangeViews({ exchanges, place, findings = [] }: PlaceProperties): JSX.Element {
  return (
    <>
      {exchanges.byPlace.get(place)?.map((exchange) => (
        <ExchangeView
          exchange={exchange}
          pointer={findings.find(({ exchanges: ids }) => ids.includes(exchange.id))?.pointer}
        />
      ))}
    </>
  );
}

interface ExchangeProperties {
  readonly exchange: RecordedExchange;
  readonly pointer: string | undefined;
}

/** A request and its response, folded under one line; a link to its inside unfolds it. */
function ExchangeView({ exchange, pointer }: ExchangeProperties): JSX.Element {
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
        <Message name="Request" first={asked} headers={request.headers} body={request.body} />
        <Message
          name="Response"
          first={came}
          headers={response?.headers ?? []}
          body={text ?? base64}
          pointer={pointer}
        />
      </div>
      <Command text={printable(curlOf(request))} />
      <p class="note">{printable(notes.filter(Boolean).join(' '))}</p>
    </details>
  );
}

interface MessageProperties {
  readonly name: string;
  readonly first: ComponentChildren;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  readonly pointer?: string | undefined;
}

/** The first line of a message, its headers and its body. */
function Message({ name, first, headers, body = '', pointer }: MessageProperties): JSX.Element {
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
