import { repeated } from '../../evidence/curl.js';
import type { Fact } from '../../evidence/record/fact.js';
import type { RequirementResult } from '../../evidence/record/requirement-result.js';
import type { Plan } from '../../specification/plan.js';

const { inTurn, countedInTurn, countedAtOnce } = repeated;

/** The result with commands that exceed the limit: a single request shows nothing of it. */
export function withLoops(result: RequirementResult, plan: Plan): RequirementResult {
  const findings = result.findings.map(({ reproduce, ...finding }) => ({
    ...finding,
    ...(reproduce !== undefined && {
      reproduce: reproduce.includes('$(seq ') ? reproduce : loopOf(result.id, reproduce, plan, finding.fact),
    }),
  }));
  return { ...result, findings };
}

function loopOf(id: string, curl: string, { perMinute, perDay }: Plan, fact?: Fact): string {
  const over = perMinute + 1;
  const { deviation = '', value = '' } = fact?.kind === 'limiter' ? fact : {};
  // A pace at which a limiter that conforms rejects nothing within a minute.
  const evenly = `${curl}; sleep ${(63 / perMinute).toFixed(2)}`;
  const reset = `reset=$(${last('X-RateLimit-Reset', inTurn(curl, over))})`;
  const afterReset = `${reset}; seconds=$((reset + 1 - $(date +%s))); sleep $((seconds > 0 ? seconds : 0)); ${countedInTurn(curl, over)}`;
  // When the shorter of the two windows is over, the limiters differ in what they admit.
  if (deviation === 'window')
    return `${afterReset}; sleep ${Math.min(60, Math.round(Number(value))) + 1}; ${countedInTurn(curl, over)}`;
  if (deviation === 'renewed' && id !== 'LIMIT-14') return countedInTurn(evenly, over);
  if (id === 'LIMIT-03') return countedAtOnce(curl, over);
  if (/^LIMIT-0[129]$/u.test(id)) return countedInTurn(curl, over);
  if (id === 'LIMIT-10') return inTurn(evenly, perDay + 1);
  if (id === 'LIMIT-05')
    return `seconds=$(${last('Retry-After', inTurn(curl, over))}); sleep "$seconds"; ${curl}`;
  // One more, so that a limit which is one too high shows a 429, too.
  if (id === 'LIMIT-04' || id === 'LIMIT-06')
    return `${inTurn(curl, over + 1)} | grep -iE '^(HTTP|Retry-After|X-RateLimit-Reset)' | tail -n 9`;
  return id === 'LIMIT-14' ? afterReset : inTurn(curl, over);
}

/** The value that a header has in the last response that has it. */
function last(header: string, command: string): string {
  const name = header.replaceAll(/[a-z]/giu, (one) => `[${one.toUpperCase()}${one.toLowerCase()}]`);
  return String.raw`${command} | tr -d '\r' | sed -n 's/^${name}: *//p' | tail -n 1`;
}
