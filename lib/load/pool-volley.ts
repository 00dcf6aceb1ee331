import type { Client, Dispatcher } from 'undici';
import { describeFailure } from '../http/failure.js';
import { LedgerWriter, type OpenEntry } from './ledger-writer.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import type { PlannedRequest } from './request.js';
import type { VolleyOptions } from './volley-options.js';
import { warmClients } from './warm-connections.js';

/** More of a body than this is not kept: a volley asks for small ones. */
const maximumBytes = 1024 * 1024;

/**
 * Sends a volley over undici clients of one connection each, all connected before the first request. With as many
 * connections as requests they leave at once, which shows a limiter that looks and counts in two steps more surely than
 * anything else that was tried. Every request that is sent ends in an answer or a failure of its own; none is repeated.
 */
export async function poolVolley(options: VolleyOptions): Promise<Ledger> {
  const { requests, clock, signal } = options;
  const connections = Math.min(options.connections, requests.length);
  const clients = await warmClients(options.target, connections);
  const writer = new LedgerWriter('undici pool', connections, requests.length, clock);
  const abort = (): void => {
    for (const client of clients) void client.destroy();
  };
  signal.addEventListener('abort', abort);
  let next = 0;
  let stopped = false;
  const answered: Sending['answered'] = (entry) => {
    stopped ||= options.stopAfter(entry);
  };
  const take = (): PlannedRequest | undefined => {
    if (stopped || signal.aborted) return undefined;
    next += 1;
    return requests[next - 1];
  };
  /** Sends on this connection until the requests or the permission to send end. */
  const run = async (client: Client): Promise<void> => {
    for (let request = take(); request; request = take()) {
      await send(client, request, { writer, timeoutMs: options.target.timeoutMs, answered });
    }
  };
  try {
    await Promise.all(clients.map(run));
  } finally {
    signal.removeEventListener('abort', abort);
    await Promise.all(clients.map((client) => client.destroy()));
  }
  return writer.close();
}

interface Sending {
  readonly writer: LedgerWriter;
  readonly timeoutMs: number;
  readonly answered: (entry: LedgerEntry) => void;
}

function send(
  client: Client,
  request: PlannedRequest,
  { writer, timeoutMs, answered }: Sending,
): Promise<void> {
  return new Promise((resolve) => {
    let open: OpenEntry | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let bytes = 0;
    let ended = false;
    const fail = (failure: NonNullable<LedgerEntry['failure']>): void => {
      if (ended) return;
      ended = true;
      clearTimeout(deadline);
      // Without a connection the request was never written, but it was asked for: it stands in the ledger as failed.
      const entry = writer.fail((open ??= writer.open(request)), failure);
      if (entry.status === null) answered(entry);
      resolve();
    };
    const deadline = setTimeout(() => {
      const what =
        open?.status === undefined ? 'no response came' : 'the body of the response was not complete';
      fail({ kind: 'timeout', message: `${what} within ${timeoutMs} ms` });
      controller?.abort(new Error('too late'));
    }, timeoutMs);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        open ??= writer.open(request);
      },
      onResponseStart: (_controller, status) => {
        // 1xx responses are interim: the final one follows (RFC 9110 15.2).
        if (!open || status < 200) return;
        answered(writer.answer(open, status, rawHeaders(controller?.rawHeaders)));
      },
      onResponseData: (_controller, chunk) => {
        bytes += chunk.length;
        if (open && bytes <= maximumBytes) writer.body(open, chunk);
      },
      onResponseEnd: () => {
        ended = true;
        clearTimeout(deadline);
        resolve();
      },
      onResponseError: (_controller, error) => fail(describeFailure(error)),
    };
    try {
      client.dispatch(
        {
          method: request.method,
          path: request.path,
          headers: request.headers.flat(),
          body: request.body ?? null,
          // Not to be sent twice of undici's own accord.
          idempotent: false,
        },
        handler,
      );
    } catch (error) {
      fail(describeFailure(error));
    }
  });
}

/** Header fields are bytes; latin1 keeps each as one character, so that nothing is lost or made up. */
function rawHeaders(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return [];
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
}
