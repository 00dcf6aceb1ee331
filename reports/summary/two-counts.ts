import type { PlanMeasurement, TwoCounts, VolleyCount } from '../../lib/record/record.js';
import { integer } from '../text/quantity.js';

function add(one: VolleyCount, other: VolleyCount): VolleyCount {
  const byStatus = { ...one.byStatus };
  for (const [status, number] of Object.entries(other.byStatus))
    byStatus[status] = (byStatus[status] ?? 0) + number;
  return { sent: one.sent + other.sent, errors: one.errors + other.errors, byStatus };
}

/** Both counts of all that the limit probes of a plan sent; undefined in records without them. */
export function countsOfPlan({ phases, day }: PlanMeasurement): TwoCounts | undefined {
  const all = [...phases.map(({ counts }) => counts), day?.counts].filter((one) => one !== undefined);
  const [first, ...rest] = all;
  return rest.reduce<TwoCounts | undefined>(
    (sum, { ledger, autocannon }) =>
      sum && { ledger: add(sum.ledger, ledger), autocannon: add(sum.autocannon, autocannon) },
    first,
  );
}

function countText({ sent, byStatus, errors }: VolleyCount): string {
  const { '429': rejected = 0, ...others } = byStatus;
  const of = (wanted: (status: number) => boolean): number =>
    Object.entries(others).reduce((sum, [status, number]) => sum + (wanted(Number(status)) ? number : 0), 0);
  // As the limiter sees it: it lets a request through whose content is then refused.
  const isAdmitted = (status: number): boolean => status < 400 || status === 400 || status === 404;
  const other = of((status) => !isAdmitted(status));
  return [
    `${integer(sent)} sent`,
    `${integer(of(isAdmitted))} admitted`,
    `${integer(rejected)} rejected`,
    ...(other > 0 ? [`${integer(other)} with another error`] : []),
    ...(errors > 0 ? [`${integer(errors)} lost`] : []),
  ].join(', ');
}

/** `two counts agree: 1,061 sent, 1,000 admitted, 61 rejected`, or what each of them says. */
export function countsSentence({ ledger, autocannon }: TwoCounts): string {
  const [own, other] = [countText(ledger), countText(autocannon)];
  return own === other
    ? `two counts agree: ${own}`
    : `two counts do not agree: the ledger has ${own}; autocannon has ${other}`;
}
