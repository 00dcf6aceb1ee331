import type { Finding } from '../../evidence/record/record.js';
import type { Check } from '../../verdict/check.js';

/** What checks came to. */
export function told(checks: readonly Check[]) {
  return {
    checks: checks.length,
    findings: checks.flatMap(({ finding }): Finding[] => (finding ? [finding] : [])),
    open: checks.flatMap(({ open }) => (open ? [open.reason] : [])),
  };
}
