import type { Exchange } from '../lib/evidence/exchange.js';
import { answers, check, left, open } from '../lib/verdict/check.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { requirement } from '../lib/verdict/requirement.js';

/** What the valid key must get. */

/** Statuses by which a credential is refused; another says that something else is wrong. */
const refusals: ReadonlySet<number | undefined> = new Set([401, 403]);

requirement('AUTH-04', {
  kinds: ['listing', 'creation', 'animal'],
  *rule({ responses }) {
    const sent = responses.filter(({ credential }) => credential === 'valid');
    if (sent.length > 0 && sent.every(({ status }) => refusals.has(status)))
      throw new Inconclusive('no operation accepted the key');
    const accepting = new Set(sent.map(({ status, operationName }) => status !== 401 && operationName));
    const lastOver = new Map<string | undefined, Exchange>();
    for (const one of responses) {
      const { connection, credential } = one;
      const before = lastOver.get(connection);
      lastOver.set(connection, one);
      if (credential !== 'valid' || one.status === undefined) continue;
      yield check(one.status !== 401, one, () => ({
        message: `${one.operationName} refused the valid key`,
        expected: 'any status but 401',
        received: `${String(one)}, over connection ${connection ?? ''}`,
        // A server may mistake one request for the one before over the same connection.
        reproduce: before && accepting.has(one.operationName) ? onOneConnection(before, one) : one.curl,
        fact: { kind: 'status', expected: [] },
      }));
    }
  },
});

/** A command that sends one request and then the other over the same connection. */
function onOneConnection(one: Exchange, other: Exchange): string {
  const [first, second] = [one.curl, other.curl];
  // Only one of them could read its body from a pipe.
  return second.startsWith('curl ')
    ? `${first} --next ${second.replace(/^curl /u, '')}`
    : `${first}; ${second}`;
}

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
