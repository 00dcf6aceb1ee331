import { animalOf, animalsOf, valueText } from '../lib/session/animal.js';
import type { CreateOptions, Query } from '../lib/session/api.js';
import { writeJson } from '../lib/specification/json-value.js';
import { ApiResponse } from '../lib/verdict/api-response.js';
import { requirement } from '../lib/requirement/requirement.js';

/** What the specification leaves open: asked, told, never judged. */

function outcome(response: ApiResponse): string | undefined {
  if (response.status === undefined) return String(response);
  return response.status >= 400 ? `refused with ${response.status}` : undefined;
}

function numberOf(response: ApiResponse): number | undefined {
  return Array.isArray(response.json) ? response.json.length : undefined;
}

requirement(
  'LIST-11',
  { phase: 'unspecified', notInQuick: 'it observes' },
  async ({ api, judgement, store }) => {
    const queries: Array<[subject: string, query: Query]> = [
      ...['0', '-1', '101', 'abc', '1.5', ''].map((value): [string, Query] => [
        `\`limit=${value}\``,
        [['limit', value]],
      ]),
      [
        '`limit=1&limit=2`',
        [
          ['limit', 1],
          ['limit', 2],
        ],
      ],
    ];
    await Promise.all(
      queries.map(async ([subject, query]) => {
        const response = await api.listPets(query, { silent: true });
        const count = numberOf(response);
        const known = store.knownPets.known;
        judgement.observe(
          subject,
          outcome(response) ?? `${count ?? 'no'} animals, of ${known} known (clamped or ignored)`,
          response,
        );
      }),
    );
  },
);

requirement('LIST-12', { phase: 'unspecified', notInQuick: 'it observes' }, async ({ api, judgement }) => {
  await Promise.all(
    ['sleeping', 'Available', ''].map(async (status) => {
      const response = await api.listPets([['status', status]], { silent: true });
      const animals = animalsOf(response.json) ?? [];
      const states = [...new Set(animals.map(({ shown }) => valueText(shown.status)))].sort().join(', ');
      const told = animals.length === 0 ? 'an empty list' : `${animals.length} animals with ${states}`;
      judgement.observe(`\`status=${status}\``, outcome(response) ?? told, response);
    }),
  );
});

const pagingHeaders =
  /^(link|content-range|x-(?:total|page|per-page|next|prev|pagination|offset|cursor).*|total-count|next-.*)$/i;

requirement('LIST-13', { phase: 'whole run' }, async ({ judgement, exchanges, api }) => {
  const isListing = ({ operation, response, purpose }: (typeof exchanges)[number]): boolean =>
    operation === 'listPets' && response?.status === 200 && purpose !== 'survey';
  const known = exchanges.filter(isListing).map((exchange) => new ApiResponse(exchange));
  const responses = known.length > 0 ? known : [await api.listPets()];
  const longest = responses.reduce((a, b) => ((numberOf(b) ?? 0) > (numberOf(a) ?? 0) ? b : a));
  judgement.observe('the order of a listing', orderOf(longest), longest);
  const headers = new Set(
    responses.flatMap(({ exchange }) =>
      (exchange.response?.headers ?? []).map(([name]) => name).filter((name) => pagingHeaders.test(name)),
    ),
  );
  judgement.observe(
    'paging information in headers',
    headers.size === 0 ? 'none' : [...headers].sort().join(', '),
    longest,
  );
});

/** How identifiers follow each other in a listing. */
function orderOf(response: ApiResponse): string {
  const ids = (animalsOf(response.json) ?? []).map(({ id }) => BigInt(id));
  if (ids.length < 3) return 'too few animals to tell';
  const pairs = ids.slice(1).map((id, index) => (ids[index] ?? 0n) < id);
  if (pairs.every(Boolean)) return '`id` ascending';
  if (pairs.every((ascending) => !ascending)) return '`id` descending';
  return 'not by `id`';
}

requirement('CREATE-15', { phase: 'unspecified', notInQuick: 'it observes' }, async (probe) => {
  const { store, judgement, api, name } = probe;
  const { categoryId, status } = (await store.accepted()).body;
  const control = (await store.accepted()).response;
  judgement.observe('`Location` on creation', control.header('Location') ?? 'none', control);
  const cases: Array<[subject: string, body: (name: string) => unknown, options?: CreateOptions]> = [
    ['`status` left out', (own) => ({ name: own, categoryId })],
    ['an additional property', (own) => ({ name: own, categoryId, status, colour: 'brown' })],
    ['the empty name', () => ({ name: '', categoryId, status })],
    ['a name of 300 characters', (own) => ({ name: `${own} `.padEnd(300, 'x'), categoryId, status })],
    ['a name of 10,000 characters', (own) => ({ name: `${own} `.padEnd(10_000, 'x'), categoryId, status })],
    [
      'a name with control characters',
      (own) => ({ name: `${own} \u0007\u001b[1m\u0000`, categoryId, status }),
    ],
    [
      'a name with a lone surrogate',
      (own) => `{"name":"${own} \\ud800","categoryId":${categoryId},"status":"${status}"}`,
    ],
    ['a name with outer space', (own) => ({ name: ` ${own} `, categoryId, status })],
    [
      'a duplicate key',
      (own) =>
        `{"name":"${own} first","name":"${own} second","categoryId":${categoryId},"status":"${status}"}`,
    ],
    ['no Content-Type', (own) => ({ name: own, categoryId, status }), { contentType: null }],
    ['Content-Type text/plain', (own) => ({ name: own, categoryId, status }), { contentType: 'text/plain' }],
    [
      'Content-Type application/json; charset=utf-8',
      (own) => ({ name: own, categoryId, status }),
      { contentType: 'application/json; charset=utf-8' },
    ],
  ];
  await Promise.all(
    cases.map(async ([subject, body, options]) => {
      const own = name();
      const text = (sent: unknown): string => (typeof sent === 'string' ? sent : writeJson(sent));
      const again = (): string => text(body(`${own} again`));
      const response = await api.createPetFrom(
        { text: text(body(own)), again },
        { ...options, silent: true },
      );
      judgement.observe(subject, outcome(response) ?? shownOf(subject, response), response);
    }),
  );
});

/** What was made of a body that was taken, as far as the case is about it. */
function shownOf(subject: string, response: ApiResponse): string {
  const animal = animalOf(response.json);
  if (!animal) return `${response.status ?? ''} without a Pet`;
  const { shown } = animal;
  if (subject.startsWith('`status`')) return `created with \`status\` ${valueText(shown.status)}`;
  if (subject.startsWith('an additional'))
    return 'colour' in shown ? 'created, the property comes back' : 'created, the property is dropped';
  const text = valueText(shown.name);
  return `created with \`name\` ${text.length > 60 ? `of ${text.length - 2} characters` : text}`;
}
