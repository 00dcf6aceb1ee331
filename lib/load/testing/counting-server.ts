import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of a test's own on the loopback interface, which counts what arrives. */
export interface CountingServer {
  readonly origin: string;
  readonly arrived: () => number;
  readonly server: Server;
  readonly close: () => Promise<void>;
}

/** Starts a server; `answer` gets the number of the request, from 1. */
export async function startCountingServer(
  answer: (number: number, response: ServerResponse, request: IncomingMessage) => void,
): Promise<CountingServer> {
  let arrived = 0;
  const listener: RequestListener = (request, response) => {
    arrived += 1;
    const number = arrived;
    request.resume().on('end', () => answer(number, response, request));
  };
  const server = createServer({ keepAlive: true }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    arrived: () => arrived,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with 200 up to the limit and with 429 beyond it. */
export function limitedTo(limit: number): (number: number, response: ServerResponse) => void {
  return (number, response) => {
    response.statusCode = number <= limit ? 200 : 429;
    response.setHeader('X-RateLimit-Remaining', String(Math.max(0, limit - number)));
    response.end(`answer ${number}`);
  };
}
