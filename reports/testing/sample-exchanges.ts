import type { RecordedExchange, ExchangeResponse } from '../../lib/evidence/recorded-exchange.js';

/**
 * Exchanges as a run against a faulty service records them: each status of the specification, a broken connection, a
 * body that is no text, a body cut off, and text from the target that tries to leave every format.
 */

export const sampleStart = Date.parse('2026-03-02T09:30:00.000Z');
const baseUrl = 'https://staging.petstore.example/v1';

/** Names that break out of HTML, XML, Markdown, a terminal, a workflow command and the reading direction. */
export const hostileName =
  'pc-7f3a <script>alert(1)</script></textarea><img src=x onerror=alert(2)>]]>&amp;"\'`|*_[a](javascript:1)\u001b[2J\u001b]0;owned\u0007\u202egpj.exe\u0000\n::error::injected %0A';

interface SampleResponse {
  status: number;
  body?: string;
  headers?: [string, string][];
}

function respond(index: number, { status, body = '', headers = [] }: SampleResponse): ExchangeResponse {
  const limits: [string, string][] = [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Remaining', String(Math.max(0, 59 - index))],
    ['X-RateLimit-Reset', String(Math.floor(sampleStart / 1000) + 60)],
  ];
  return {
    status,
    headers: [
      ['Content-Type', 'application/json'],
      ['Date', 'Mon, 02 Mar 2026 09:30:01 GMT'],
      ...limits,
      ...headers,
    ],
    body: { text: body, bytes: Buffer.byteLength(body) },
  };
}

type Draft = Pick<RecordedExchange, 'purpose' | 'operation'> & {
  method: string;
  path: string;
  credential?: RecordedExchange['credential'];
  sent?: string;
  answer?: SampleResponse;
  failure?: RecordedExchange['failure'];
};

function exchange(index: number, draft: Draft): RecordedExchange {
  const url = `${baseUrl}${draft.path}`;
  const authorised = (draft.credential ?? 'valid') === 'valid';
  const headers: [string, string][] = [
    ['accept', 'application/json'],
    ...(authorised ? [['authorization', 'Bearer $PETSTORE_API_KEY'] as [string, string]] : []),
    ...(draft.sent === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
  ];
  return {
    id: `e${index + 1}`,
    purpose: draft.purpose,
    operation: draft.operation,
    credential: draft.credential ?? 'valid',
    sentAt: new Date(sampleStart + index * 40).toISOString(),
    request: { method: draft.method, url, headers, ...(draft.sent !== undefined && { body: draft.sent }) },
    ...(draft.answer && { response: respond(index, draft.answer) }),
    ...(draft.failure && { failure: draft.failure }),
    timing: {
      wait: index % 7 === 0 ? 120 : 0,
      ...(draft.answer && { firstByte: 11.5 }),
      total: 14.25 + index,
    },
  };
}

const error = (status: number, code: string, message: string) => JSON.stringify({ code, message, status });
const pet = (id: string, name: string, status = 'available') =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":9007199254740993,"status":"${status}"}`;
const list = (purpose: string, query: string, body: string): Draft => ({
  purpose,
  operation: 'listPets',
  method: 'GET',
  path: `/pets${query}`,
  answer: { status: 200, body },
});
const create = (purpose: string, sent: string, answer: SampleResponse): Draft => ({
  purpose,
  operation: 'createPet',
  method: 'POST',
  path: '/pets',
  sent,
  answer,
});
const fetchOne = (purpose: string, id: string, answer: SampleResponse): Draft => ({
  purpose,
  operation: 'getPet',
  method: 'GET',
  path: `/pets/${id}`,
  answer,
});

const drafts: Draft[] = [
  list('survey', '', `[${pet('1', 'Rex')},${pet('2', 'Tom', 'sold')}]`),
  {
    ...list('AUTH-01', '', ''),
    credential: 'missing',
    answer: { status: 401, body: error(401, 'unauthorized', 'API key is missing') },
  },
  create('CREATE-01', '{"name":"pc-7f3a Rex","categoryId":9007199254740993}', {
    status: 201,
    body: pet('9007199254740995', 'pc-7f3a Rex'),
  }),
  create('CREATE-09', '{"name":"pc-7f3a Rex","categoryId":1,"status":"Available"}', {
    status: 201,
    body: pet('44', 'pc-7f3a Rex', 'Available'),
  }),
  create('CREATE-12', '{"name":"pc-7f3a Rex","categoryId":9007199254740993}', {
    status: 201,
    body: '{"id":45,"name":"pc-7f3a Rex","categoryId":9007199254740992}',
  }),
  create('CREATE-05', '{"categoryId":1}', {
    status: 400,
    body: error(422, 'invalid', 'name is required'),
  }),
  list('LIST-02', '?limit=2', `[${pet('1', 'Rex')},${pet('2', 'Tom')},${pet('3', 'Kim')}]`),
  list('LIST-09', '?limit=100', `[${pet('1', 'Rex')},${pet('1', 'Rex')}]`),
  list('LIST-11', '?limit=0', '[]'),
  list('LIST-11', '?limit=abc', error(400, 'invalid', 'limit')),
  create('CREATE-13', JSON.stringify({ name: hostileName, categoryId: 1 }), {
    status: 201,
    body: pet('46', hostileName),
  }),
  fetchOne('GET-01', '44', { status: 200, body: pet('44', 'pc-7f3a Rex') }),
  fetchOne('GET-02', '9223372036854775807', {
    status: 500,
    body: '<!doctype html><title>Whoops</title><script>alert(document.cookie)</script>\u001b[31mat /srv/app/pets.js:12',
    headers: [['Set-Cookie', 'session=\u001b[2J']],
  }),
  {
    ...fetchOne('GET-03', '12abc', { status: 404 }),
    failure: { kind: 'timeout', message: 'no answer within 10 s' },
  },
  {
    purpose: 'ROBUST-02',
    operation: null,
    method: 'DELETE',
    path: '/pets/44',
    answer: { status: 405, body: error(405, 'method', 'not allowed'), headers: [['Allow', 'GET']] },
  },
  list('LIMIT-04', '', error(429, 'slow_down', 'Rate limit exceeded')),
];

/** Sixteen exchanges; `e14` has no response, `e16` is a 429, `e8` is cut off and `e10` holds bytes that are no text. */
export function sampleExchanges(): RecordedExchange[] {
  return drafts.map((draft, index) => {
    const made = exchange(index, draft);
    const { response } = made;
    if (!response) return made;
    if (made.failure) {
      const { response: _, ...unanswered } = made;
      return unanswered;
    }
    if (made.id === 'e8') response.body = { ...response.body, bytes: 5_000_000, truncated: true };
    if (made.id === 'e10') {
      response.status = 400;
      response.body = { base64: Buffer.from([0xff, 0xfe, 0x00, 0x80]).toString('base64'), bytes: 4 };
    }
    if (made.id === 'e16') {
      response.status = 429;
      response.headers = [...response.headers, ['Retry-After', '0']];
    }
    return made;
  });
}
