import { plans, type PlanName } from '../specification/plan.js';

/** An API key and the limits of its plan (section 8). */
export interface ReferenceKey {
  readonly key: string;
  /** Requests admitted in a minute. */
  readonly perMinute: number;
  /** Requests admitted in a day. */
  readonly perDay: number;
}

/** A key for each plan, the same in every start, so that a `curl` in a shell's history keeps working. */
export const referenceKeys = {
  free: { key: 'pets_free_Qm7RzT2xWb9KdLcH', ...quota(plans.free) },
  pro: { key: 'pets_pro_Vh3NsJ8yGf5PaXeU', ...quota(plans.pro) },
  business: { key: 'pets_business_Zk6CtD4vMq1RoYwB', ...quota(plans.business) },
  // "custom" in section 8: limits that are large enough for any run of the suite.
  enterprise: { key: 'pets_enterprise_Lx9FpS7uEn2TgJiA', perMinute: 6_000, perDay: 1_000_000 },
} as const satisfies Record<PlanName, ReferenceKey>;

/** One more key, whose requests are counted apart from those of the plans. */
export const otherKey: ReferenceKey = {
  key: 'pets_spare_Ty6HcB1mWq4ZkDfO',
  perMinute: 300,
  perDay: 10_000,
};

function quota({ perMinute, perDay }: { readonly perMinute: number; readonly perDay: number }) {
  return { perMinute, perDay };
}
