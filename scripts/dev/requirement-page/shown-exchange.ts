import { firstValueOf } from '../../../lib/http/headers/header-list.js';
import type { Exchange } from '../../../lib/http/exchange/exchange.js';

/** The address that pages show. */
const address = 'http://localhost:8080/v1';

/** Fields of the connection, which say nothing of the service. */
const ofConnection = /^(connection|keep-alive|content-length|transfer-encoding|user-agent|accept|host)$/i;

const longestBody = 700;

/** An exchange as HTTP, with the name of the key's variable in place of the key. */
export function shownExchange({ request, response, failure }: Exchange): string {
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

function headerLines(headers: Exchange['request']['headers']): string[] {
  return headers.filter(([name]) => !ofConnection.test(name)).map(([name, value]) => `${name}: ${value}`);
}

function clipped(text: string): string {
  return text.length > longestBody ? `${text.slice(0, longestBody)}… (${text.length} characters)` : text;
}

/** How alike two exchanges are: the same probe's request, as nearly as there is one. */
export function likeness(one: Exchange, other: Exchange): number {
  const [a, b] = [new URL(one.request.url), new URL(other.request.url)];
  const shape = ({ pathname }: URL): string => pathname.replace(/\/\d+$/, '/N');
  const header = ({ request }: Exchange, wanted: string): string =>
    firstValueOf(request.headers, wanted) ?? '';
  const keys = ({ request }: Exchange): string =>
    (request.body ?? '').replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, '_');
  const points: ReadonlyArray<readonly [points: number, same: boolean]> = [
    [32, one.request.method === other.request.method && shape(a) === shape(b)],
    [16, one.credential === other.credential],
    [8, header(one, 'authorization') === header(other, 'authorization')],
    [8, one.purpose === other.purpose],
    [6, a.search === b.search],
    [4, keys(one) === keys(other)],
    [2, one.phase === other.phase],
    [1, one.id === other.id],
  ];
  return points.reduce((sum, [worth, same]) => sum + (same ? worth : 0), 0);
}
