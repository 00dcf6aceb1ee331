import { requirement } from '../lib/verdict/requirement.js';
import { check, left, open } from '../lib/verdict/check.js';

requirement('VERSION-01', {
  probe: ({ store }) => store.survey(),
  *rule({ all }) {
    const first = all.find(({ operation }) => operation === 'listPets');
    if (!first) return;
    const url = new URL(first.request.url);
    const base = url.href.slice(0, url.href.length - '/pets'.length - url.search.length);
    const isVersioned = url.pathname.endsWith('/v1/pets');
    // A page for people, as a web server may show it for every address, is not an operation.
    const isServed =
      first.status === 401 || first.status === 429 || (first.status === 200 && first.json !== undefined);
    // Where nothing responds, a mistyped address is likelier than a fault.
    if (!first.response || (isVersioned && !isServed))
      return yield open(`whether the operations are served under it: ${String(first)}`);
    yield check(isVersioned, first, () => ({
      message: 'the base address does not end with `/v1`',
      expected: 'an address that ends with /v1',
      received: base,
    }));
  },
});

/** Each requirement is a part of one comparison, of the target's interface description with the specification. */
for (const id of ['DESC-01', 'DESC-02', 'DESC-03', 'DESC-04', 'DESC-05', 'DESC-06'] as const)
  requirement(id, {
    phase: id === 'DESC-06' ? 'all responses' : 'description',
    probe: ({ describedInterface }) => describedInterface(),
    rule({ parts: { description }, exchanges }) {
      const checks = description?.(id, exchanges) ?? [];
      // A run of the description alone has no responses, and needs no service.
      if (id === 'DESC-06' && exchanges.length === 0 && checks.length === 0)
        return [open('this run has received no response of an operation')];
      // What compared nothing has no operation of the three.
      return checks.length > 0 || !description ? checks : [left('DESC-02', 'the interface description')];
    },
  });
