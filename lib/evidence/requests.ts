import type { Exchange } from './exchange.js';
import type { Fault, Unspecified } from './request-facts.js';

/** The requests of one operation with the valid key, by what was sent. */
export class Requests {
  /** Those that the specification defines. */
  readonly specified: readonly Exchange[];

  /** @param all whole or broken, none over the limit */
  constructor(readonly all: readonly Exchange[]) {
    this.specified = this.unspecifiedOnlyBy('');
  }

  /** Those on which the specification is silent for this one reason, and without a fault; for none, if it is empty. */
  unspecifiedOnlyBy(what: Unspecified | ''): readonly Exchange[] {
    return this.all.filter((one) => one.faults.length === 0 && one.unspecified.join() === what);
  }

  /** Those that the specification refuses for this one reason. */
  faultyOnlyBy(fault: Fault): readonly Exchange[] {
    return this.all.filter((one) => one.unspecified.length === 0 && one.faults.join() === fault);
  }
}
