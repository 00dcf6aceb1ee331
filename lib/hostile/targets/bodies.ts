import { gzipSync } from 'node:zlib';
import { withHeader, type Header } from '../../reference/http-message.js';
import { payloadOf } from '../../reference/send-response.js';
import { fails, undocumented, type HostileFixture } from '../fixture.js';
import { forever, pour } from '../server.js';
import { head, referenceWith, whole, written } from '../write-response.js';

const gigabyte = 1024 ** 3;
const mebibyte = Buffer.alloc(1024 ** 2, ' ');
const gzip: Header = ['Content-Encoding', 'gzip'];
const chunked: Header = ['Transfer-Encoding', 'chunked'];

/** Targets whose bodies are too large, not compressed as they say, or longer or shorter than they say (RFC 9112 6). */
export const bodies: readonly HostileFixture[] = [
  {
    name: 'body-of-a-gigabyte',
    title: 'A body of 1 GB, with its Content-Length',
    serve: written((wire, socket) => {
      socket.write(head(wire, length(gigabyte)));
      pour(socket, forever(mebibyte));
    }),
    ...fails('too-large', /longer than \d+ bytes/, 200),
  },
  {
    name: 'gzip-bomb',
    title: 'A megabyte of gzip that unpacks to 1 GB',
    serve: async () => {
      // Members of one gzip stream follow one another (RFC 1952 2.2): packed once, sent 1,000 times.
      const body = Buffer.concat(Array<Buffer>(1_000).fill(gzipSync(mebibyte)));
      return written((wire) => whole({ ...wire, body }, gzip))();
    },
    ...fails('too-large', /decompressed body is longer/, 200),
  },
  {
    name: 'gzip-only-by-name',
    title: 'Content-Encoding says gzip, and the body is plain JSON',
    serve: written((wire) => whole(wire, gzip)),
    ...fails('not-http', /not what its Content-Encoding \(gzip\) says/, 200),
  },
  {
    name: 'unknown-coding',
    title: 'Content-Encoding names a coding that was not requested and that few clients support',
    serve: written((wire) => whole(wire, ['Content-Encoding', 'pack200-gzip'])),
    ...fails('not-http', /coding other than gzip, deflate and br/, 200),
  },
  {
    name: 'gzip-unasked',
    title: 'Every body is compressed with gzip without being requested, as it may be (RFC 9110 12.5.3)',
    serve: referenceWith((behaviour) => ({
      finish: async (response, request, service) => {
        const finished = await behaviour.finish(response, request, service);
        const body = payloadOf(finished, service);
        return body ? { ...withHeader(finished, ...gzip), raw: gzipSync(body) } : finished;
      },
    })),
  },
  {
    name: 'length-too-large',
    title: 'Content-Length promises more than comes before the connection is closed',
    serve: written((wire) => Buffer.concat([head(wire, length(wire.body.length + 10)), wire.body])),
    ...fails('closed', /closed the connection, after \d+ bytes/, 200),
  },
  {
    name: 'length-too-small',
    title: 'Content-Length promises less than comes',
    serve: written((wire) => Buffer.concat([head(wire, length(wire.body.length - 1)), wire.body])),
    ...fails('not-http', /more bytes than its response announced/, 200),
  },
  {
    name: 'two-lengths',
    title: 'Two Content-Length headers that differ',
    serve: written(({ body, ...wire }) =>
      Buffer.concat([head(wire, length(body.length), length(body.length - 1)), body]),
    ),
    ...fails('not-http', /Content-Length is not the length/),
  },
  {
    name: 'length-and-chunked',
    title: 'Content-Length and Transfer-Encoding together, the way requests are smuggled',
    serve: written((wire) =>
      Buffer.concat([head(wire, length(3), chunked), chunk(wire.body), Buffer.from('0\r\n\r\n')]),
    ),
    ...fails('not-http', /Content-Length|Transfer-Encoding/),
  },
  {
    name: 'chunked-without-end',
    title: 'The connection ends before the last chunk',
    serve: written((wire) => Buffer.concat([head(wire, chunked), chunk(wire.body)])),
    ...fails('closed', /closed the connection, after \d+ bytes/, 200),
  },
  {
    name: 'chunked-only-by-name',
    title: 'Transfer-Encoding says chunked, and the body is plain',
    serve: written((wire) => Buffer.concat([head(wire, chunked), wire.body])),
    ...fails('not-http', /not valid HTTP\/1\.1/, 200),
  },
  {
    name: 'two-answers',
    title: 'Each request gets two responses',
    serve: written((wire) => Buffer.concat([whole(wire), whole({ ...wire, status: 500 })])),
    ...fails('not-http', /more bytes than its response announced/, 200),
  },
  {
    name: 'no-content-with-body',
    title: 'A 204 with a Content-Length and a body',
    serve: written((wire) => whole({ ...wire, status: 204 })),
    ...fails('not-http', /Content-Length is not the length/, 204),
  },
  {
    name: 'not-modified',
    title: 'Every response is a 304, though no request was conditional',
    serve: written((wire) =>
      head({ ...wire, status: 304 }, ['Connection', 'close'], length(wire.body.length)),
    ),
    status: 304,
    failing: undocumented,
  },
];

function length(bytes: number): Header {
  return ['Content-Length', String(bytes)];
}

function chunk(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}
