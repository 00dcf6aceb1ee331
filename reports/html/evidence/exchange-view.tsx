import type { ComponentChildren, JSX } from 'preact';
import { curlOf } from '../../../lib/evidence/curl.js';
import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import type { Finding } from '../../../lib/evidence/record/requirement-result.js';
import { bytes, count, duration, moment } from '../../text/quantity.js';
import { usePage } from '../page-data.js';
import { Command } from '../parts/command.js';
import { TargetText } from '../parts/text.js';
import { Body } from './body.js';
import { exchangeAnchor } from './shown-exchanges.js';

const longestHeader = 500;
const mostHeaders = 40;

interface PlaceProperties {
  /** The anchor of a cause or a requirement. */
  readonly place: string;
  readonly findings: readonly Finding[];
}

/** The exchanges that stand at a place, each with what is wrong in it marked. */
export function ExchangeViews({ place, findings }: PlaceProperties): JSX.Element {
  const exchanges = usePage().exchanges.at(place);
  return (
    <>
      {exchanges.map((exchange) => (
        <ExchangeView
          exchange={exchange}
          finding={findings.find(({ exchanges: ids }) => ids.includes(exchange.id))}
        />
      ))}
    </>
  );
}

interface ExchangeProperties {
  readonly exchange: RecordedExchange;
  readonly finding: Finding | undefined;
}

/** A request and its response, folded under one line; a link to its inside unfolds it. */
function ExchangeView({ exchange, finding }: ExchangeProperties): JSX.Element {
  const { id, request, response, timing, failure, connection, repeats } = exchange;
  // The origin is at the head of the page.
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '');
  const line = <TargetText text={`${request.method} ${path}`} longest={longestHeader} />;
  const sent = [
    `Sent ${moment(exchange.sentAt)} for ${exchange.purpose}`,
    connection !== undefined && `over connection ${connection}`,
    repeats !== undefined && `as a retry of ${repeats}`,
    timing.wait >= 1 && `after ${duration(timing.wait)} of pacing`,
  ];
  return (
    <details class="exchange">
      <summary>
        <b>
          <TargetText text={id} />
        </b>{' '}
        <code>{line}</code> → <b>{response?.status ?? failure?.kind ?? 'no response'}</b>{' '}
        <span class="note">
          {duration(timing.total)}, {exchange.credential} key
        </span>
      </summary>
      <div class="messages" id={exchangeAnchor(id)}>
        <div>
          <p class="note">Request</p>
          <Head first={line} headers={request.headers} />
          {request.body !== undefined && <Body text={request.body} />}
        </div>
        <Response exchange={exchange} finding={finding} />
      </div>
      <Command text={curlOf(request)} />
      <p class="note">
        <TargetText text={`${sent.filter(Boolean).join(', ')}.`} />
      </p>
    </details>
  );
}

interface HeadProperties {
  readonly first: ComponentChildren;
  readonly headers: readonly (readonly [string, string])[];
  /** The name of the header that is marked. */
  readonly wrong?: string | undefined;
}

/** The first line of a message and its headers. */
function Head({ first, headers, wrong = '' }: HeadProperties): JSX.Element {
  const rest = headers.length - mostHeaders;
  return (
    <pre>
      <b>{first}</b>
      {headers.slice(0, mostHeaders).map(([name, value]) => {
        const line = <TargetText text={`${name}: ${value}`} longest={longestHeader} />;
        return ['\n', name.toLowerCase() === wrong.toLowerCase() ? <mark>{line}</mark> : line];
      })}
      {rest > 0 && <i>{`\n… ${count(rest, 'header')} left out …`}</i>}
    </pre>
  );
}

function Response({ exchange: { response, failure }, finding }: ExchangeProperties): JSX.Element {
  const { fact, pointer } = finding ?? {};
  const { text, base64, bytes: size = 0, truncated = false } = response?.body ?? {};
  const status = response?.status;
  const notes = [
    failure && `No complete response: ${failure.kind}. ${failure.message}`,
    base64 !== undefined && 'Not UTF-8, shown as base64.',
    truncated && `Only the beginning of ${bytes(size)} is kept here.`,
    response && size === 0 && 'No body.',
  ];
  return (
    <div>
      <p class="note">Response</p>
      {response && (
        <Head
          first={fact?.kind === 'status' && fact.status === status ? <mark>{status}</mark> : status}
          headers={response.headers}
          wrong={fact?.kind === 'header' ? fact.header : undefined}
        />
      )}
      {size > 0 && <Body text={text ?? base64 ?? ''} pointer={pointer} />}
      <p class="note">
        <TargetText text={notes.filter(Boolean).join(' ')} />
      </p>
    </div>
  );
}
