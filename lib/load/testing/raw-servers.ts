import { createServer, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Servers that write bytes of their own, and log the paths of all requests that reached them. */
export interface RawServer {
  readonly origin: string;
  readonly arrived: readonly string[];
  readonly close: () => Promise<void>;
}

/** What a server does with a request. @param number from 1, of all requests; @param onConnection of this connection */
type Respond = (socket: Socket, path: string, number: number, onConnection: number) => void;

const head = (fields: string, status = '200 OK'): string => `HTTP/1.1 ${status}\r\n${fields}\r\n\r\n`;
const sized = (body: string | Buffer, fields = ''): string =>
  head(`Content-Length: ${Buffer.byteLength(body)}${fields}`);
const text = (path: string): string => `body of ${path} – ä€😀`;

/** A chunked body, cut into pieces of one byte: each character is torn. */
function writeTorn(socket: Socket, path: string): void {
  socket.write(head('Transfer-Encoding: chunked'));
  for (const byte of Buffer.from(text(path)))
    socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
  socket.write('0\r\n\r\n');
}

const compressed = (coding: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(sized(body, `\r\nContent-Encoding: ${coding}`)), body]);

/** How servers treat their connections, by name. All but those that lose requests respond to each with its path. */
export const rawServers: Readonly<Record<string, Respond>> = {
  'keeps connections open': (socket, path) => void socket.write(sized(text(path)) + text(path)),
  'closes each connection': (socket, path) =>
    void socket.end(sized(text(path), '\r\nConnection: close') + text(path)),
  'closes each connection unannounced': (socket, path) => void socket.end(sized(text(path)) + text(path)),
  'closes after five requests': (socket, path, _number, onConnection) => {
    socket.write(sized(text(path)) + text(path));
    if (onConnection === 5) socket.end();
  },
  'resets every seventh body': (socket, path, number) => {
    if (number % 7 !== 0) socket.write(sized(text(path)) + text(path));
    else socket.write(sized(text(path)) + 'body', () => socket.resetAndDestroy());
  },
  'never answers every tenth request': (socket, path, number) => {
    if (number % 10 !== 0) socket.write(sized(text(path)) + text(path));
  },
  'speaks HTTP/1.0': (socket, path) => void socket.end(`HTTP/1.0 200 OK\r\n\r\n${text(path)}`),
  'sends 103 first': (socket, path) => {
    socket.write(head('Link: </style.css>; rel=preload', '103 Early Hints'));
    setImmediate(() => socket.write(sized(text(path)) + text(path)));
  },
  'cuts chunks within a character': writeTorn,
  'is slow to begin': (socket, path) =>
    void setTimeout(() => socket.write(sized(text(path)) + text(path)), 3),
  'rejects every third request': (socket, path, number) =>
    void socket.write(
      head(`Content-Length: ${Buffer.byteLength(text(path))}`, number % 3 === 0 ? '429 Too Many' : '200 OK') +
        text(path),
    ),
  'compresses with gzip': (socket, path) =>
    void socket.write(compressed('gzip', gzipSync(Buffer.from(text(path))))),
  'compresses with br': (socket, path) =>
    void socket.write(compressed('br', brotliCompressSync(Buffer.from(text(path))))),
};

/** What a whole response of any of them has as its body. */
export const bodyFor = text;

/** Starts a server on the loopback interface. */
export async function startRawServer(respond: Respond): Promise<RawServer> {
  const arrived: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let read = '';
    let onConnection = 0;
    sockets.add(socket.setNoDelay(true).on('error', () => undefined));
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      read += bytes.toString('latin1');
      for (let end = read.indexOf('\r\n\r\n'); end >= 0; end = read.indexOf('\r\n\r\n')) {
        const path = read.split(' ')[1] ?? '';
        read = read.slice(end + 4);
        arrived.push(path);
        onConnection += 1;
        respond(socket, path, arrived.length, onConnection);
      }
    });
  });
  await new Promise<void>((resolve) =>
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1_000 }, resolve),
  );
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    arrived,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
