import { gzipSync } from 'node:zlib';
import { withResponses } from '../../changes.js';
import { mapHeader, withoutHeader } from '../../http-message.js';
import type { Fault } from '../fault.js';

/** How bodies are typed and encoded: MEDIA-01. */
export const mediaFaults: readonly Fault[] = [
  {
    name: 'errors-typed-as-plain-text',
    title: 'Error bodies are JSON with the media type text/plain',
    breaks: ['MEDIA-01'],
    options: withResponses((response) =>
      response.status >= 400 ? mapHeader(response, 'Content-Type', () => 'text/plain') : response,
    ),
  },
  {
    name: 'creation-typed-as-a-vendor-s',
    title: 'A created animal has the media type application/vnd.pets+json',
    breaks: ['MEDIA-01'],
    options: withResponses((response) =>
      response.status === 201
        ? mapHeader(response, 'Content-Type', () => 'application/vnd.pets+json')
        : response,
    ),
  },
  {
    name: 'body-without-a-type',
    title: 'A fetched animal has no Content-Type',
    breaks: ['MEDIA-01'],
    options: withResponses((response, { operation }) =>
      operation === 'getPet' ? withoutHeader(response, 'Content-Type') : response,
    ),
  },
  {
    name: 'creation-in-latin-1-if-it-fits',
    title: 'The response to a creation is in Latin-1 if its text fits into it',
    breaks: ['MEDIA-01'],
    options: withResponses((response, { operation }, { behaviour }) => {
      if (operation !== 'createPet' || response.content === undefined) return response;
      const text = behaviour.write(response.content);
      return /^[\u0000-\u00ff]*$/u.test(text) ? { ...response, raw: Buffer.from(text, 'latin1') } : response;
    }),
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
  },
];
