/**
 * The fields of autocannon 9.0.0 and of its parser that no document describes: what a lane replaces, feeds and reads. The
 * version is pinned, and `autocannon.test.ts` holds each of them.
 */
declare module 'autocannon/lib/httpClient.js' {
  import type { Socket } from 'node:net';

  /** The head of a response; its headers are names and values by turns, as the server spelt them. */
  interface ParsedHead {
    readonly statusCode: number;
    readonly headers: readonly string[];
    /** False if the connection can carry no further request. */
    readonly shouldKeepAlive: boolean;
  }

  interface ResponseParser {
    maxHeaderSize: number;
    /** `encoding` is that of heads, for all parsers. */
    readonly constructor: { readonly RESPONSE: string; encoding: string };
    /** Forgets what came before: a connection begins. */
    initialize(type: string): void;
    execute(chunk: Buffer): number | Error;
    /** The connection was ended: a body without a length is complete. */
    finish(): Error | undefined;
  }

  export default class Client {
    /** @param options `timeout` is in seconds */
    constructor(options: { readonly timeout: number });
    conn: Socket;
    readonly parser: ResponseParser;
    pipelinedRequests: {
      insertRequest(): void;
      setHeaders(head: ParsedHead): void;
      addBody(bytes: Buffer): void;
      terminateRequest(): { headers: object };
      clear(): void;
    };
    /** Opens the connection; called at the end of the constructor. */
    _connect(): void;
    /** Writes a request to `conn`; called after each response, too. */
    _doRequest(): void;
    getRequestBuffer(): Buffer;
    destroy(): void;
  }
}
