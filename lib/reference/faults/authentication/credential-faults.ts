import { Refusal } from '../../operations/refused-request.js';
import { withBehaviour } from '../../changes.js';
import type { Fault } from '../fault.js';

/** Accepts, beside the real credential, those that a looser comparison accepts. */
function accepts(
  id: 'AUTH-02' | 'AUTH-03',
  name: string,
  title: string,
  isAccepted: (authorization: string, key: string) => boolean,
): Fault {
  return {
    name,
    title,
    breaks: [id],
    options: withBehaviour(({ authenticate }) => ({
      authenticate: (authorization, service, request) =>
        authenticate(authorization, service, request) ??
        service.keys.find(({ key }) => isAccepted(authorization ?? '', key)),
    })),
  };
}

function token(authorization: string): string {
  return /^Bearer +(\S+)$/.exec(authorization)?.[1] ?? '';
}

/** Which credentials are accepted: AUTH-01 to AUTH-04, and AUTH-08. */
export const credentialFaults: readonly Fault[] = [
  {
    name: 'listing-open-to-guests',
    title: 'listPets is served without a credential',
    breaks: ['AUTH-01'],
    options: withBehaviour(() => ({
      secured: ({ operation, headers }) => operation !== 'listPets' || headers.authorization !== undefined,
    })),
  },
  {
    name: 'creation-open-to-all',
    title: 'createPet does not check the credential',
    breaks: ['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05', 'AUTH-06'],
    options: withBehaviour(() => ({ secured: ({ operation }) => operation !== 'createPet' })),
  },
  accepts(
    'AUTH-02',
    'key-cut-short-accepted',
    'A key is compared over the length of what was sent, so that a prefix of it is accepted',
    (authorization, key) => token(authorization) !== '' && key.startsWith(token(authorization)),
  ),
  accepts(
    'AUTH-02',
    'key-prolonged-accepted',
    'A key is compared over its own length, so that more characters may follow',
    (authorization, key) => token(authorization).startsWith(key),
  ),
  accepts(
    'AUTH-02',
    'key-in-any-case-accepted',
    'Keys are compared without regard to case',
    (authorization, key) => token(authorization).toLowerCase() === key.toLowerCase(),
  ),
  accepts(
    'AUTH-02',
    'ends-of-key-compared',
    'Only the first and the last four characters of a key are compared, as they are displayed',
    (authorization, key) => {
      const sent = token(authorization);
      return (
        sent.length === key.length && sent.slice(0, 4) === key.slice(0, 4) && sent.slice(-4) === key.slice(-4)
      );
    },
  ),
  accepts(
    'AUTH-03',
    'bare-key-accepted',
    'The key is accepted without a scheme before it',
    (authorization, key) => authorization === key,
  ),
  accepts(
    'AUTH-03',
    'key-accepted-as-a-password',
    'The key is accepted as the password of Basic',
    (authorization, key) => authorization === `Basic ${Buffer.from(`:${key}`).toString('base64')}`,
  ),
  accepts(
    'AUTH-03',
    'tab-ends-the-key',
    'What follows the key after a tab is ignored',
    (authorization, key) => authorization.startsWith(`Bearer ${key}\t`),
  ),
  accepts(
    'AUTH-03',
    'scheme-joined-to-the-key',
    'Six characters are cut off for the scheme, whether a space follows them or not',
    (authorization, key) => authorization.startsWith('Bearer') && authorization.slice(6).trim() === key,
  ),
  accepts(
    'AUTH-03',
    'credentials-in-a-list',
    'The header is read as a list, of which one credential must be right',
    (authorization, key) => authorization.split(',').some((one) => one.trim() === `Bearer ${key}`),
  ),
  {
    name: 'refusal-kept-by-the-connection',
    title: 'After a 401, the next request over the same connection is refused as well',
    breaks: ['AUTH-04'],
    options: withBehaviour(({ authenticate }) => {
      const refused = new Set<number>();
      return {
        authenticate(authorization, service, request) {
          const key = authenticate(authorization, service, request);
          if (refused.delete(request.connection) && key) return undefined;
          if (!key) refused.add(request.connection);
          return key;
        },
      };
    }),
  },
  {
    name: 'bad-limit-answered-401',
    title: 'A bad query parameter is answered as if the key were bad',
    breaks: ['AUTH-04'],
    options: withBehaviour(({ refuse }) => ({
      refuse: (refusal, request, service) =>
        refuse(
          refusal.kind === 'invalid-parameter' ? new Refusal('unauthorized', refusal.message) : refusal,
          request,
          service,
        ),
    })),
  },
  {
    name: 'key-refused-on-getPet',
    title: 'The key is not known to the deprecated operation',
    breaks: ['AUTH-04'],
    options: withBehaviour(({ authenticate }) => ({
      authenticate: (authorization, service, request) =>
        request.operation === 'getPet' ? undefined : authenticate(authorization, service, request),
    })),
  },
  {
    name: 'scheme-in-lower-case-is-a-bad-request',
    title: 'The scheme in lower case gets 400, as a header that cannot be parsed',
    breaks: ['AUTH-08'],
    options: withBehaviour(() => ({
      beforeAuthentication({ headers }) {
        if (!headers.authorization?.startsWith('bearer ')) return;
        throw new Refusal('invalid-parameter', 'The Authorization header can not be read.');
      },
    })),
  },
  {
    name: 'scheme-case-sensitive',
    title: 'The scheme must be spelt Bearer',
    breaks: ['AUTH-08'],
    options: withBehaviour(({ authenticate }) => ({
      authenticate: (authorization, service, request) =>
        authorization?.startsWith('Bearer ') ? authenticate(authorization, service, request) : undefined,
    })),
  },
];
