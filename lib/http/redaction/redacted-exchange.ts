import type { Exchange, ExchangeResponse } from '../exchange/exchange.js';
import type { Redact, Redaction } from './redaction.js';

/** An exchange as it may be written: without keys, wherever the target or the user has put one. */
export function redactedExchange(exchange: Exchange, redact: Redaction): Exchange {
  const { request, response, failure } = exchange;
  const sent: Exchange['request'] = {
    ...request,
    url: redact(request.url),
    // The Authorization header shows the name of the key's variable already.
    headers: request.headers.map(([name, value]) => [name, name === 'Authorization' ? value : redact(value)]),
    ...(request.body === undefined ? {} : { body: redact(request.body) }),
  };
  return {
    ...exchange,
    request: sent,
    ...(response && {
      response: {
        ...response,
        headers: response.headers.map(([name, value]) => [redact.received(name), redact.received(value)]),
        body: redactedBody(response.body, redact.received),
      },
    }),
    ...(failure && { failure: { ...failure, message: redact(failure.message) } }),
  };
}

function redactedBody(body: ExchangeResponse['body'], redact: Redact): ExchangeResponse['body'] {
  if (body.text !== undefined) return { ...body, text: redact(body.text) };
  if (body.base64 === undefined) return body;
  // Latin-1 maps each byte to one character, so that a key inside is found and the rest is kept byte for byte.
  const bytes = redact(Buffer.from(body.base64, 'base64').toString('latin1'));
  return { ...body, base64: Buffer.from(bytes, 'latin1').toString('base64') };
}
