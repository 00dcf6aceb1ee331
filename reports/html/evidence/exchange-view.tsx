import type { ComponentChildren, JSX } from 'preact';
import { curlOf } from '../../../lib/evidence/curl.js';
import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import type { Finding } from '../../../lib/evidence/record/requirement-result.js';
import { bytes, count, duration, moment } from '../../text/quantity.js';
import { TargetText } from '../parts/text.js';
import { BinaryBody, Body } from './body.js';
import { Command } from './command.js';
import { exchangeAnchor } from './shown-exchanges.js';

const longestHeader = 500;
const mostHeaders = 40;

interface HeadProperties {
  readonly first: ComponentChildren;
  readonly headers: readonly (readonly [string, string])[];
  readonly wrong?: string | undefined;
}

/** The first line of a message and its headers, of which one may be marked. */
function Head({ first, headers, wrong }: HeadProperties): JSX.Element {
  return (
    <pre>
      <b>{first}</b>
      {headers.slice(0, mostHeaders).map(([name, value]) => {
        const line = <TargetText text={`${name}: ${value}`} longest={longestHeader} />;
        return ['\n', name.toLowerCase() === wrong?.toLowerCase() ? <mark>{line}</mark> : line];
      })}
      {headers.length > mostHeaders && (
        <i class="left-out">
          {'\n'}… {count(headers.length - mostHeaders, 'header')} left out …
        </i>
      )}
    </pre>
  );
}

export interface ExchangeViewProperties {
  readonly exchange: RecordedExchange;
  /** The finding that it belongs to, for marking what is wrong. */
  readonly finding?: Finding | undefined;
}

function Response({ exchange: { response, failure }, finding }: ExchangeViewProperties): JSX.Element {
  const { fact, pointer } = finding ?? {};
  const isOtherStatus = fact?.kind === 'status' && fact.status === response?.status;
  return (
    <div>
      <p class="note">Response</p>
      {failure && (
        <p class="note">
          No complete response: {failure.kind}. <TargetText text={failure.message} />
        </p>
      )}
      {response && (
        <>
          <Head
            first={isOtherStatus ? <mark>{response.status}</mark> : response.status}
            headers={response.headers}
            wrong={fact?.kind === 'header' ? fact.header : undefined}
          />
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
export function ExchangeView({ exchange, finding }: ExchangeViewProperties): JSX.Element {
  const { id, request, response, timing, failure, connection, repeats } = exchange;
  // The origin is at the head of the page.
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '');
  const line = <TargetText text={`${request.method} ${path}`} longest={longestHeader} />;
  const sent = [
    `Sent ${moment(exchange.sentAt)} for ${exchange.purpose}`,
    ...(connection === undefined ? [] : [`over connection ${connection}`]),
    ...(repeats === undefined ? [] : [`as a retry of ${repeats}`]),
    ...(timing.wait >= 1 ? [`after ${duration(timing.wait)} of pacing`] : []),
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
        <TargetText text={`${sent.join(', ')}.`} />
      </p>
    </details>
  );
}
