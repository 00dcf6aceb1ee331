import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fetchDocument } from './read-description.js';

const document = '{}';

/** Fetches what a server on loopback serves at `/start`, and returns what was requested. */
async function fetched(handle: RequestListener) {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(`${request.url} ${request.headers.authorization ?? 'without a key'}`);
    handle(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const result = await fetchDocument(new URL(`${origin}/start`), {
      target: { baseUrl: `${origin}/v1`, apiKey: 'the-key', deadlineMs: 5_000 },
      environment: {},
    }).catch((error: unknown) => error);
    return { result, requested };
  } finally {
    server.close();
  }
}

describe('a document at an address', () => {
  it('is read whatever media type it is given', async () => {
    const { result } = await fetched((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(document);
    });
    expect(result).toBe(document);
  });

  it('is requested with the key if it is refused without it', async () => {
    const { result, requested } = await fetched(({ headers }, response) => {
      response.writeHead(headers.authorization === 'Bearer the-key' ? 200 : 401).end(document);
    });
    expect(result).toBe(document);
    expect(requested).toEqual(['/start without a key', '/start Bearer the-key']);
  });

  it('that is elsewhere is not fetched from there', async () => {
    const { result, requested } = await fetched((_, response) =>
      response.writeHead(302, { Location: '/openapi/' }).end(),
    );
    expect(result).toMatchObject({ message: 'the response is 302, which leads to /openapi/' });
    expect(requested).toEqual(['/start without a key']);
  });
});
