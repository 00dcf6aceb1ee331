import autocannon from 'autocannon';

/**
 * autocannon 9.0.0 as a volley needs it. The published types lack half of its client; `reqsMade` and `responseMax` are
 * in no documentation either, which is why the version is pinned and autocannon-client.test.ts holds it to them.
 */
export interface AutocannonClient {
  /** Requests written so far. */
  reqsMade: number;
  /** As soon as `reqsMade` has reached it, the client ends in the place of sending. 0 would mean: no end. */
  responseMax: number;
  setRequests(requests: AutocannonRequest[]): void;
  /** Just before a request is written. */
  on(event: 'request', listener: () => void): this;
  /** The head of an answer, an interim one (1xx) included; names as the server spelt them, name and value in turn. */
  on(event: 'headers', listener: (head: AutocannonHead) => void): this;
  on(event: 'body', listener: (chunk: Buffer) => void): this;
  on(event: 'response', listener: (statusCode: number) => void): this;
  on(event: 'connError', listener: (error: Error) => void): this;
  on(event: 'timeout', listener: () => void): this;
}

export interface AutocannonHead {
  statusCode: number;
  headers: string[];
  /** False where the server closes the connection behind this answer; autocannon itself does not heed it. */
  shouldKeepAlive: boolean;
}

export interface AutocannonRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface AutocannonOptions {
  url: string;
  connections: number;
  amount: number;
  /** Seconds, at least 1. */
  timeout: number;
  /** Called for each connection before its first request is written. */
  setupClient: (client: AutocannonClient) => void;
}

/**
 * Runs autocannon and returns when its last client has ended. One request at a time on a connection: with more, it
 * gives up answers that are still under way.
 */
export async function runAutocannon(options: AutocannonOptions): Promise<void> {
  // The end is looked for every `sampleInt` milliseconds; the default would add up to a second to each volley.
  const untyped = { sampleInt: 10 };
  await autocannon({
    ...options,
    ...untyped,
    pipelining: 1,
    setupClient: options.setupClient as unknown as (client: autocannon.Client) => void,
  });
}
