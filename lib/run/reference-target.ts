import { otherKey, referenceKeys } from '../reference/keys.js';
import type { ReferenceService } from '../reference/serve.js';
import type { ReferenceOptions } from '../reference/options.js';
import type { PlanName } from '../specification/plan.js';
import type { Target } from '../options/target.js';

/** What of the reference service as a target is the user's to say. */
export interface AskedReference {
  readonly plan?: PlanName | undefined;
  readonly readOnly?: boolean | undefined;
  readonly localAddresses?: readonly string[] | undefined;
}

/**
 * The embedded reference service, started on a free loopback port, as a target with the key of a plan. With the
 * plan Business a functional run needs no wait.
 */
export async function startReference(
  { plan: name = 'business', readOnly = false, localAddresses }: AskedReference = {},
  options: ReferenceOptions = {},
): Promise<{ target: Target; service: ReferenceService }> {
  // The server's framework is loaded only by runs that need it.
  const { serveReference } = await import('../reference/serve.js');
  const service = await serveReference(options);
  const { key, perMinute, perDay } = referenceKeys[name];
  return {
    service,
    target: {
      name: 'reference',
      baseUrl: service.baseUrl,
      apiKey: key,
      plan: { name, perMinute, perDay },
      planGiven: true,
      otherApiKey: otherKey.key,
      // It shows at once what it has created, or has not.
      consistencyMs: 10,
      deadlineMs: 10_000,
      readOnly,
      localAddresses,
    },
  };
}
