import type { JSX } from 'preact';
import type { Exchange } from '../../../lib/http/exchange/exchange.js';
import type { Finding } from '../../../lib/record/record.js';
import { bytes, duration, moment } from '../../text/quantity.js';
import { TargetText } from '../parts/target-text.js';
import { BinaryBody, Body } from './body.js';
import { exchangeAnchor } from './exchange-anchor.js';
import { wrongPlaces } from './wrong-places.js';

const longestHeader = 500;
const mostHeaders = 40;

const credentials = {
  valid: 'valid key',
  equivalent: 'valid key in an equal form',
  missing: 'no credential',
  malformed: 'malformed credential',
  unknown: 'unknown key',
  other: 'another key',
} as const satisfies Record<Exchange['credential'], string>;

function Headers({
  headers,
  marked,
}: {
  readonly headers: readonly (readonly [string, string])[];
  readonly marked?: ReadonlySet<string> | undefined;
}): JSX.Element {
  return (
    <>
      {headers.slice(0, mostHeaders).map(([name, value]) => {
        const line = (
          <>
            <TargetText text={name} longest={longestHeader} />:{' '}
            <TargetText text={value} longest={longestHeader} />
          </>
        );
        return (
          <>
            {marked?.has(name.toLowerCase()) ? <mark class="wrong">{line}</mark> : line}
            {'\n'}
          </>
        );
      })}
      {headers.length > mostHeaders && (
        <i class="left-out">
          … {headers.length - mostHeaders} headers left out …{'\n'}
        </i>
      )}
    </>
  );
}

/** The target's path and query: the origin stands once, at the head of the report. */
function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/i, '');
}

function Request({ exchange: { request } }: { readonly exchange: Exchange }): JSX.Element {
  return (
    <div class="message">
      <p class="label">Request</p>
      <pre class="head">
        <b>
          <TargetText text={`${request.method} ${pathOf(request.url)}`} longest={longestHeader} />
        </b>
        {'\n'}
        <Headers headers={request.headers} />
      </pre>
      {request.body !== undefined && <Body text={request.body} />}
    </div>
  );
}

export interface ExchangeViewProperties {
  readonly exchange: Exchange;
  /** The finding under which it stands: tells what to mark. */
  readonly about?: { readonly finding: Finding; readonly title: string } | undefined;
}

function Response({ exchange: { response, failure }, about }: ExchangeViewProperties): JSX.Element {
  const wrong = about && response ? wrongPlaces(about.finding, about.title, response) : undefined;
  const status = response && <b>{response.status}</b>;
  return (
    <div class="message">
      <p class="label">Response</p>
      {failure && (
        <p class="note">
          No whole response: {failure.kind}. <TargetText text={failure.message} />
        </p>
      )}
      {response && (
        <>
          <pre class="head">
            {wrong?.status ? <mark class="wrong">{status}</mark> : status}
            {'\n'}
            <Headers headers={response.headers} marked={wrong?.headers} />
          </pre>
          {response.body.text !== undefined && response.body.text !== '' && (
            <Body text={response.body.text} pointer={about?.finding.pointer} />
          )}
          {response.body.base64 !== undefined && (
            <BinaryBody base64={response.body.base64} size={response.body.bytes} />
          )}
          {response.body.bytes === 0 && <p class="note">No body.</p>}
          {response.body.truncated && (
            <p class="note">Only the beginning of the {bytes(response.body.bytes)} received is kept here.</p>
          )}
        </>
      )}
    </div>
  );
}

/** A request and what came of it, folded under one line that tells both; a link to its inside unfolds it. */
export function ExchangeView({ exchange, about }: ExchangeViewProperties): JSX.Element {
  const { id, request, response, timing, failure } = exchange;
  return (
    <details class="exchange">
      <summary>
        <span class="exchange-id">
          <TargetText text={id} />
        </span>{' '}
        <code>
          <TargetText text={`${request.method} ${pathOf(request.url)}`} longest={longestHeader} />
        </code>{' '}
        → <b>{response?.status ?? failure?.kind ?? 'no answer'}</b>{' '}
        <span class="quiet">
          {duration(timing.total)}, {credentials[exchange.credential]}
        </span>
      </summary>
      <div class="messages" id={exchangeAnchor(id)}>
        <Request exchange={exchange} />
        <Response exchange={exchange} about={about} />
      </div>
      <p class="note">
        <TargetText text={`Sent ${moment(exchange.sentAt)} for ${exchange.purpose}`} />
        {exchange.repeats !== undefined && <TargetText text={`, repeating ${exchange.repeats}`} />}
        {timing.wait >= 1 && `, after waiting ${duration(timing.wait)} for its turn`}.
      </p>
    </details>
  );
}
