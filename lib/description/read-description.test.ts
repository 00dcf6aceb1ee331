import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readDescription } from './read-description.js';

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
    const target = { baseUrl: `${origin}/v1`, userAgent: 'test', deadlineMs: 5_000 };
    return { ...(await readDescription(`${origin}/start`, target, 'the-key')), requested };
  } finally {
    server.close();
  }
}

describe('a document at an address', () => {
  it('is read whatever media type it is given', async () => {
    const { text } = await fetched((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(document);
    });
    expect(text).toBe(document);
  });

  it('is requested with the key if it is refused without it', async () => {
    const { text, requested } = await fetched(({ headers }, response) => {
      response.writeHead(headers.authorization === 'Bearer the-key' ? 200 : 401).end(document);
    });
    expect(text).toBe(document);
    expect(requested).toEqual(['/start without a key', '/start Bearer the-key']);
  });

  it('that is elsewhere is not fetched from there', async () => {
    const { problem, requested } = await fetched((_, response) =>
      response.writeHead(302, { Location: '/openapi/' }).end(),
    );
    expect(problem).toBe('the response is 302, which leads to /openapi/');
    expect(requested).toEqual(['/start without a key']);
  });
});
