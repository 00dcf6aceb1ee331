/** Why the service refuses a request. One code for each condition of section 7, and for those the web adds. */

export const refusals = {
  'invalid-body': { status: 400, code: 'invalid_body' },
  'invalid-parameter': { status: 400, code: 'invalid_parameter' },
  unauthorized: { status: 401, code: 'unauthorized' },
  'not-found': { status: 404, code: 'not_found' },
  'method-not-allowed': { status: 405, code: 'method_not_allowed' },
  removed: { status: 410, code: 'removed' },
  'too-large': { status: 413, code: 'too_large' },
  'unsupported-media': { status: 415, code: 'unsupported_media_type' },
  'rate-limited': { status: 429, code: 'rate_limited' },
  internal: { status: 500, code: 'internal_error' },
} as const satisfies Record<string, { status: number; code: string }>;

export type RefusalKind = keyof typeof refusals;

/** Thrown wherever a request cannot be served; becomes an Error body (section 2). */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  /** What exactly was wrong, for behaviours that answer with finer codes: `name`, `categoryId`, `limit`. */
  readonly detail: string;

  constructor(kind: RefusalKind, message: string, detail = '') {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.detail = detail;
  }
}
