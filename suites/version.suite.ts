import { requirement } from '../lib/requirement/requirement.js';

requirement('VERSION-01', async ({ judgement, store }) => {
  const survey = await store.survey();
  const url = new URL(survey.exchange.request.url);
  const base = url.href.slice(0, url.href.length - '/pets'.length - url.search.length);
  const versioned = url.pathname.endsWith('/v1/pets');
  judgement.check(
    versioned,
    {
      message: 'the base address does not end with `/v1`',
      expected: 'an address ending in /v1',
      received: base,
    },
    survey,
  );
  if (!versioned) return;
  // A page for people, as a web server shows it for every address, is no operation.
  const listed = survey.status === 200 && survey.json !== undefined;
  if (listed || survey.status === 401 || survey.status === 429)
    judgement.check(true, { message: 'served' }, survey);
  else judgement.leaveOpen(`whether the operations are served under it: ${String(survey)}`);
});
