import { otherKey, referenceKeys } from '../reference/keys.js';
import type { Target, TargetValues } from '../options/target.js';

/**
 * Uses the embedded reference service, started on a free loopback port, as a target with the key of a plan. With the
 * plan Business a functional run needs no wait.
 */
export async function withReference<Result>(
  {
    plan: name = 'business',
    readOnly = false,
    localAddress: localAddresses,
  }: Partial<Pick<TargetValues, 'plan' | 'readOnly' | 'localAddress'>>,
  use: (target: Target) => Promise<Result>,
): Promise<Result> {
  // The server's framework is loaded only by runs that need it.
  const { serveReference } = await import('../reference/serve.js');
  const { baseUrl, close } = await serveReference();
  const { key: apiKey, perMinute, perDay } = referenceKeys[name];
  const plan = { name, perMinute, perDay };
  const own = { name: 'reference', baseUrl, apiKey, otherApiKey: otherKey.key, plan, planGiven: true };
  try {
    // It shows at once what it has created, or has not.
    return await use({ ...own, consistencyMs: 10, deadlineMs: 10_000, readOnly, localAddresses });
  } finally {
    await close();
  }
}
