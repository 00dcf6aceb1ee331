import type { DescriptionRequirement } from '../lib/description/compare-description.js';
import { requirement } from '../lib/requirement/requirement.js';
import { ApiResponse } from '../lib/session/api-response.js';
import { check, open } from '../lib/verdict/check.js';
import { Inconclusive } from '../lib/verdict/outcome.js';

/** The version in the address, and the target's interface description. */

requirement('VERSION-01', {
  probe: ({ store }) => store.survey(),
  *rule({ all, exchanges }) {
    const first = all.find(({ exchange }) => exchange.operation === 'listPets');
    if (!first) return;
    const url = new URL(first.exchange.request.url);
    const base = url.href.slice(0, url.href.length - '/pets'.length - url.search.length);
    const isVersioned = url.pathname.endsWith('/v1/pets');
    // A page for people, as a web server may show it for every address, is not an operation.
    const isServed =
      first.status === 401 || first.status === 429 || (first.status === 200 && first.json !== undefined);
    if (isVersioned && !isServed) yield open(`whether the operations are served under it: ${String(first)}`);
    const below = exchanges.find(({ request }) => request.url === `${base}/v1/pets`);
    const elsewhere = below && new ApiResponse(below).animals ? `, and ${base}/v1/pets answers` : '';
    yield check(isVersioned, first, () => ({
      message: `the base address does not end with \`/v1\`${elsewhere}`,
      expected: 'an address that ends with /v1',
      received: base,
    }));
  },
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
