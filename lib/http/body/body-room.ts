import type { RawResult } from '../connection/transport.js';

/** Bytes. No page of 100 animals needs a body that is longer; those that are stay in memory like any other. */
const largeBody = 1024 * 1024;
/** Bytes that large bodies may take in all. Of further ones no more is kept than of one that is too long to be read. */
const roomForLargeBodies = 128 * 1024 * 1024;

/** Limits a run's memory if many responses are large. */
export class BodyRoom {
  #taken = 0;

  /** The result as it came, or cut like one that is too long if large bodies have used up the room. */
  within(result: RawResult): RawResult {
    const { response, failure } = result;
    if (!response || response.truncated || response.body.length <= largeBody) return result;
    this.#taken += response.body.length;
    if (this.#taken <= roomForLargeBodies) return result;
    const message = `the body is longer than ${largeBody} bytes, as others were before it; the rest was not kept`;
    return {
      ...result,
      response: { ...response, truncated: true },
      failure: failure ?? { kind: 'too-large', message },
    };
  }
}
