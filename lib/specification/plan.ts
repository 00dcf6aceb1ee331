/** The plans of section 8 with their quotas. Enterprise has none of its own: they are agreed with each client. */

export const planNames = ['free', 'pro', 'business', 'enterprise'] as const;
export type PlanName = (typeof planNames)[number];

export interface Plan {
  readonly name: PlanName;
  /** Requests admitted in one minute. */
  readonly perMinute: number;
  /** Requests admitted in one day. */
  readonly perDay: number;
}

export const plans = {
  free: { name: 'free', perMinute: 60, perDay: 1_000 },
  pro: { name: 'pro', perMinute: 300, perDay: 10_000 },
  business: { name: 'business', perMinute: 1_000, perDay: 100_000 },
} as const satisfies Record<Exclude<PlanName, 'enterprise'>, Plan>;
