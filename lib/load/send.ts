import type { Dispatcher } from 'undici';
import type { Clock } from '../http/clock/clock.js';
import { receive } from '../http/connection/receiver.js';
import { type Destination, type PlannedRequest, wireRequest } from '../http/exchange/planned-request.js';
import type { LedgerEntry } from './ledger.js';
import type { ConnectOptions } from '../http/connection/connector.js';

/** Where a load goes, and how connections to it are opened. */
export interface LoadTarget extends Destination, ConnectOptions {
  /** Milliseconds for one request, from sending to the last byte. */
  readonly timeoutMs: number;
}

/** Bytes of body that are kept: a load asks for short ones. */
const maximumBytes = 1024 * 1024;

export interface SendOptions {
  readonly target: LoadTarget;
  readonly clock: Clock;
  readonly closeConnections?: boolean | undefined;
  /** Called when the request is written, in the order of sending. */
  readonly onSent?: (entry: LedgerEntry) => void;
  /** Called when the head of the response came, or when it is sure that none comes. */
  readonly onHead?: (entry: LedgerEntry) => void;
}

type OpenEntry = { -readonly [Key in keyof LedgerEntry]: LedgerEntry[Key] };

const nothing = new Uint8Array();

/** Sends one request. Ends with the whole response or with a failure, at the latest at the deadline; never rejects. */
export async function send(
  dispatcher: Dispatcher,
  request: PlannedRequest,
  { target, clock, closeConnections = false, onSent, onHead }: SendOptions,
): Promise<LedgerEntry> {
  const { method, path, headers, body = null } = wireRequest(request, target);
  let entry: OpenEntry | undefined;
  const open = (): OpenEntry => {
    const now = clock.now();
    entry = {
      request,
      localAddress: target.localAddress,
      sentAt: now,
      at: now,
      status: null,
      headers: [],
      body: nothing,
    };
    onSent?.(entry);
    return entry;
  };
  const wire = { method, path, headers: headers.flat(), body, reset: closeConnections };
  const reception = await receive(dispatcher, wire, {
    deadlineMs: target.timeoutMs,
    maximumBytes,
    onStart: open,
    onHead: (head) => {
      if (!entry) return;
      Object.assign(entry, { at: clock.now(), status: head.status, headers: head.headers });
      onHead?.(entry);
    },
  });
  // A request without a connection was never written, but it was wanted: the ledger has it as failed.
  const ended = entry ?? open();
  const { connection, failure } = reception;
  Object.assign(ended, { body: reception.body, connection, failure });
  if (ended.status === null) {
    ended.at = clock.now();
    onHead?.(ended);
  }
  return ended;
}
