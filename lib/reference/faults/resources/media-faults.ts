import { gzipSync } from 'node:zlib';
import type { ServiceResponse, ServiceRequest } from '../../http-message.js';
import { mapHeader, withoutHeader } from '../../http-message.js';
import { withBehaviour, withResponses } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, send, expectOnWire } from '../wire.js';

function typed(
  type: string,
  matches: (response: ServiceResponse, request: ServiceRequest) => boolean,
): Fault['options'] {
  return withResponses((response, request) =>
    matches(response, request) ? mapHeader(response, 'Content-Type', () => type) : response,
  );
}

export const mediaFaults: readonly Fault[] = [
  {
    name: 'listing-typed-as-html',
    title: 'The listing is JSON with the media type text/html',
    breaks: ['MEDIA-01'],
    options: typed('text/html; charset=utf-8', (_answer, { operation }) => operation === 'listPets'),
    async wire(target) {
      expectOnWire(
        (await send(target)).header('content-type')?.startsWith('text/html') === true,
        'a listing typed as HTML',
      );
    },
  },
  {
    name: 'errors-typed-as-plain-text',
    title: 'Error bodies are JSON with the media type text/plain',
    breaks: ['MEDIA-01'],
    options: typed('text/plain', ({ status }) => status >= 400),
    async wire(target) {
      const { header } = await send(target, { authorization: null });
      expectOnWire(header('content-type') === 'text/plain', 'an error typed as plain text');
    },
  },
  {
    name: 'creation-typed-as-a-vendor-s',
    title: 'A created animal has the media type application/vnd.pets+json',
    breaks: ['MEDIA-01'],
    options: typed('application/vnd.pets+json', ({ status }) => status === 201),
    async wire(target) {
      expectOnWire(
        (await create(target)).header('content-type') === 'application/vnd.pets+json',
        'a vendor type',
      );
    },
  },
  {
    name: 'body-without-a-type',
    title: 'A fetched animal has no Content-Type',
    breaks: ['MEDIA-01'],
    options: withResponses((response, { operation }) =>
      operation === 'getPet' ? withoutHeader(response, 'Content-Type') : response,
    ),
    async wire(target) {
      const { header } = await send(target, { path: '/pets/1' });
      expectOnWire(header('content-type') === undefined, 'a body without a type');
    },
  },
  {
    name: 'html-404',
    title: '404 is an HTML page',
    breaks: ['ERR-01', 'GET-03', 'MEDIA-01'],
    options: withResponses((response) =>
      response.status === 404
        ? {
            ...mapHeader(response, 'Content-Type', () => 'text/html'),
            raw: '<!doctype html><title>404</title><h1>Not Found</h1>',
          }
        : response,
    ),
    async wire(target) {
      const { text } = await send(target, { path: '/pets/9223372036854775807' });
      expectOnWire(text.startsWith('<!doctype html>'), 'a 404 in HTML');
    },
  },
  {
    name: 'cut-off-json-answered-in-html',
    title: 'A body that is not JSON gets a 400 of the framework, with an HTML page',
    breaks: ['ERR-01', 'MEDIA-01'],
    options: withBehaviour(({ refuse }) => ({
      refuse(refusal, request, service) {
        const response = refuse(refusal, request, service);
        if (refusal.kind !== 'invalid-body' || !refusal.message.includes('valid JSON')) return response;
        return {
          status: 400,
          headers: [['Content-Type', 'text/html; charset=utf-8']],
          raw: '<!doctype html><title>Error</title><pre>Unexpected end of JSON input</pre>',
        };
      },
    })),
    async wire(target) {
      const { text } = await send(target, { method: 'POST', body: '{"name":' });
      expectOnWire(text.startsWith('<!doctype html>'), 'a 400 in HTML');
    },
  },
  {
    name: 'json-with-a-trailing-comma',
    title: 'Error bodies of 401 end in a comma that JSON does not allow',
    breaks: ['ERR-01', 'MEDIA-01'],
    options: withResponses((response, _asked, { behaviour }) =>
      response.status === 401
        ? { ...response, raw: behaviour.write(response.content).replace(/}$/, ',}') }
        : response,
    ),
    async wire(target) {
      const { text } = await send(target, { authorization: null });
      expectOnWire(text.endsWith(',}'), 'a trailing comma');
    },
  },
  {
    name: 'error-in-latin-1',
    title: 'Error bodies of 401 are encoded in Latin-1',
    breaks: ['ERR-01', 'MEDIA-01'],
    options: withResponses((response) =>
      response.status === 401
        ? {
            ...response,
            raw: Buffer.from('{"code":"unauthorized","message":"Schlüssel ungültig","status":401}', 'latin1'),
          }
        : response,
    ),
    async wire(target) {
      const { text } = await send(target, { authorization: null });
      expectOnWire(text.includes('\ufffd'), 'a body that is no UTF-8');
    },
  },
  {
    name: 'compressed-listings-cut-off',
    title: 'A listing lacks its end if it is compressed for a client that accepts that',
    breaks: ['ROBUST-01'],
    options: withResponses((response, request, { behaviour }) =>
      request.operation === 'listPets' && /gzip/.test(String(request.headers['accept-encoding']))
        ? {
            ...response,
            headers: [...response.headers, ['Content-Encoding', 'gzip']],
            raw: gzipSync(behaviour.write(response.content)).subarray(0, -9),
          }
        : response,
    ),
    async wire(target) {
      const { header } = await send(target, { acceptEncoding: 'gzip' });
      expectOnWire(header('content-encoding') === 'gzip', 'a compressed listing');
    },
  },
];
