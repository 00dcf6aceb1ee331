import type { DescriptionRequirement } from '../lib/description/compare-description.js';
import { requirement } from '../lib/requirement/requirement.js';
import { ApiResponse } from '../lib/session/api-response.js';
import { Inconclusive } from '../lib/verdict/outcome.js';

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

/** Each requirement is a part of one comparison, of the target's interface description with the specification. */
function judgedOnDescription(id: DescriptionRequirement): void {
  const leavesTo = id === 'DESC-02' ? {} : { 'DESC-02': 'the description has nothing to compare' };
  requirement(id, { phase: 'description', leavesTo }, async ({ judgement, describedInterface }) => {
    const described = await describedInterface();
    if (!described.ok) throw new Inconclusive(described.message);
    const { checks, findings } = described.results[id];
    if (checks === 0 && id !== 'DESC-02') judgement.leaveTo('DESC-02', 'the interface description');
    judgement.add(checks, findings);
  });
}

judgedOnDescription('DESC-01');
judgedOnDescription('DESC-02');
judgedOnDescription('DESC-03');
judgedOnDescription('DESC-04');
judgedOnDescription('DESC-05');
