import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';

/** The address that pages show. */
const address = 'http://localhost:8080/v1';

/** Fields of the connection, which say nothing of the service. */
const ofConnection = /^(connection|keep-alive|content-length|transfer-encoding|user-agent|accept|host)$/i;

const longestBody = 700;

/** An exchange as HTTP, with the name of the key's variable in place of the key. */
export function shownExchange({ request, response, failure }: RecordedExchange): string {
  const { pathname, search } = new URL(request.url);
  const lines = [
    `${request.method} ${pathname}${search} HTTP/1.1`,
    ...headerLines(request.headers),
    ...(request.body === undefined ? [] : ['', clipped(request.body)]),
    '',
    ...(response
      ? [
          `HTTP/1.1 ${response.status}`,
          ...headerLines(response.headers),
          ...(response.body.bytes === 0 ? [] : ['', clipped(response.body.text ?? '(not text)')]),
        ]
      : [`(no response: ${failure?.message ?? 'none came'})`]),
  ];
  return withoutOrigin(lines.join('\n'));
}

/** The text with the address that pages show in place of the one that a run used. */
export function withoutOrigin(text: string): string {
  return text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/v1/g, address)
    .replaceAll(/127\.0\.0\.1:\d+/g, 'localhost:8080');
}

function headerLines(headers: RecordedExchange['request']['headers']): string[] {
  return headers.filter(([name]) => !ofConnection.test(name)).map(([name, value]) => `${name}: ${value}`);
}

function clipped(text: string): string {
  return text.length > longestBody ? `${text.slice(0, longestBody)}… (${text.length} characters)` : text;
}
