import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import Client from 'autocannon/lib/httpClient.js';
import type { Clock } from '../http/clock/clock.js';
import { connectorFor, type ConnectOptions, type Connector } from '../http/connection/connector.js';
import { describeFailure, type TransportFailure } from '../http/connection/failure.js';
import { Reception } from '../http/connection/reception.js';
import {
  type Destination,
  type PlannedRequest,
  wireRequest,
  type WireRequest,
} from '../http/exchange/planned-request.js';
import { fieldsOf } from '../http/headers/header-list.js';
import type { LedgerEntry } from './ledger.js';
import type { Standstill } from './standstill.js';

/** Bytes of body that are kept, and of a head: a load asks for short ones. */
const maximumBytes = 1024 * 1024;
const maximumHead = 64 * 1024;
/** Milliseconds for which an idle connection is used again: servers close theirs after some seconds. */
const keptOpenMs = 2_000;
/** Seconds of autocannon's own deadline, which never comes: each request has one of milliseconds. */
const neverComes = 2_000_000;

const closed: TransportFailure = { kind: 'closed', message: 'the server closed the connection' };
const notHttp: TransportFailure = {
  kind: 'not-http',
  message: 'the response is not valid HTTP/1.1, or its head is longer than 64 KiB',
};

/** Where a load goes, and how connections to it are opened. */
export interface LoadTarget extends Destination, ConnectOptions {
  /** Milliseconds for one request, from sending to the last byte. */
  readonly deadlineMs: number;
}

export interface Sending {
  readonly target: LoadTarget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** At least one. */
  readonly connections: number;
  /** Source addresses that they are bound to in turn; default that of the target. */
  readonly localAddresses?: readonly string[] | undefined;
  /** Sends one request at a time, each over the next connection; default false. */
  readonly inTurn?: boolean;
  /** Sends `Connection: close` with each request, for servers that can't serve many open connections; default false. */
  readonly closeConnections?: boolean;
}

/**
 * One client of autocannon as a lane: one request at a time, over a connection that is opened here. autocannon writes the
 * request and parses the response; when it is sent, and what became of it, is known here.
 */
export class Lane extends Client {
  /** When its connection was opened, or its last request ended, by the clock. */
  freeAt = 0;
  readonly #origin: URL;
  readonly #connector: Connector;
  #socket: Socket | undefined;
  #reception: Reception | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #keepsOpen = true;

  constructor(
    private readonly sending: Sending,
    private readonly standstill: Standstill,
  ) {
    super({ timeout: neverComes });
    const { target, clock, closeConnections } = sending;
    this.#origin = new URL(target.baseUrl);
    this.#connector = connectorFor(this.#origin, target);
    this.conn = new Socket();
    this.parser.maxHeaderSize = maximumHead;
    // Fields are bytes: each stays one character.
    this.parser.constructor.encoding = 'latin1';
    this.pipelinedRequests = {
      insertRequest: () => {
        if (this.#reception) this.#reception.received.sentAt = clock.now();
        this.#reception?.written(this.conn);
      },
      setHeaders: ({ statusCode, headers, shouldKeepAlive }) => {
        // Nobody has asked for it.
        if (!this.#reception?.isOpen) return this.#drop();
        this.#keepsOpen = shouldKeepAlive && !closeConnections;
        this.#reception.head(statusCode, fieldsOf(headers));
      },
      addBody: (bytes) => this.#reception?.data(bytes),
      terminateRequest: () => {
        // An interim response is none: the final one follows (RFC 9110 15.2).
        const isWhole = this.#reception?.received.status !== null;
        if (isWhole && !this.#keepsOpen) this.#drop();
        if (isWhole) this.#reception?.end();
        return { headers: {} };
      },
      clear: () => undefined,
    };
  }

  /** autocannon's would accept any certificate. */
  override _connect(): void {
    // `open` does it.
  }

  /** autocannon's would write the next request after each response. */
  override _doRequest(): void {
    // `send` does it.
  }

  override getRequestBuffer(): Buffer {
    return this.#bytes;
  }

  /**
   * Sends a request that was planned for a moment. Ends with the whole response or with a failure, at the latest at the
   * deadline; never rejects.
   */
  async send(request: PlannedRequest, plannedAt: number): Promise<LedgerEntry> {
    const { target: destination, clock, closeConnections = false } = this.sending;
    const { freeAt } = this;
    const reception = new Reception({
      clock,
      deadlineMs: destination.deadlineMs,
      maximumBytes,
      onHead: () => (entry.ownLateMs = this.standstill.within(entry.at - entry.sentAt)),
      // After a failure the connection is not used again.
      onEnd: (failure) => {
        if (entry.connection === undefined) entry.sentAt = entry.endedAt;
        // A timer may fire a moment early.
        entry.ownLateMs += Math.max(0, entry.sentAt - Math.max(plannedAt, freeAt));
        if (failure) this.#drop();
      },
    });
    const entry = Object.assign(reception.received, { request, destination, plannedAt, ownLateMs: 0 });
    this.#reception = reception;
    this.#bytes = requestBytes(wireRequest(request, destination), this.#origin.host, closeConnections);
    if (freeAt < clock.now() - keptOpenMs) this.#drop();
    const failure = this.#socket ? undefined : await this.open();
    if (failure) reception.end(failure);
    // The deadline may have passed while the connection was opened.
    else if (reception.isOpen) super._doRequest();
    await reception.ended;
    return entry;
  }

  /** Between two requests: an end of the connection that comes with a response is seen two turns of the event loop later. */
  async rest(): Promise<void> {
    if (this.#socket) await turn().then(() => turn());
    this.freeAt = this.sending.clock.now();
  }

  close(): void {
    this.destroy();
    this.#drop();
  }

  /** Opens the connection; ahead of a request, which finds out by itself why it is not there. */
  async open(): Promise<TransportFailure | undefined> {
    const { hostname, host, protocol, port } = this.#origin;
    // IPv6 literals stand in brackets in a URL and without them in a socket's address.
    const address = { hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port };
    return new Promise((resolve) => {
      this.#connector(address, (error, socket) => {
        if (socket) this.#adopt(socket);
        resolve(socket ? undefined : describeFailure(error));
      });
    });
  }

  #adopt(socket: Socket): void {
    const { parser } = this;
    this.#drop();
    this.#socket = socket;
    this.conn = socket;
    this.freeAt = this.sending.clock.now();
    parser.initialize(parser.constructor.RESPONSE);
    // What an earlier connection still says is about nothing that is under way.
    const isOurs = (): boolean => this.#socket === socket;
    const lost = (failure: TransportFailure): void => {
      if (!isOurs()) return;
      this.#reception?.fail(failure);
      this.#drop();
    };
    socket.on('data', (chunk: Buffer) => {
      if (isOurs() && parser.execute(chunk) instanceof Error) lost(notHttp);
    });
    socket.on('end', () => {
      if (isOurs()) parser.finish();
      lost(closed);
    });
    socket.on('error', (error) => lost(describeFailure(error)));
    socket.on('close', () => lost(closed));
  }

  #drop(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

/** A request as it is written to a connection (RFC 9112 3), each character of its head one byte. */
export function requestBytes(
  { method, path, headers, body }: WireRequest,
  host: string,
  closeConnection: boolean,
): Buffer {
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: ${closeConnection ? 'close' : 'keep-alive'}\r\n`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  if (body === undefined && method !== 'POST') return Buffer.from(`${head}\r\n`, 'latin1');
  const content = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array());
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${content.length}\r\n\r\n`, 'latin1'), content]);
}
