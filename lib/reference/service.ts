import { Hono, type Context } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceResponse, ServiceRequest, OperationName } from './http-message.js';
import type { Service } from './behaviour.js';
import type { Call, Caller, Limiter } from './limiter/limiter.js';
import { Refusal } from './operations/refused-request.js';

/** The longest body that is read, in bytes. What is longer gets 413. */
const bodyLimit = 1024 * 1024;

type Bindings = { Bindings: HttpBindings };

export interface ServiceParts {
  readonly service: Service;
  readonly limiter: Limiter;
  /** The caller under which requests without a valid key are counted. */
  readonly anonymous: Caller;
  /** Called for each request that arrives. */
  readonly arrived: () => void;
}

/** The service's routes. Everything is one pipeline, so that no response leaves without its rate-limit headers. */
export function createApp(parts: ServiceParts): Hono<Bindings> {
  const numberOf = connectionNumbers();
  const handle = (operation: OperationName | null) => async (context: Context<Bindings>) => {
    const { incoming, outgoing } = context.env;
    parts.arrived();
    const request: ServiceRequest = {
      method: incoming.method ?? 'GET',
      operation,
      path: context.req.path,
      petId: context.req.param('petId') ?? '',
      query: new URL(context.req.url).searchParams,
      headers: incoming.headers,
      ...(await readBody(incoming)),
      connection: numberOf(incoming.socket),
      address: incoming.socket.remoteAddress ?? '',
      at: parts.service.now(),
    };
    const response = await respondTo(request, parts);
    await parts.service.behaviour.transmit(response, request, outgoing, parts.service);
    return RESPONSE_ALREADY_SENT;
  };
  const { basePath } = parts.service;
  const app = new Hono<Bindings>();
  app.get(`${basePath}/pets`, handle('listPets'));
  app.post(`${basePath}/pets`, handle('createPet'));
  app.get(`${basePath}/pets/:petId`, handle('getPet'));
  app.all('*', handle(null));
  // Only a connection that broke while a request was read or a response was written ends here: no client is left.
  app.onError((_error, { env }) => {
    env.outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

/** Counts, authenticates, serves, and completes the response's headers. */
async function respondTo(
  request: ServiceRequest,
  { service, limiter, anonymous }: ServiceParts,
): Promise<ServiceResponse> {
  const { behaviour } = service;
  const key = behaviour.authenticate(request.headers.authorization, service, request);
  const caller = key ? { name: key.key, perMinute: key.perMinute, perDay: key.perDay } : anonymous;
  const call: Call = {
    caller,
    operation: request.operation,
    path: `${request.path}?${request.query}`,
    connection: request.connection,
    address: request.address,
    namedAddress: namedAddress(request.headers),
    at: request.at,
  };
  const decision = await limiter.take(call);
  let response: ServiceResponse;
  try {
    if (!decision.admitted) throw new Refusal('rate-limited', 'Too many requests. Wait as Retry-After says.');
    await behaviour.beforeAuthentication(request, service);
    if (!key && behaviour.secured(request)) {
      throw new Refusal('unauthorized', 'A valid API key is required: Authorization: Bearer <API_KEY>.');
    }
    response = await behaviour[request.operation ?? 'unlisted'](request, service);
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : new Refusal('internal', 'The service could not answer.');
    response = behaviour.refuse(refusal, request, service);
  }
  const settled = limiter.finishCall(call, decision, response.status);
  const complete: ServiceResponse = {
    ...response,
    headers: [
      ...(response.content === undefined ? [] : ([['Content-Type', 'application/json']] as const)),
      ...response.headers,
      ...behaviour.deprecation(request),
      ...behaviour.rateHeaders(settled, request),
    ],
  };
  return behaviour.finish(complete, request, service);
}

/** Reads the whole body, so that the client gets its response, but keeps no more than the limit. */
async function readBody(incoming: IncomingMessage): Promise<{ body: Uint8Array; tooLarge: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A request has a body if one of these says so (RFC 9112 6.3).
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers;
  if (length === '0' && encoding === undefined) return { body: Buffer.alloc(0), tooLarge: false };
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes <= bodyLimit) chunks.push(chunk);
  }
  return { body: Buffer.concat(chunks), tooLarge: bytes > bodyLimit };
}

/** The client's address as a header names it, whoever wrote that header. */
function namedAddress(headers: IncomingMessage['headers']): string | undefined {
  const named = headers['x-forwarded-for'] ?? headers['x-real-ip'] ?? headers.forwarded;
  return typeof named === 'string' ? named : undefined;
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
