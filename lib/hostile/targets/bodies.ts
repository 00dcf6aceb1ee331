import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { withHeader } from '../../reference/http-message.js';
import { payloadOf } from '../../reference/send-response.js';
import { brokenAnswer, type HostileFixture } from '../fixture.js';
import { forever, pour } from '../connection-target.js';
import { referenceWith, head, rewritten, whole, type Serve } from '../write-response.js';

const gigabyte = 1024 ** 3;
/** Beyond the limit on bodies, and no more than that: it is made in the memory of the test. */
const bomb = 24 * 1024 ** 2;
const mebibyte = Buffer.alloc(1024 ** 2, ' ');

/** Targets whose bodies are too large, or not compressed as they say. */
export const bodies: readonly HostileFixture[] = [
  {
    name: 'body-of-a-gigabyte',
    title: 'A body of 1 GB, with its Content-Length',
    serve: rewritten((wire, socket) => {
      socket.write(head(wire, ['Content-Length', String(gigabyte)]));
      pour(socket, forever(mebibyte));
    }),
    expects: { ...brokenAnswer, findings: /longer than \d+ bytes/ },
    wire: { status: 200, failure: { kind: 'too-large', message: /longer than \d+ bytes/ } },
  },
  {
    name: 'body-until-close-of-a-gigabyte',
    title: 'A body of 1 GB without any length, ended by the end of the connection',
    serve: rewritten((wire, socket) => {
      socket.write(head(wire, ['Connection', 'close']));
      pour(socket, times(gigabyte / mebibyte.length, mebibyte));
    }),
    expects: { ...brokenAnswer, findings: /longer than \d+ bytes/ },
    wire: { status: 200, failure: { kind: 'too-large', message: /longer than \d+ bytes/ } },
  },
  {
    name: 'gzip-bomb',
    title: 'A megabyte of gzip that unpacks to 1 GB',
    // Members of one gzip stream follow one another (RFC 1952 2.2): packed once, sent 1,000 times.
    serve: coded('gzip', () => Buffer.concat([...times(1_000, gzipSync(mebibyte))])),
    expects: { ...brokenAnswer, findings: /decompressed body is longer/ },
    wire: { status: 200, failure: { kind: 'too-large', message: /decompressed body is longer/ } },
  },
  {
    name: 'brotli-bomb',
    title: 'A few bytes of brotli that unpack to 24 MB',
    serve: coded('br', () =>
      brotliCompressSync(Buffer.alloc(bomb), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
    ),
    expects: { ...brokenAnswer, findings: /decompressed body is longer/ },
    wire: { status: 200, failure: { kind: 'too-large', message: /decompressed body is longer/ } },
  },
  {
    name: 'gzip-in-gzip-in-gzip',
    title: 'A gzip bomb within a gzip bomb within a gzip bomb',
    serve: coded('gzip, gzip, gzip', () => gzipSync(gzipSync(gzipSync(Buffer.alloc(bomb))))),
    expects: { ...brokenAnswer, findings: /decompressed body is longer/ },
    wire: { status: 200, failure: { kind: 'too-large', message: /decompressed body is longer/ } },
  },
  {
    name: 'twenty-codings',
    title: 'Content-Encoding names twenty codings',
    serve: coded(Array(20).fill('gzip').join(', '), () => gzipSync('[]')),
    expects: { ...brokenAnswer, findings: /20 codings/ },
    wire: { status: 200, failure: { kind: 'not-http', message: /20 codings/ } },
  },
  {
    name: 'gzip-only-by-name',
    title: 'Content-Encoding says gzip, and the body is plain JSON',
    serve: rewritten((wire, socket) => socket.end(whole(wire, ['Content-Encoding', 'gzip']))),
    expects: { ...brokenAnswer, findings: /not what its Content-Encoding \(gzip\) says/ },
    wire: {
      status: 200,
      failure: { kind: 'not-http', message: /not what its Content-Encoding \(gzip\) says/ },
    },
  },
  {
    name: 'gzip-cut-off',
    title: 'The gzip stream is cut off, though Content-Length is right',
    serve: rewritten((wire, socket) => {
      const packed = gzipSync(wire.body);
      socket.end(
        whole({ ...wire, body: packed.subarray(0, packed.length - 12) }, ['Content-Encoding', 'gzip']),
      );
    }),
    expects: { ...brokenAnswer, findings: /not what its Content-Encoding \(gzip\) says/ },
    wire: {
      status: 200,
      failure: { kind: 'not-http', message: /not what its Content-Encoding \(gzip\) says/ },
    },
  },
  {
    name: 'unknown-coding',
    title: 'Content-Encoding names a coding that was not requested and that few clients support',
    serve: rewritten((wire, socket) => socket.end(whole(wire, ['Content-Encoding', 'pack200-gzip']))),
    expects: { ...brokenAnswer, findings: /coding other than gzip, deflate and br/ },
    wire: { status: 200, failure: { kind: 'not-http', message: /coding other than gzip, deflate and br/ } },
  },
  {
    name: 'gzip-unasked',
    title: 'Every body is compressed with gzip without being requested, as it may be (RFC 9110 12.5.3)',
    serve: referenceWith((behaviour) => ({
      finish: async (response, request, service) => {
        const finished = await behaviour.finish(response, request, service);
        const body = payloadOf(finished, service);
        return body ? { ...withHeader(finished, 'Content-Encoding', 'gzip'), raw: gzipSync(body) } : finished;
      },
    })),
    expects: { exit: 0 },
    wire: { status: 200 },
  },
];

/** Sends the same body with a Content-Encoding as every response. */
function coded(coding: string, pack: () => Buffer): Serve {
  return async () => {
    const body = pack();
    return rewritten((wire, socket) => socket.end(whole({ ...wire, body }, ['Content-Encoding', coding])))();
  };
}

function* times<Value>(count: number, value: Value): Generator<Value> {
  for (let done = 0; done < count; done += 1) yield value;
}
