import type { Exchange } from '../evidence/exchange.js';
import { check, type Check } from './check.js';
import { wrongHeader, type Failure } from './judgement.js';

/** What a finding says of a header; by default what came is received. */
interface HeaderFailure extends Pick<Failure, 'message' | 'expected' | 'received'> {
  /** Whether another value is another defect. */
  readonly byValue?: boolean;
}

/** Checks a header of a response. `failure` is what a finding says if it does not hold. */
export function checkHeader(holds: boolean, one: Exchange, name: string, failure: HeaderFailure): Check {
  return check(holds, one, () => {
    const { byValue = false, ...text } = failure;
    const values = one.headers(name);
    const received = values.map((value) => `${name}: ${value}`).join(', ') || `no ${name} header`;
    const fact = { ...wrongHeader(name, values), ...(byValue && { value: values.join(', ') }) };
    return { received, ...text, fact };
  });
}
