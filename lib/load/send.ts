import type { Dispatcher } from 'undici';
import { onConnection } from '../http/connection/connection-name.js';
import { describeFailure } from '../http/connection/failure.js';
import type { LedgerWriter, OpenEntry } from './write-ledger.js';
import type { LedgerEntry } from './ledger.js';
import type { LoadTarget } from './load-target.js';
import { wireRequest, type PlannedRequest } from '../http/exchange/planned-request.js';

/** More of a body than this is not kept: a load asks for small ones. */
const maximumBytes = 1024 * 1024;

/** Records the outcome of a request and reports it. */
export interface Sending {
  readonly writer: LedgerWriter;
  readonly target: LoadTarget;
  readonly closeConnection?: boolean;
  readonly answered: (entry: LedgerEntry) => void;
}

/**
 * Sends one request over a connection or a pool of them. Ends with the whole answer or with a failure, at the latest when
 * its time is up; never rejects.
 */
export function send(
  client: Dispatcher,
  request: PlannedRequest,
  { writer, target, closeConnection = false, answered }: Sending,
): Promise<void> {
  const { timeoutMs } = target;
  const { method, path, headers, body } = wireRequest(request, target);
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
      open ??= writer.open(request);
      writer.fail(open, failure);
      if (open.status === null) answered(open);
      resolve();
    };
    const deadline = setTimeout(() => {
      const what =
        (open?.status ?? null) === null ? 'no response came' : 'the body of the response was not complete';
      fail({ kind: 'timeout', message: `${what} within ${timeoutMs} ms` });
      controller?.abort(new Error('too late'));
    }, timeoutMs);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        const entry = (open ??= writer.open(request));
        onConnection((connection) => {
          entry.connection = connection;
        });
      },
      onResponseStart: (_controller, status) => {
        // 1xx responses are interim: the final one follows (RFC 9110 15.2).
        if (!open || status < 200) return;
        writer.answer(open, status, rawHeaders(controller?.rawHeaders));
        answered(open);
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
          method,
          path,
          headers: headers.flat(),
          body: body ?? null,
          // Not to be sent twice of undici's own accord.
          idempotent: false,
          reset: closeConnection,
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
