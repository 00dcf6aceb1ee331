import type { ExchangeResponse } from '../../../lib/http/exchange/exchange.js';
import type { Finding } from '../../../lib/record/record.js';

/** What a finding is about in a response, beside its body. */
export interface WrongPlaces {
  readonly status: boolean;
  /** Names of response headers, in small letters. */
  readonly headers: ReadonlySet<string>;
}

/** One-word header names in the specification's requirements; other header names are recognised by their hyphen. */
const namesWithoutHyphen = new Set(['deprecation', 'sunset', 'location', 'link']);

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z][a-z-]*[a-z]/g) ?? []);
}

function statuses(text: string | undefined): Set<string> {
  return new Set(text?.match(/\b[1-5]\d\d\b/g) ?? []);
}

/**
 * The headers of the response that a finding names, and whether the finding is about the status: one that was received
 * and not expected.
 */
export function wrongPlaces(
  finding: Finding,
  title: string,
  response: Pick<ExchangeResponse, 'status' | 'headers'>,
): WrongPlaces {
  const named = words([title, finding.message, finding.expected, finding.received].join(' '));
  const headers = new Set(
    response.headers
      .map(([name]) => name.toLowerCase())
      .filter((name) => (name.includes('-') || namesWithoutHyphen.has(name)) && named.has(name)),
  );
  const status = String(response.status);
  const expected = statuses(finding.expected);
  return {
    headers,
    status: expected.size > 0 && !expected.has(status) && statuses(finding.received).has(status),
  };
}
