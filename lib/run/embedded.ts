import { referenceKeys } from '../reference/keys.js';
import { serveReference, type ReferenceService } from '../reference/serve.js';
import type { ReferenceOptions } from '../reference/options.js';
import { plans } from '../specification/plans.js';
import type { Target } from './settings.js';

/** The embedded reference service, started on a free loopback port, as a target. Business: a run needs no wait. */
export async function startReference(
  options: ReferenceOptions = {},
): Promise<{ target: Target; service: ReferenceService }> {
  const service = await serveReference(options);
  const { free, business } = referenceKeys;
  return {
    service,
    target: {
      name: 'reference',
      baseUrl: service.baseUrl,
      apiKey: business.key,
      plan: plans.business,
      planGiven: true,
      otherApiKey: free.key,
      consistencyMs: 2_000,
      deadlineMs: 10_000,
      readOnly: false,
    },
  };
}
