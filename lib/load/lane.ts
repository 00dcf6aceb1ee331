import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Client, ParsedHead } from 'autocannon/lib/run.js';
import type { Clock } from '../http/clock/clock.js';
import type { ConnectOptions, Connector } from '../http/connection/connector.js';
import { describeFailure, wrongLength, type TransportFailure } from '../http/connection/failure.js';
import { Reception } from '../http/connection/reception.js';
import { type Destination, type PlannedRequest, wireRequest } from '../http/exchange/planned-request.js';
import { fieldsOf, valuesOf } from '../http/headers/header-list.js';
import type { LedgerEntry } from './ledger.js';
import { requestBytes } from './request-bytes.js';

/** Bytes of body that are kept, and of a head: a load asks for short ones. */
const maximumBytes = 1024 * 1024;
const maximumHead = 64 * 1024;
/** Milliseconds for which an idle connection is used again: servers close theirs after some seconds. */
const keptOpenMs = 2_000;

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

/** How the requests of a lane are sent. */
export interface LaneOptions {
  readonly target: LoadTarget;
  readonly connect: Connector;
  /** Sends `Connection: close` with each request, for servers that can't serve many open connections; default false. */
  readonly closeConnections?: boolean;
  readonly clock: Clock;
}

/** The request that a lane has under way. */
interface UnderWay {
  readonly reception: Reception;
  /** As far as its reception has come. */
  readonly entry: { -readonly [Key in keyof LedgerEntry]: LedgerEntry[Key] };
  readonly onHead: (entry: LedgerEntry) => void;
  keepAlive: boolean;
}

/**
 * One client of autocannon as a lane: one request at a time, over a connection that is opened here. autocannon writes the
 * request, parses the response and counts both; when it is sent, and what became of it, is known here.
 */
export class Lane {
  /** Since when it has no request under way, by the clock. */
  freeAt = 0;
  readonly #options: LaneOptions;
  readonly #client: Client;
  readonly #writeRequest: () => void;
  #socket: Socket | undefined;
  /** When the connection was opened, or carried its last response. */
  #usedAt = 0;
  #underWay: UnderWay | undefined;

  /** @param client as `setupClient` gets it, before its handlers are set */
  constructor(client: Client, options: LaneOptions) {
    this.#client = client;
    this.#options = options;
    client.conn = new Socket();
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
    client._connect = () => this.#watchParser();
  }

  /**
   * Sends a request. Ends with the whole response or with a failure, at the latest at the deadline; never rejects.
   * @param onHead called when the head of the response came, or when it is sure that none comes
   */
  async send(request: PlannedRequest, onHead: UnderWay['onHead']): Promise<LedgerEntry> {
    const { target, closeConnections = false, clock } = this.#options;
    const reception = new Reception({
      clock,
      deadlineMs: target.deadlineMs,
      maximumBytes,
      onHead: () => onHead(entry),
      onEnd: (failure) => this.#ended(failure),
    });
    const own = { request, localAddress: target.localAddress, outcome: 'lost' as const };
    const entry: UnderWay['entry'] = Object.assign(reception.received, own);
    this.#underWay = { reception, entry, onHead, keepAlive: !closeConnections };
    if (this.#usedAt < performance.now() - keptOpenMs) this.#drop();
    const failure = this.#socket ? undefined : await this.open();
    // The deadline may have passed meanwhile.
    if (failure) reception.end(failure);
    else if (reception.isOpen) {
      const { host } = new URL(target.baseUrl);
      const bytes = requestBytes(wireRequest(request, target), host, closeConnections);
      this.#client.getRequestBuffer = () => bytes;
      this.#writeRequest();
    }
    await reception.ended;
    // An end of the connection that comes with the response is seen two turns of the event loop later.
    if (this.#socket) await turn().then(() => turn());
    this.freeAt = clock.now();
    return entry;
  }

  /** What is under way ends as `aborted`. */
  close(): void {
    this.#client.destroy();
    this.#socket?.destroy();
  }

  #written(): void {
    if (!this.#socket || !this.#underWay) return;
    this.#underWay.entry.sentAt = this.#options.clock.now();
    this.#underWay.reception.written(this.#socket);
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
      return head.statusCode === 204 || head.statusCode === 304 ? 1 : undefined;
    };
    parser[kOnMessageComplete] = (head) => {
      // 1xx responses are interim: the final one follows (RFC 9110 15.2).
      if (!isInterim && this.#underWay && this.#underWay.entry.status !== null) onMessage?.(head);
    };
  }

  #headCame({ statusCode, headers, shouldKeepAlive }: ParsedHead): void {
    const one = this.#underWay;
    if (one?.entry.connection === undefined) return this.#drop();
    // Nobody has asked for another protocol.
    if (statusCode === 101) return one.reception.end(notHttp);
    const fields = fieldsOf(headers);
    if (valuesOf(fields, 'Content-Length').some((length) => !/^\d+$/.test(length)))
      return one.reception.end(wrongLength(null, 0));
    one.keepAlive &&= shouldKeepAlive;
    one.reception.head(statusCode, fields);
  }

  #completed(): ReturnType<Client['pipelinedRequests']['terminateRequest']> {
    const { reception, entry, keepAlive } = this.#underWay ?? {};
    if (!keepAlive) this.#drop();
    reception?.complete();
    return {
      headers: { statusCode: entry?.status ?? 0 },
      bytes: entry?.bytes ?? 0,
      duration: entry ? entry.endedAt - entry.sentAt : 0,
    };
  }

  /** The request under way has ended, well or not; after a failure its connection is not used again. */
  #ended(failure: TransportFailure | undefined): void {
    const { entry, onHead } = this.#underWay ?? {};
    if (!entry) return;
    this.#underWay = undefined;
    this.#usedAt = performance.now();
    entry.outcome = failure ? 'lost' : 'answered';
    if (entry.connection === undefined) entry.sentAt = entry.endedAt;
    if (!failure) return;
    this.#drop();
    this.#client.emit(failure.kind === 'timeout' ? 'timeout' : 'connError', new Error(failure.message));
    if (entry.status === null) onHead?.(entry);
  }

  #lost(failure: TransportFailure): void {
    const { entry, reception } = this.#underWay ?? {};
    const { status = null, headers = [], bytes = 0 } = entry ?? {};
    const isCut =
      status !== null && failure.kind === 'closed' && valuesOf(headers, 'Content-Length').length > 0;
    if (isCut) reception?.end(wrongLength(status, bytes));
    else reception?.fail(failure);
    this.#drop();
  }

  #drop(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /** Opens the connection; ahead of a request, which finds out by itself why it is not there. */
  async open(): Promise<TransportFailure | undefined> {
    const { target, connect } = this.#options;
    const { hostname, host, protocol, port } = new URL(target.baseUrl);
    return new Promise((resolve) => {
      // IPv6 literals stand in brackets in a URL and without them in a socket's address.
      connect({ hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port }, (error, socket) => {
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
    parser.initialize(parser.constructor.RESPONSE);
    // What an earlier connection still says is about nothing that is under way.
    const isOurs = (): boolean => this.#socket === socket;
    socket.on('data', (chunk: Buffer) => {
      if (!isOurs()) return;
      const parsed = parser.execute(chunk);
      if (isOurs() && parsed instanceof Error) this.#lost(notHttp);
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
