import { isNoConnection, type Exchange } from '../exchange/exchange.js';
import { brokenReason } from './retry.js';

/** In how many requests in a row nothing may come back, or no answer be finished, before the target is given up. */
const threshold = 8;

/**
 * Sees from the exchanges, as they end, whether the target is lost. Requests that were under way when the silence began
 * tell of one event and not of many: only those sent into it count, so that a server that restarts is waited for.
 */
export class Breaker {
  #answeredEver = false;
  #unanswered = 0;
  #sentIntoSilence = 0;
  #unfinished = 0;
  #sinceWholeAnswer: Exchange[] = [];

  /** True once the target has answered anything in HTTP. */
  get answeredEver(): boolean {
    return this.#answeredEver;
  }

  /** Requests in a row, up to now, that brought no answer. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** Requests in a row, up to now, that brought no whole answer. */
  get broken(): number {
    return this.#sinceWholeAnswer.length;
  }

  /** The exchanges since the last whole answer, where the last brought none at all. What speaks, if no HTTP, is there. */
  get lostSince(): readonly Exchange[] {
    if (this.#unanswered === 0) return [];
    return this.#sinceWholeAnswer.filter(({ failure }) => failure?.kind !== 'not-http');
  }

  /**
   * Takes note of an exchange that has ended.
   * @param intoSilence whether requests before it had gone unanswered when it was sent
   * @returns why nothing more is to be sent; undefined where the run goes on
   */
  see(exchange: Exchange, intoSilence: boolean): string | undefined {
    const { response, failure } = exchange;
    if (brokenReason(exchange) === undefined) this.#sinceWholeAnswer = [];
    else this.#sinceWholeAnswer.push(exchange);
    const why = failure?.message ?? 'no answer';
    if (!response) {
      this.#unanswered += 1;
      // Where no connection comes about, the client waits and tries by itself (see outage.ts).
      if (intoSilence && !(failure && isNoConnection(failure.kind))) this.#sentIntoSilence += 1;
      if (this.#sentIntoSilence < threshold) return undefined;
      return `the target gave no answer to ${this.#unanswered} requests in a row: ${why}`;
    }
    this.#answeredEver = true;
    this.#unanswered = 0;
    this.#sentIntoSilence = 0;
    // Each of these costs a whole deadline: a target that finishes nothing is not asked to the end.
    this.#unfinished = failure?.kind === 'timeout' ? this.#unfinished + 1 : 0;
    if (this.#unfinished < threshold) return undefined;
    return `the target began ${this.#unfinished} answers in a row and finished none of them: ${why}`;
  }
}
