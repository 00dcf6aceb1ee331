import { withBehaviour, withResponses, withErrorFields } from '../changes.js';
import { Refusal } from '../operations/refused-request.js';
import type { Variant } from './variant.js';

export const errorVariants: readonly Variant[] = [
  {
    name: 'more-fields-in-errors',
    title: 'Error bodies have fields that the specification does not name',
    options: withErrorFields(['invalid-body', 'invalid-parameter', 'unauthorized', 'not-found'], (error) => ({
      ...error,
      details: [],
      timestamp: '2026-01-01T00:00:00Z',
      requestId: 'b6f5c1de',
    })),
  },
  {
    name: 'codes-by-what-is-wrong-with-the-key',
    title: 'A 401 has different codes for a missing, a malformed and an unknown key',
    options: withErrorFields(['unauthorized'], (error, { headers }) => ({
      ...error,
      code: codeOf(headers.authorization),
    })),
  },
  {
    name: 'codes-by-field',
    title: 'A refused body has a different code for each field and each kind of defect',
    options: withBehaviour(({ refuse }) => ({
      refuse(refusal, request, service) {
        const response = refuse(refusal, request, service);
        if (refusal.kind !== 'invalid-body') return response;
        const defect = refusal.message.includes('required') ? 'missing' : 'invalid';
        const code = `${refusal.detail}_${defect}`;
        return { ...response, content: { code, message: refusal.message, status: response.status } };
      },
    })),
  },
  {
    name: 'messages-that-look-like-leaks',
    title: 'Messages name lines, times, addresses and choices, and disclose nothing internal',
    options: withErrorFields(['invalid-body', 'invalid-parameter', 'unauthorized', 'not-found'], (error) => ({
      ...error,
      message: [
        'The text ends at line 1:12, at 12:30:45 or at 2026-01-01T12:30:45.123Z.',
        'Select one of the values from the list, insert into the field what is missing, or update it.',
        'See https://docs.example.com/app/errors and write to help@example.com.',
      ].join(' '),
    })),
  },
  {
    name: 'unlisted-not-found',
    title: 'Methods that are not listed get 404',
    options: withBehaviour(() => ({
      unlisted() {
        throw new Refusal('not-found', 'There is no such resource.', 'path');
      },
    })),
  },
  {
    name: 'unlisted-not-implemented',
    title: 'Methods that are not listed get 501 without a body',
    options: withBehaviour(() => ({ unlisted: () => ({ status: 501, headers: [] }) })),
  },
  {
    name: 'reason-phrases-of-its-own',
    title: 'Statuses have other reason phrases than usual',
    options: withResponses((response) => ({ ...response, reason: response.status < 400 ? 'Fine' : 'Sorry' })),
  },
  {
    name: '429-in-plain-text',
    title: '429 has a body in plain text',
    options: withResponses((response) =>
      response.status === 429
        ? {
            ...response,
            headers: response.headers.map(([name, value]) => [
              name,
              name === 'Content-Type' ? 'text/plain' : value,
            ]),
            raw: 'Too many requests',
          }
        : response,
    ),
  },
  {
    name: 'several-challenges',
    title: '401 offers Basic as well, and spells bearer in lower case',
    options: withBehaviour(() => ({
      challenge: () => [
        ['WWW-Authenticate', 'Basic realm="admin", bearer realm="pets", error="invalid_token"'],
      ],
    })),
  },
  {
    name: 'challenges-in-two-headers',
    title: '401 offers Basic and Bearer in separate headers',
    options: withBehaviour(() => ({
      challenge: () => [
        ['WWW-Authenticate', 'Basic realm="admin"'],
        ['WWW-Authenticate', 'Bearer'],
      ],
    })),
  },
];

/** Keys of the service begin with this; any other key is malformed. */
const keyForm = /^Bearer pets_\w{18}_?\w*$/;

function codeOf(authorization: string | undefined): string {
  if (authorization === undefined) return 'key_missing';
  return keyForm.test(authorization) ? 'key_unknown' : 'key_malformed';
}
