import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Client, ParsedHead } from 'autocannon/lib/run.js';
import type { Clock } from '../http/clock/clock.js';
import type { ConnectOptions, Connector } from '../http/connection/connector.js';
import { describeFailure, wrongLength, type TransportFailure } from '../http/connection/failure.js';
import { Reception } from '../http/connection/reception.js';
import { type Destination, type PlannedRequest, wireRequest } from '../http/exchange/planned-request.js';
import { firstValueOf, valuesOf } from '../http/headers/header-list.js';
import type { LedgerEntry } from './ledger.js';
import { requestBytes } from './request-bytes.js';

/** Bytes of body that are kept, and of a head: a load asks for short ones. */
const maximumBody = 1024 * 1024;
const maximumHead = 64 * 1024;
/** Milliseconds for which an idle connection is used again: servers close theirs after some seconds. */
const keptOpenMs = 2_000;

const bodiless = new Set([204, 304]);
const closed: TransportFailure = { kind: 'closed', message: 'the server closed the connection' };

/** Where a load goes, and how connections to it are opened. */
export interface LoadTarget extends Destination, ConnectOptions {
  /** Milliseconds for one request, from sending to the last byte. */
  readonly timeoutMs: number;
}

export interface LaneOptions {
  /** Sends `Connection: close`. */
  readonly closeConnection?: boolean | undefined;
  /** Called when the head of the response came, or when it is sure that none comes. */
  readonly onHead?: (entry: LedgerEntry) => void;
}

/** The request that a lane has under way. */
interface UnderWay extends LaneOptions {
  readonly request: PlannedRequest;
  readonly reception: Reception;
  /** As far as its reception has come. */
  readonly entry: { -readonly [Key in keyof LedgerEntry]: LedgerEntry[Key] };
  isWritten: boolean;
  keepAlive: boolean;
}

/**
 * One client of autocannon as a lane: one request at a time, over a connection that is opened here. autocannon writes the
 * request, parses the response and counts both; when it is sent, and what became of it, is known here.
 */
export class Lane {
  readonly #target: LoadTarget;
  readonly #host: string;
  readonly #connect: Connector;
  readonly #clock: Clock;
  readonly #client: Client;
  readonly #writeRequest: () => void;
  #socket: Socket | undefined;
  /** When the connection was opened, or carried its last response. */
  #usedAt = 0;
  #reused = false;
  #underWay: UnderWay | undefined;

  /** @param client as `setupClient` gets it, before its handlers are set */
  constructor(client: Client, target: LoadTarget, connect: Connector, clock: Clock) {
    this.#client = client;
    this.#target = target;
    this.#host = new URL(target.baseUrl).host;
    this.#connect = connect;
    this.#clock = clock;
    client.conn = new Socket();
    client.requestIterator = {
      currentRequest: { requestBuffer: Buffer.alloc(0) },
      resetted: false,
      nextRequest: () => undefined,
      recordBody: () => undefined,
    };
    client.pipelinedRequests = {
      insertRequest: () => this.#written(),
      setHeaders: (head) => this.#headCame(head),
      addBody: (bytes) => this.#underWay?.reception.data(bytes),
      terminateRequest: () => this.#completed(),
      clear: () => this.#underWay?.reception.end({ kind: 'aborted', message: 'the client was closed' }),
    };
    this.#writeRequest = client._doRequest.bind(client);
    // After a response it would write the next request.
    client._doRequest = () => undefined;
    client._connect = () => {
      client.timeoutTicker.clear();
      client.timeoutTicker = { reschedule: () => undefined, clear: () => undefined };
      this.#watchParser();
    };
  }

  /** Opens the connection ahead of the first request. If that fails, the request finds out why. */
  async warm(): Promise<void> {
    await this.#open();
  }

  /** Sends a request. Ends with the whole response or with a failure, at the latest at the deadline; never rejects. */
  async send(request: PlannedRequest, options: LaneOptions = {}): Promise<LedgerEntry> {
    const { timeoutMs: deadlineMs, localAddress } = this.#target;
    const reception = new Reception({
      clock: this.#clock,
      deadlineMs,
      maximumBytes: maximumBody,
      onHead: () => options.onHead?.(entry),
      onEnd: (failure) => this.#ended(failure),
    });
    const entry: UnderWay['entry'] = Object.assign(reception.received, {
      request,
      localAddress,
      outcome: 'lost' as const,
    });
    const one: UnderWay = { request, ...options, reception, entry, isWritten: false, keepAlive: false };
    this.#underWay = one;
    if (this.#usedAt < performance.now() - keptOpenMs) this.#drop();
    const failure = this.#socket ? undefined : await this.#open();
    // The deadline may have passed meanwhile.
    if (failure) reception.end(failure);
    else if (reception.isOpen) this.#write(one);
    await reception.ended;
    // An end of the connection that comes with the response is seen two turns of the event loop later.
    if (this.#socket) await turn().then(() => turn());
    return entry;
  }

  /** What is under way ends as `aborted`. */
  close(): void {
    this.#client.destroy();
    this.#socket?.destroy();
  }

  #write({ request, closeConnection = false }: UnderWay): void {
    const bytes = requestBytes(wireRequest(request, this.#target), this.#host, closeConnection);
    this.#client.requestIterator.currentRequest = { requestBuffer: bytes };
    this.#writeRequest();
  }

  #written(): void {
    const one = this.#underWay;
    if (!one || !this.#socket) return;
    one.isWritten = true;
    one.entry.sentAt = this.#clock.now();
    one.reception.written(this.#socket, this.#reused);
  }

  #watchParser(): void {
    const { parser } = this.#client;
    const { kOnHeadersComplete, kOnMessageComplete } = parser.constructor;
    const [onHead, onMessage] = [parser[kOnHeadersComplete], parser[kOnMessageComplete]];
    // Fields are bytes: each stays one character.
    parser.constructor.encoding = 'latin1';
    parser.maxHeaderSize = maximumHead;
    let isInterim = false;
    parser[kOnHeadersComplete] = (head) => {
      isInterim = head.statusCode < 200;
      onHead?.(head);
      // 204 and 304 have no body, whatever they announce (RFC 9112 6.3).
      return bodiless.has(head.statusCode) ? 1 : undefined;
    };
    parser[kOnMessageComplete] = (head) => {
      // 1xx responses are interim: the final one follows (RFC 9110 15.2).
      if (!isInterim && this.#underWay && this.#underWay.entry.status !== null) onMessage?.(head);
    };
  }

  #headCame({ statusCode, headers, shouldKeepAlive }: ParsedHead): void {
    const one = this.#underWay;
    if (!one?.isWritten) return this.#drop();
    if (statusCode === 101) return one.reception.end(switched);
    const fields = Array.from(
      { length: headers.length / 2 },
      (_, index) => [headers[2 * index] ?? '', headers[2 * index + 1] ?? ''] as const,
    );
    if (valuesOf(fields, 'Content-Length').some((length) => !/^\d+$/.test(length)))
      return one.reception.end(wrongLength(null, 0));
    one.keepAlive = shouldKeepAlive && one.closeConnection !== true;
    one.reception.head(statusCode, fields);
  }

  #completed(): ReturnType<Client['pipelinedRequests']['terminateRequest']> {
    const one = this.#underWay;
    if (one && !one.keepAlive) this.#drop();
    if (one) one.reception.isComplete = true;
    one?.reception.end();
    return {
      headers: { statusCode: one?.entry.status ?? 0 },
      bytes: one?.entry.bytes ?? 0,
      duration: one ? one.entry.endedAt - one.entry.sentAt : 0,
    };
  }

  /** The request under way has ended, well or not; after a failure its connection is not used again. */
  #ended(failure: TransportFailure | undefined): void {
    const one = this.#underWay;
    if (!one) return;
    this.#underWay = undefined;
    this.#usedAt = performance.now();
    one.entry.outcome = failure ? 'lost' : 'answered';
    if (!one.isWritten) one.entry.sentAt = one.entry.endedAt;
    if (!failure) return;
    this.#drop();
    this.#client.emit(failure.kind === 'timeout' ? 'timeout' : 'connError', new Error(failure.message));
    if (one.entry.status === null) one.onHead?.(one.entry);
  }

  #lost(failure: TransportFailure): void {
    const { entry, reception } = this.#underWay ?? {};
    const isCut = entry !== undefined && entry.status !== null && failure.kind === 'closed';
    if (isCut && firstValueOf(entry.headers, 'Content-Length') !== undefined)
      reception?.end(wrongLength(entry.status, entry.bytes));
    else reception?.fail(failure);
    this.#drop();
  }

  #drop(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #open(): Promise<TransportFailure | undefined> {
    const { hostname, host, protocol, port } = new URL(this.#target.baseUrl);
    return new Promise((resolve) => {
      // IPv6 literals stand in brackets in a URL and without them in a socket's address.
      this.#connect({ hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port }, (error, socket) => {
        if (!socket) return resolve(describeFailure(error));
        this.#adopt(socket);
        resolve(undefined);
      });
    });
  }

  #adopt(socket: Socket): void {
    const { parser } = this.#client;
    this.#drop();
    this.#socket = socket;
    this.#client.conn = socket;
    this.#usedAt = performance.now();
    this.#reused = false;
    parser.initialize(parser.constructor.RESPONSE);
    // What an earlier connection still says is about nothing that is under way.
    const isOurs = (): boolean => this.#socket === socket;
    socket.on('data', (chunk: Buffer) => {
      if (!isOurs()) return;
      const parsed = parser.execute(chunk);
      if (!isOurs()) return;
      if (!this.#underWay) this.#reused = true;
      if (parsed instanceof Error) this.#lost(parsed.message.includes('max header') ? headTooLong : notHttp);
    });
    socket.on('end', () => {
      if (!isOurs()) return;
      parser.finish();
      this.#lost(closed);
    });
    socket.on('error', (error) => isOurs() && this.#lost(describeFailure(error)));
    socket.on('close', () => isOurs() && this.#lost(closed));
  }
}

const notHttp: TransportFailure = { kind: 'not-http', message: 'the response is not valid HTTP/1.1' };
const headTooLong: TransportFailure = {
  kind: 'too-large',
  message: 'the headers of the response are longer than the limit',
};
const switched: TransportFailure = {
  kind: 'not-http',
  message: 'the server switched protocols (101) although no upgrade was requested',
};
