import type { JSX } from 'preact';
import { curlOf } from '../../../lib/http/exchange/curl.js';
import type { Exchange } from '../../../lib/http/exchange/exchange.js';
import type { Finding } from '../../../lib/record/record.js';
import { bytes, count, duration, moment } from '../../text/quantity.js';
import { TargetText } from '../parts/text.js';
import { BinaryBody, Body } from './body.js';
import { Command } from './particulars.js';
import { exchangeAnchor } from './shown-exchanges.js';

const longestHeader = 500;
const mostHeaders = 40;

const credentials = {
  valid: 'valid key',
  equivalent: 'valid key in an equivalent form',
  missing: 'no credential',
  malformed: 'malformed credential',
  unknown: 'unknown key',
  other: 'another key',
} as const satisfies Record<Exchange['credential'], string>;

function Headers({
  headers,
  wrong,
}: {
  readonly headers: readonly (readonly [string, string])[];
  /** The name of the one that is wrong, in small letters. */
  readonly wrong?: string | undefined;
}): JSX.Element {
  return (
    <>
      {headers.slice(0, mostHeaders).map(([name, value]) => {
        const line = <TargetText text={`${name}: ${value}`} longest={longestHeader} />;
        return (
          <>
            {name.toLowerCase() === wrong ? <mark>{line}</mark> : line}
            {'\n'}
          </>
        );
      })}
      {headers.length > mostHeaders && (
        <i class="left-out">… {count(headers.length - mostHeaders, 'header')} left out …</i>
      )}
    </>
  );
}

/** Method, path and query: the origin is at the head of the report. */
function RequestLine({ request }: Pick<Exchange, 'request'>): JSX.Element {
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '');
  return <TargetText text={`${request.method} ${path}`} longest={longestHeader} />;
}

export interface ExchangeViewProperties {
  readonly exchange: Exchange;
  /** The finding that it belongs to, for marking what is wrong. */
  readonly finding?: Finding;
  /** What shows the same again, if the request alone does not. */
  readonly command?: string | undefined;
}

function Response({ exchange: { response, failure }, finding }: ExchangeViewProperties): JSX.Element {
  const { fact, pointer } = finding ?? {};
  const isOtherStatus = fact?.kind === 'status' && fact.status === response?.status;
  return (
    <div class="message">
      <p class="label">Response</p>
      {failure && (
        <p class="note">
          No complete response: {failure.kind}. <TargetText text={failure.message} />
        </p>
      )}
      {response && (
        <>
          <pre class="head">
            <b>{isOtherStatus ? <mark>{response.status}</mark> : response.status}</b>
            {'\n'}
            <Headers
              headers={response.headers}
              wrong={fact?.kind === 'header' ? fact.header.toLowerCase() : undefined}
            />
          </pre>
          {response.body.text ? <Body text={response.body.text} pointer={pointer} /> : null}
          {response.body.base64 !== undefined && (
            <BinaryBody base64={response.body.base64} size={response.body.bytes} />
          )}
          {response.body.bytes === 0 && <p class="note">No body.</p>}
          {response.body.truncated && (
            <p class="note">Only the beginning of {bytes(response.body.bytes)} is kept here.</p>
          )}
        </>
      )}
    </div>
  );
}

/** A request and its response, folded under one line; a link to its inside unfolds it. */
export function ExchangeView({ exchange, finding, command }: ExchangeViewProperties): JSX.Element {
  const { id, request, response, timing, failure, connection, repeats } = exchange;
  const sent = [
    `Sent ${moment(exchange.sentAt)} for ${exchange.purpose}`,
    ...(connection === undefined ? [] : [`over connection ${connection}`]),
    ...(repeats === undefined ? [] : [`as a retry of ${repeats}`]),
    ...(timing.wait >= 1 ? [`after ${duration(timing.wait)} of pacing`] : []),
  ];
  return (
    <details class="exchange">
      <summary>
        <span class="exchange-id">
          <TargetText text={id} />
        </span>{' '}
        <code>
          <RequestLine request={request} />
        </code>{' '}
        → <b>{response?.status ?? failure?.kind ?? 'no response'}</b>{' '}
        <span class="quiet">
          {duration(timing.total)}, {credentials[exchange.credential]}
        </span>
      </summary>
      <div class="messages" id={exchangeAnchor(id)}>
        <div class="message">
          <p class="label">Request</p>
          <pre class="head">
            <b>
              <RequestLine request={request} />
            </b>
            {'\n'}
            <Headers headers={request.headers} />
          </pre>
          {request.body !== undefined && <Body text={request.body} />}
        </div>
        <Response exchange={exchange} {...(finding && { finding })} />
      </div>
      <Command text={command ?? curlOf(request)} />
      <p class="note">
        <TargetText text={`${sent.join(', ')}.`} />
      </p>
    </details>
  );
}
