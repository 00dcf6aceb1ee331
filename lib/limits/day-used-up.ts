import type { LimitEvidence } from './evidence.js';
import type { Seen } from './seen.js';

/** Whether a refusal says that it is the day's limit that was reached. */
export function dayUsedUp(
  { told }: Seen,
  { plan, windowMs }: Pick<LimitEvidence, 'plan' | 'windowMs'>,
): boolean {
  if (plan.perDay === plan.perMinute) return false;
  if (told.limit === plan.perDay && told.remaining === 0) return true;
  if (told.limit === plan.perMinute || told.date === undefined) return false;
  const beyond = windowMs + 2_000;
  const resetBeyond = told.reset !== undefined && told.reset.at - told.date > beyond;
  const waitBeyond = told.retryAfter?.form === 'seconds' && told.retryAfter.seconds * 1000 > beyond;
  return resetBeyond && waitBeyond && told.remaining === 0;
}
