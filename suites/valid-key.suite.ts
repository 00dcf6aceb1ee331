import { answers, check, left, open } from '../lib/verdict/check.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { requirement } from '../lib/verdict/requirement.js';

/** What the valid key must get. */

/** Statuses by which a credential is refused; another says that something else is wrong. */
const refusals: ReadonlySet<number | undefined> = new Set([401, 403]);

requirement('AUTH-04', {
  kinds: ['listing', 'creation', 'animal'],
  *rule({ responses }) {
    const sent = responses.filter(({ credential, status }) => credential === 'valid' && status !== undefined);
    if (sent.length > 0 && sent.every(({ status }) => refusals.has(status)))
      throw new Inconclusive('no operation accepted the key');
    const accepting = new Set(sent.map(({ status, operation }) => status !== 401 && operation));
    for (const one of sent)
      yield check(one.status !== 401, one, () => {
        // A server may mistake one request for the one before over the same connection.
        const before = responses.findLast(
          ({ connection, sentAt }) =>
            accepting.has(one.operation) && connection === one.connection && sentAt < one.sentAt,
        );
        return {
          message: `${one.operationName} refused the valid key`,
          expected: 'any status but 401',
          received: `${String(one)}, over connection ${one.connection ?? ''}`,
          reproduce: before && `${before.curl} --next ${one.curl.replace(/^curl /u, '')}`,
          fact: { kind: 'status', expected: [] },
        };
      });
  },
});

requirement('AUTH-08', {
  async probe({ api, store, newPetOfOtherStatus }) {
    const as = api.credentials.lowerCaseScheme;
    if (store.readOnly) await api.listPets({}, { as });
    else await api.createPet(await newPetOfOtherStatus(), { as });
  },
  *rule(evidence) {
    for (const one of evidence.answers) {
      const { status = 0, credential } = one;
      if (credential !== 'equivalent') continue;
      const isRefused = status >= 400 && status < 500 && !refusals.has(status);
      if (status >= 500) yield left('ROBUST-01', `the scheme in lower case: ${String(one)}`);
      // Whether the scheme is the reason shows in the same request under `Bearer`.
      else if (isRefused && !evidence.isAcceptedWithKey(one))
        yield open(`a request under \`bearer\` got ${String(one)}, and none like it was accepted`);
      else {
        const success = one.operation === 'createPet' ? evidence.creations.success : [200];
        yield answers(one, success, 'the scheme in lower case');
      }
    }
  },
});
