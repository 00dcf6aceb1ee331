import { Hono, type Context } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer, Asked, OperationName } from './answer.js';
import type { Service } from './behaviour.js';
import type { Call, Caller, Limiter } from './limiter/limiter.js';
import { Refusal } from './refusal.js';

/** The longest body that is read, in bytes. What is longer is answered with 413. */
const bodyLimit = 1024 * 1024;

type Bindings = { Bindings: HttpBindings };

export interface ServiceParts {
  readonly service: Service;
  readonly limiter: Limiter;
  /** Who callers without a valid key are counted as. */
  readonly anonymous: Caller;
  /** Told of each request that arrives. */
  readonly arrived: () => void;
}

/** The service's routes. Everything is one pipeline, so that no answer leaves without its rate-limit headers. */
export function createApp(parts: ServiceParts): Hono<Bindings> {
  const connections = connectionNumbers();
  const handle = (operation: OperationName | null) => async (context: Context<Bindings>) => {
    const { incoming, outgoing } = context.env;
    parts.arrived();
    const asked: Asked = {
      method: incoming.method ?? 'GET',
      operation,
      path: context.req.path,
      petId: context.req.param('petId') ?? '',
      query: new URL(context.req.url).searchParams,
      headers: incoming.headers,
      ...(await readBody(incoming)),
      connection: connections(incoming.socket),
      at: parts.service.now(),
    };
    const answer = await answerTo(asked, parts);
    await parts.service.behaviour.transmit(answer, asked, outgoing, parts.service);
    return RESPONSE_ALREADY_SENT;
  };
  const { basePath } = parts.service;
  const app = new Hono<Bindings>();
  app.get(`${basePath}/pets`, handle('listPets'));
  app.post(`${basePath}/pets`, handle('createPet'));
  app.get(`${basePath}/pets/:petId`, handle('getPet'));
  app.all('*', handle(null));
  // Only a connection that broke while a request was read, or an answer written, ends here: nobody is left to answer.
  app.onError((_error, { env }) => {
    env.outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

/** Counts, authenticates, serves, and completes the answer's headers. */
async function answerTo(asked: Asked, { service, limiter, anonymous }: ServiceParts): Promise<Answer> {
  const { behaviour } = service;
  const key = behaviour.authenticate(asked.headers.authorization, service, asked);
  const caller = key ? { name: key.key, perMinute: key.perMinute, perDay: key.perDay } : anonymous;
  const call: Call = { caller, operation: asked.operation, connection: asked.connection, at: asked.at };
  const decision = await limiter.take(call);
  let answer: Answer;
  try {
    if (!decision.admitted) throw new Refusal('rate-limited', 'Too many requests. Wait as Retry-After says.');
    await behaviour.beforeAuthentication(asked, service);
    if (!key && behaviour.secured(asked)) {
      throw new Refusal('unauthorized', 'A valid API key is required: Authorization: Bearer <API_KEY>.');
    }
    answer = await behaviour[asked.operation ?? 'unlisted'](asked, service);
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : new Refusal('internal', 'The service could not answer.');
    answer = behaviour.refuse(refusal, asked, service);
  }
  const settled = limiter.settle(call, decision, answer.status);
  const complete: Answer = {
    ...answer,
    headers: [
      ...(answer.content === undefined ? [] : ([['Content-Type', 'application/json']] as const)),
      ...answer.headers,
      ...behaviour.deprecation(asked),
      ...behaviour.rateHeaders(settled, asked),
    ],
  };
  return behaviour.finish(complete, asked, service);
}

/** Reads to the end, so that the client gets its answer, but keeps no more than the limit. */
async function readBody(incoming: IncomingMessage): Promise<{ body: Uint8Array; tooLarge: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes <= bodyLimit) chunks.push(chunk);
  }
  return { body: Buffer.concat(chunks), tooLarge: bytes > bodyLimit };
}

/** Numbers connections in the order of their first request. */
function connectionNumbers(): (socket: Socket) => number {
  const numbers = new WeakMap<Socket, number>();
  let last = 0;
  return (socket) => {
    const known = numbers.get(socket);
    if (known !== undefined) return known;
    last += 1;
    numbers.set(socket, last);
    return last;
  };
}
