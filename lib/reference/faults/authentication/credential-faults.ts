import { Refusal } from '../../operations/refused-request.js';
import { withBehaviour } from '../../changes.js';
import type { Fault, WireTarget } from '../fault.js';
import { create, send, expectOnWire, overOneConnection } from '../wire.js';

/** Accepts, beside the real credential, those that a looser comparison accepts. */
function looser(accepts: (authorization: string, key: string) => boolean): Fault['options'] {
  return withBehaviour(({ authenticate }) => ({
    authenticate: (authorization, service, request) =>
      authenticate(authorization, service, request) ??
      service.keys.find(({ key }) => accepts(authorization ?? '', key)),
  }));
}

function token(authorization: string): string {
  return /^Bearer +(\S+)$/.exec(authorization)?.[1] ?? '';
}

function passwordOf(key: string): string {
  return Buffer.from(`:${key}`).toString('base64');
}

async function expectAccepted(target: WireTarget, authorization: string | null): Promise<void> {
  const { status } = await send(target, { authorization });
  expectOnWire(status === 200, `${authorization ?? 'no credential'} is accepted`);
}

interface LooserForm extends Pick<Fault, 'name' | 'title'> {
  readonly accepts: (authorization: string, key: string) => boolean;
  /** A form that is accepted. */
  readonly form: (key: string) => string;
  /** By default AUTH-03. */
  readonly breaks?: Fault['breaks'];
}

/** The key is accepted in forms other than the documented one. */
function looserForms(forms: readonly LooserForm[]): Fault[] {
  return forms.map(({ name, title, accepts, form, breaks = ['AUTH-03'] }) => ({
    name,
    title,
    breaks,
    options: looser(accepts),
    wire: (target) => expectAccepted(target, form(target.key)),
  }));
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
    wire: (target) => expectAccepted(target, null),
  },
  {
    name: 'creation-open-to-all',
    title: 'createPet does not check the credential',
    breaks: ['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05', 'AUTH-06'],
    options: withBehaviour(() => ({ secured: ({ operation }) => operation !== 'createPet' })),
    async wire(target) {
      const body = '{"name":"Rex","categoryId":7}';
      const { status } = await send(target, { method: 'POST', body, authorization: null });
      expectOnWire(status === 201, 'an animal is created without a credential');
    },
  },
  {
    name: 'fetch-open-to-all',
    title: 'getPet does not check the credential',
    breaks: ['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05'],
    options: withBehaviour(() => ({ secured: ({ operation }) => operation !== 'getPet' })),
    async wire(target) {
      const { id } = await create(target);
      const { status } = await send(target, { path: `/pets/${id}`, authorization: null });
      expectOnWire(status === 200, 'an animal is shown without a credential');
    },
  },
  {
    name: 'any-bearer-accepted',
    title: 'Any bearer token is accepted',
    breaks: ['AUTH-02', 'AUTH-05'],
    options: looser((authorization) => token(authorization) !== ''),
    wire: (target) => expectAccepted(target, 'Bearer nobody-has-this-key'),
  },
  {
    name: 'key-cut-short-accepted',
    title: 'A key is compared over the length of what was sent, so that a prefix of it is accepted',
    breaks: ['AUTH-02'],
    options: looser(
      (authorization, key) => token(authorization) !== '' && key.startsWith(token(authorization)),
    ),
    wire: (target) => expectAccepted(target, `Bearer ${target.key.slice(0, -1)}`),
  },
  {
    name: 'key-prolonged-accepted',
    title: 'A key is compared over its own length, so that more characters may follow',
    breaks: ['AUTH-02'],
    options: looser((authorization, key) => token(authorization).startsWith(key)),
    wire: (target) => expectAccepted(target, `Bearer ${target.key}x`),
  },
  {
    name: 'key-in-any-case-accepted',
    title: 'Keys are compared without regard to case',
    breaks: ['AUTH-02'],
    options: looser((authorization, key) => token(authorization).toLowerCase() === key.toLowerCase()),
    wire: (target) => expectAccepted(target, `Bearer ${target.key.toUpperCase()}`),
  },
  {
    name: 'ends-of-key-compared',
    title: 'Only the first and the last four characters of a key are compared, as they are displayed',
    breaks: ['AUTH-02'],
    options: looser((authorization, key) => {
      const sent = token(authorization);
      return (
        sent.length === key.length && sent.slice(0, 4) === key.slice(0, 4) && sent.slice(-4) === key.slice(-4)
      );
    }),
    wire: (target) => expectAccepted(target, `Bearer ${target.key.slice(0, 8)}-${target.key.slice(9)}`),
  },
  {
    name: 'bare-key-accepted',
    title: 'The key is accepted without a scheme before it',
    breaks: ['AUTH-03'],
    options: looser((authorization, key) => authorization === key),
    wire: (target) => expectAccepted(target, target.key),
  },
  {
    name: 'any-scheme-accepted',
    title: 'Any word before the key is accepted as a scheme',
    breaks: ['AUTH-03'],
    options: looser((authorization, key) => authorization.split(' ')[1] === key),
    wire: (target) => expectAccepted(target, `Basic ${target.key}`),
  },
  {
    name: 'key-accepted-as-a-password',
    title: 'The key is accepted as the password of Basic',
    breaks: ['AUTH-03'],
    options: looser((authorization, key) => authorization === `Basic ${passwordOf(key)}`),
    wire: (target) => expectAccepted(target, `Basic ${passwordOf(target.key)}`),
  },
  {
    name: 'scheme-apikey-accepted',
    title: 'The key is accepted under an invented scheme as well',
    breaks: ['AUTH-03'],
    options: looser((authorization, key) => authorization === `ApiKey ${key}`),
    wire: (target) => expectAccepted(target, `ApiKey ${target.key}`),
  },
  {
    name: 'empty-bearer-accepted',
    title: 'The scheme without a key is accepted',
    breaks: ['AUTH-03'],
    options: looser((authorization) => /^Bearer *$/.test(authorization)),
    wire: (target) => expectAccepted(target, 'Bearer'),
  },
  ...looserForms([
    {
      name: 'last-word-taken-for-the-key',
      title: 'The last word of the header is taken for the key, whatever stands before it',
      accepts: (authorization, key) => authorization.split(/\s+/).at(-1) === key,
      form: (key) => `Bearer my ${key}`,
    },
    {
      name: 'words-after-the-key-ignored',
      title: 'What follows the key after a space is ignored',
      accepts: (authorization, key) => authorization.startsWith(`Bearer ${key} `),
      form: (key) => `Bearer ${key} and more`,
    },
    {
      name: 'tab-ends-the-key',
      title: 'What follows the key after a tab is ignored',
      accepts: (authorization, key) => authorization.startsWith(`Bearer ${key}\t`),
      form: (key) => `Bearer ${key}\tand more`,
    },
    {
      name: 'scheme-sought-anywhere',
      title: 'The scheme may stand anywhere before the key, at the end of another word too',
      accepts: (authorization, key) => /Bearer (\S+)$/.exec(authorization)?.[1] === key,
      form: (key) => `NotBearer ${key}`,
    },
    {
      name: 'scheme-by-its-beginning',
      title: 'Any scheme that begins with Bearer is accepted',
      accepts: (authorization, key) => /^Bearer\S* (\S+)$/.exec(authorization)?.[1] === key,
      form: (key) => `BearerToken ${key}`,
    },
    {
      name: 'every-scheme-stripped',
      title: 'The scheme is removed as often as it occurs',
      accepts: (authorization, key) =>
        authorization !== key && authorization.replace(/(?:Bearer )+/, '') === key,
      form: (key) => `Bearer Bearer Bearer ${key}`,
    },
    {
      name: 'scheme-joined-to-the-key',
      title: 'Six characters are cut off for the scheme, whether a space follows them or not',
      accepts: (authorization, key) =>
        authorization.startsWith('Bearer') && authorization.slice(6).trim() === key,
      form: (key) => `Bearer${key}`,
    },
    {
      name: 'credentials-in-a-list',
      title: 'The header is read as a list, of which one credential must be right',
      accepts: (authorization, key) => authorization.split(',').some((one) => one.trim() === `Bearer ${key}`),
      form: (key) => `Digest abc, Bearer ${key}`,
    },
    {
      name: 'quotes-around-the-key-removed',
      title: 'Quotes around the key are removed',
      accepts: (authorization, key) => authorization === `Bearer "${key}"`,
      form: (key) => `Bearer "${key}"`,
      breaks: ['AUTH-02'],
    },
    {
      name: 'key-as-a-parameter-accepted',
      title: 'The key is accepted as a parameter of the scheme as well',
      accepts: (authorization, key) => authorization === `Bearer token=${key}`,
      form: (key) => `Bearer token=${key}`,
      breaks: ['AUTH-02'],
    },
  ]),
  {
    name: 'key-sought-anywhere',
    title: 'A header that contains the key anywhere is accepted',
    breaks: ['AUTH-02', 'AUTH-03'],
    severalCauses: 'a key that is not the right one and a header of another form are mostly checked apart',
    options: looser((authorization, key) => authorization.includes(key)),
    wire: (target) => expectAccepted(target, `Bearer (${target.key})`),
  },
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
    async wire(target) {
      const { status } = await overOneConnection(target, async (over) => {
        await send(target, { authorization: null, over });
        return send(target, { over });
      });
      expectOnWire(status === 401, 'the key is refused after a 401');
    },
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
    async wire(target) {
      const { status } = await send(target, { path: '/pets?limit=0' });
      expectOnWire(status === 401, 'limit=0 with the real key gives 401');
    },
  },
  {
    name: 'key-refused-on-getPet',
    title: 'The key is not known to the deprecated operation',
    breaks: ['AUTH-04'],
    options: withBehaviour(({ authenticate }) => ({
      authenticate: (authorization, service, request) =>
        request.operation === 'getPet' ? undefined : authenticate(authorization, service, request),
    })),
    async wire(target) {
      const { status } = await send(target, { path: '/pets/1' });
      expectOnWire(status === 401, 'getPet refuses the real key');
    },
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
    async wire(target) {
      const { status } = await send(target, { authorization: `bearer ${target.key}` });
      expectOnWire(status === 400, 'the scheme in lower case gives 400');
    },
  },
  {
    name: 'scheme-case-sensitive',
    title: 'The scheme must be spelt Bearer',
    breaks: ['AUTH-08'],
    options: withBehaviour(({ authenticate }) => ({
      authenticate: (authorization, service, request) =>
        authorization?.startsWith('Bearer ') ? authenticate(authorization, service, request) : undefined,
    })),
    async wire(target) {
      const { status } = await send(target, { authorization: `bearer ${target.key}` });
      expectOnWire(status === 401, 'the scheme in lower case is refused');
    },
  },
];
