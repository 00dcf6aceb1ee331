import type { DescriptionRequirement } from '../lib/description/compare-description.js';
import type { DescriptionResult } from '../lib/description/comparison.js';
import { requirement, type Probe } from '../lib/requirement/requirement.js';
import { ApiResponse } from '../lib/session/api-response.js';
import type { Judgement } from '../lib/verdict/judgement.js';
import { Inconclusive, NotTested } from '../lib/verdict/outcome.js';

/** The version in the address, and the target's interface description. */

requirement('VERSION-01', async ({ judgement, store, exchanges }) => {
  const survey = await store.survey();
  const url = new URL(survey.exchange.request.url);
  const base = url.href.slice(0, url.href.length - '/pets'.length - url.search.length);
  const versioned = url.pathname.endsWith('/v1/pets');
  // A page for people, as a web server may show it for every address, is not an operation.
  const listed = survey.status === 200 && survey.json !== undefined;
  if (versioned && !listed && survey.status !== 401 && survey.status !== 429)
    judgement.leaveOpen(`whether the operations are served under it: ${String(survey)}`);
  const below = exchanges.find(({ request }) => request.url === `${base}/v1/pets`);
  const elsewhere = below && new ApiResponse(below).animals ? `, and ${base}/v1/pets answers` : '';
  judgement.check(versioned, survey, () => ({
    message: `the base address does not end with \`/v1\`${elsewhere}`,
    expected: 'an address that ends with /v1',
    received: base,
  }));
});

const nothingToCompare = { 'DESC-02': 'the description has nothing to compare' } as const;

// The modules that compare are imported when they are needed: a compiler of schemas takes long to import.

/** Adds what a comparison with the description made. One that compared nothing has no operation of the three. */
function addTo(judgement: Judgement, { checks, findings, open }: DescriptionResult): void {
  judgement.add(checks, findings);
  for (const reason of open) judgement.leaveOpen(reason);
  if (checks === 0 && open.length === 0 && judgement.id !== 'DESC-02')
    judgement.leaveTo('DESC-02', 'the interface description');
}

/** Each requirement is a part of one comparison, of the target's interface description with the specification. */
function judgedOnDescription(id: DescriptionRequirement): void {
  const leavesTo = id === 'DESC-02' ? {} : nothingToCompare;
  requirement(id, { phase: 'description', leavesTo }, async ({ judgement, describedInterface }) => {
    const described = await describedInterface();
    if (!described.ok) throw new Inconclusive(described.message);
    const { compareDescription } = await import('../lib/description/compare-description.js');
    addTo(judgement, compareDescription(described.description)[id]);
  });
}

judgedOnDescription('DESC-01');
judgedOnDescription('DESC-02');
judgedOnDescription('DESC-03');
judgedOnDescription('DESC-04');
judgedOnDescription('DESC-05');

/** A run of everything has received these responses. One of this requirement alone requests them. */
async function requestMissing({ api, store, exchanges }: Probe): Promise<void> {
  const requests = [
    ['createPet', 201, () => store.accepted()],
    ['createPet', 400, async () => api.createPet({ categoryId: (await store.accepted()).body.categoryId })],
    ['listPets', 200, () => api.listPets()],
    ['listPets', 401, () => api.listPets([], { as: api.credentials.missing })],
    ['getPet', 200, async () => api.getPet((await store.animal()).id)],
  ] as const;
  for (const [operation, status, request] of requests) {
    const isKnown = exchanges.some((one) => one.operation === operation && one.response?.status === status);
    // In a read-only run, or if no body is accepted, the others can still be requested.
    if (!isKnown) await request().catch(unlessUnavailable);
  }
}

function unlessUnavailable(error: unknown): void {
  if (!(error instanceof NotTested || error instanceof Inconclusive)) throw error;
}

requirement('DESC-06', { phase: 'all responses', leavesTo: nothingToCompare }, async (probe) => {
  const described = await probe.describedInterface();
  if (!described.ok) throw new Inconclusive(described.message);
  await requestMissing(probe);
  const { judgeResponses } = await import('../lib/description/judge-responses.js');
  addTo(probe.judgement, judgeResponses(described.description, probe.exchanges));
});
