import { referenceKeys, spareKeys } from '../reference/keys.js';
import type { ReferenceService } from '../reference/serve.js';
import type { ReferenceOptions } from '../reference/options.js';
import type { PlanName } from '../specification/plan.js';
import type { PlanKey, Target } from '../options/target.js';

/** The key of the embedded reference service for a plan. */
function referenceKey(name: PlanName): PlanKey {
  const { key, perMinute, perDay } = referenceKeys[name];
  return {
    plan: { name, perMinute, perDay },
    apiKey: key,
    variable: `REFERENCE_${name.toUpperCase()}_API_KEY`,
  };
}

/** The keys of the embedded reference service for several plans. */
export function referencePlanKeys(names: readonly PlanName[]): PlanKey[] {
  return names.map(referenceKey);
}

/** A key whose use takes nothing from those whose limits are tried. */
function keyBeside(): Pick<PlanKey, 'plan' | 'apiKey'> {
  const { key, perMinute, perDay } = spareKeys.besides;
  return { plan: { name: 'enterprise', perMinute, perDay }, apiKey: key };
}

/** What of the reference service as a target is the user's to say. */
export interface AskedReference {
  readonly plan?: PlanName | 'beside' | undefined;
  readonly readOnly?: boolean | undefined;
  readonly localAddresses?: readonly string[] | undefined;
}

/**
 * The embedded reference service, started on a free loopback port, as a target with the key of a plan; with a key of its
 * own if the plans' limits are tested. With the plan Business a functional run needs no wait.
 */
export async function startReference(
  { plan: name = 'business', readOnly = false, localAddresses }: AskedReference = {},
  options: ReferenceOptions = {},
): Promise<{ target: Target; service: ReferenceService }> {
  // The server's framework is loaded only by runs that need it.
  const { serveReference } = await import('../reference/serve.js');
  const service = await serveReference(options);
  const { plan, apiKey } = name === 'beside' ? keyBeside() : referenceKey(name);
  // The second key is none of those whose limits may be tried in the same run.
  const otherApiKey = spareKeys.other.key;
  return {
    service,
    target: {
      name: 'reference',
      baseUrl: service.baseUrl,
      apiKey,
      plan,
      planGiven: true,
      otherApiKey,
      // It shows at once what it has created, or has not.
      consistencyMs: 10,
      deadlineMs: 10_000,
      readOnly,
      localAddresses,
    },
  };
}
