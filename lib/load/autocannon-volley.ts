import type { FailureKind } from '../http/exchange/exchange.js';
import { describeFailure } from '../http/connection/failure.js';
import { runAutocannon, type AutocannonClient, type AutocannonRequest } from './autocannon-client.js';
import { LedgerWriter, type OpenEntry } from './ledger-writer.js';
import type { Ledger } from './ledger.js';
import type { PlannedRequest } from './request.js';
import type { VolleyOptions } from './volley-options.js';

/**
 * Sends a volley by autocannon and keeps a ledger of it. autocannon goes on writing to a connection that the server has
 * closed or will close, takes interim answers for final ones, and tells of neither; so each request is followed from
 * its writing to its answer here, and at the first sign of it nothing more is sent. The ledger is then not exact where
 * answers are missing, and incomplete (`entries` fewer than `planned`) where the server only closes its connections.
 *
 * Plain http only: autocannon can't check certificates, and would hand the key to whoever answers.
 */
export async function autocannonVolley(options: VolleyOptions): Promise<Ledger> {
  const { requests, target, clock, signal } = options;
  const connections = Math.min(options.connections, requests.length);
  const writer = new LedgerWriter('autocannon', connections, requests.length, clock);
  const clients: AutocannonClient[] = [];
  const drain = (): void => {
    // What is under way lands; a client that would send ends instead. `|| 1`: 0 would mean no end.
    for (const client of clients) client.responseMax = client.reqsMade || 1;
  };
  signal.addEventListener('abort', drain);
  try {
    if (requests.length > 0 && !signal.aborted) {
      await runAutocannon({
        url: target.origin,
        connections,
        amount: requests.length,
        timeout: Math.max(1, Math.round(target.timeoutMs / 1000)),
        setupClient: (client) => {
          const share = shareOf(requests, clients.length, connections);
          clients.push(client);
          follow(client, share, { options, writer, drain });
        },
      });
    }
  } finally {
    signal.removeEventListener('abort', drain);
  }
  return writer.close();
}

interface Volley {
  readonly options: VolleyOptions;
  readonly writer: LedgerWriter;
  readonly drain: () => void;
}

/** Follows each request of one connection from its writing to its answer. */
function follow(
  client: AutocannonClient,
  share: readonly PlannedRequest[],
  { options, writer, drain }: Volley,
): void {
  const timeout = Math.max(1, Math.round(options.target.timeoutMs / 1000)) * 1000;
  let sent = 0;
  let open: OpenEntry | undefined;
  let answered: OpenEntry | undefined;
  const [first] = share;
  const uniform = share.every((request) => request === first);
  client.setRequests((uniform ? share.slice(0, 1) : share).map(toAutocannon));

  const overdue = (): boolean => open !== undefined && writer.now() - open.sentAt > timeout - 50;
  const lose = (kind: FailureKind, message: string): void => {
    if (open) writer.fail(open, { kind, message });
    open = undefined;
    drain();
  };
  client.on('request', () => {
    // With one request at a time, a second one before the answer means that the connection was lost silently.
    if (open && !overdue()) lose('closed', 'the server closed the connection');
    else if (open) lose('timeout', `no response came within ${timeout} ms`);
    const request = share[sent];
    if (!request) return;
    sent += 1;
    answered = undefined;
    open = writer.open(request);
  });
  client.on('headers', ({ statusCode, headers, shouldKeepAlive }) => {
    if (statusCode < 200) {
      writer.doubt('the server sends interim answers (1xx), which autocannon takes for final ones');
      drain();
      return;
    }
    if (!open) {
      writer.doubt('the server sent an answer that no request asked for');
      drain();
      return;
    }
    answered = open;
    open = undefined;
    writer.answer(answered, statusCode, headers);
    if (options.stopAfter(answered)) drain();
    else if (!shouldKeepAlive && sent < share.length) {
      writer.note('the server closes its connections, which autocannon would not heed');
      drain();
    }
  });
  client.on('body', (chunk) => {
    if (answered) writer.body(answered, chunk);
  });
  client.on('connError', (error) => {
    const { kind, message } = describeFailure(error);
    lose(kind, message);
  });
  // Told only after the next request has been written, which is then not the one that is overdue.
  client.on('timeout', () => {
    if (overdue()) lose('timeout', `no response came within ${timeout} ms`);
  });
}

/** autocannon gives client i of c the requests i, i + c, i + 2c, … by number; so they get them by content. */
function shareOf(requests: readonly PlannedRequest[], client: number, clients: number): PlannedRequest[] {
  const share: PlannedRequest[] = [];
  for (let index = client; index < requests.length; index += clients) {
    const request = requests[index];
    if (request) share.push(request);
  }
  return share;
}

function toAutocannon({ method, path, headers, body }: PlannedRequest): AutocannonRequest {
  return { method, path, headers: Object.fromEntries(headers), ...(body === undefined ? {} : { body }) };
}
