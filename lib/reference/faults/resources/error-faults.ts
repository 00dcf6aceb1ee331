import { randomUUID } from 'node:crypto';
import { withHeader } from '../../http-message.js';
import type { RefusalKind } from '../../operations/refused-request.js';
import { withErrorFields, withRefusals } from '../../changes.js';
import type { Fault, WireTarget } from '../fault.js';
import { field, send, expectOnWire, type WireRequest, type WireResponse } from '../wire.js';

/** Requests that a conforming service refuses in each of the three documented ways. */
const asks = {
  'invalid-body': { method: 'POST', body: '{}' },
  unauthorized: { authorization: null },
  'not-found': { path: '/pets/9223372036854775807' },
} as const satisfies Partial<Record<RefusalKind, WireRequest>>;

type Documented = keyof typeof asks;

const documented: readonly Documented[] = ['invalid-body', 'unauthorized', 'not-found'];

interface WrongErrorField extends Pick<Fault, 'name' | 'title' | 'breaks'> {
  readonly kinds: readonly [Documented, ...Documented[]];
  readonly change: Parameters<typeof withErrorFields>[1];
  readonly shows: (error: unknown, response: WireResponse, target: WireTarget) => boolean;
}

/** Error bodies have other fields. The wire look sends a request that is refused in the first of `kinds`. */
function misstates({ name, title, breaks, kinds, change, shows }: WrongErrorField): Fault {
  return {
    name,
    title,
    breaks,
    options: withErrorFields(kinds, change),
    async wire(target) {
      const response = await send(target, asks[kinds[0]]);
      expectOnWire(shows(response.json(), response, target), `${title} (${kinds[0]})`);
    },
  };
}

function without(name: string): Parameters<typeof withErrorFields>[1] {
  return (error) => Object.fromEntries(Object.entries(error).filter(([key]) => key !== name));
}

export const errorFaults: readonly Fault[] = [
  {
    name: 'empty-401',
    title: '401 has no body',
    breaks: ['ERR-01'],
    options: withRefusals(['unauthorized'], ({ status, headers }) => ({ status, headers })),
    async wire(target) {
      const { status, text } = await send(target, { authorization: null });
      expectOnWire(status === 401 && text === '', 'a 401 without a body');
    },
  },
  {
    name: 'empty-404',
    title: '404 has no body',
    breaks: ['ERR-01', 'GET-03'],
    options: withRefusals(['not-found'], ({ status, headers }) => ({ status, headers })),
    async wire(target) {
      const { status, text } = await send(target, asks['not-found']);
      expectOnWire(status === 404 && text === '', 'a 404 without a body');
    },
  },
  misstates({
    name: 'error-without-code',
    title: 'The Error body of a refused creation has no code',
    breaks: ['ERR-01'],
    kinds: ['invalid-body'],
    change: without('code'),
    shows: (error) => typeof error === 'object' && field(error, 'code') === undefined,
  }),
  misstates({
    name: 'error-without-status',
    title: 'The Error body of a 401 has no status',
    breaks: ['ERR-01'],
    kinds: ['unauthorized'],
    change: without('status'),
    shows: (error) => typeof error === 'object' && field(error, 'status') === undefined,
  }),
  misstates({
    name: 'error-in-an-envelope',
    title: 'The Error body of a 401 is wrapped in an object',
    breaks: ['ERR-01'],
    kinds: ['unauthorized'],
    change: (error) => ({ error }),
    shows: (error) => typeof field(error, 'error') === 'object',
  }),
  misstates({
    name: 'error-as-plain-text',
    title: 'The Error body of a 401 is a JSON string',
    breaks: ['ERR-01'],
    kinds: ['unauthorized'],
    change: (error) => error.message,
    shows: (error) => typeof error === 'string',
  }),
  misstates({
    name: 'error-messages-in-a-list',
    title: 'The message of a refused creation is a list',
    breaks: ['ERR-01'],
    kinds: ['invalid-body'],
    change: (error) => ({ ...error, message: [error.message] }),
    shows: (error) => Array.isArray(field(error, 'message')),
  }),
  misstates({
    name: 'two-error-messages-in-a-list',
    title: 'If a body misses both fields, the message is a list',
    breaks: ['ERR-01'],
    kinds: ['invalid-body'],
    change: (error, { body }) =>
      /^\{\s*\}$/u.test(Buffer.from(body).toString())
        ? { ...error, message: ['The field "name" is required.', 'The field "categoryId" is required.'] }
        : error,
    shows: (error) => Array.isArray(field(error, 'message')),
  }),
  misstates({
    name: 'error-status-in-quotes',
    title: 'The status in an Error body is text',
    breaks: ['ERR-01'],
    kinds: ['invalid-body', 'unauthorized'],
    change: (error) => ({ ...error, status: String(error.status) }),
    shows: (error) => field(error, 'status') === '400',
  }),
  misstates({
    name: 'error-code-as-a-number',
    title: 'The code in the Error body of a 401 is a number',
    breaks: ['ERR-01'],
    kinds: ['unauthorized'],
    change: (error) => ({ ...error, code: 1001 }),
    shows: (error) => field(error, 'code') === 1001,
  }),
  {
    name: 'problem-details-for-400',
    title: 'A refused creation is answered with problem details (RFC 9457)',
    breaks: ['ERR-01'],
    options: withErrorFields(['invalid-body'], ({ message }) => ({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: message,
    })),
    async wire(target) {
      const { json } = await send(target, asks['invalid-body']);
      expectOnWire(field(json(), 'title') === 'Bad Request', 'problem details in place of an Error body');
    },
  },
  misstates({
    name: 'error-status-always-400',
    title: 'Every Error body says 400',
    breaks: ['ERR-02'],
    kinds: ['not-found', 'unauthorized'],
    change: (error) => ({ ...error, status: 400 }),
    shows: (error, { status }) => status === 404 && field(error, 'status') === 400,
  }),
  misstates({
    name: 'error-status-0',
    title: 'The Error body of a 401 says 0',
    breaks: ['ERR-02'],
    kinds: ['unauthorized'],
    change: (error) => ({ ...error, status: 0 }),
    shows: (error) => field(error, 'status') === 0,
  }),
  misstates({
    name: 'error-status-of-another-list',
    title: 'The Error body of a refused creation says 422',
    breaks: ['ERR-02'],
    kinds: ['invalid-body'],
    change: (error) => ({ ...error, status: 422 }),
    shows: (error) => field(error, 'status') === 422,
  }),
  misstates({
    name: 'empty-message',
    title: 'The message of a 401 is empty',
    breaks: ['ERR-03'],
    kinds: ['unauthorized'],
    change: (error) => ({ ...error, message: '' }),
    shows: (error) => field(error, 'message') === '',
  }),
  misstates({
    name: 'empty-code',
    title: 'The code of a refused creation is empty',
    breaks: ['ERR-03'],
    kinds: ['invalid-body'],
    change: (error) => ({ ...error, code: '' }),
    shows: (error) => field(error, 'code') === '',
  }),
  {
    name: 'one-code-for-all',
    title: 'Every error has the code error',
    breaks: ['ERR-03'],
    options: withErrorFields([...documented, 'invalid-parameter'], (error) => ({ ...error, code: 'error' })),
    async wire(target) {
      for (const kind of documented) {
        const { json } = await send(target, asks[kind]);
        expectOnWire(field(json(), 'code') === 'error', `the code error (${kind})`);
      }
    },
  },
  misstates({
    name: 'code-differs-each-time',
    title: 'Every error has a different number as its code',
    breaks: ['ERR-03'],
    kinds: ['unauthorized'],
    change: (error) => ({ ...error, code: randomUUID() }),
    shows: (error) => /^[0-9a-f-]{36}$/.test(String(field(error, 'code'))),
  }),
  misstates({
    name: 'stack-trace-in-a-message',
    title: 'The message of a refused creation holds a stack trace',
    breaks: ['ERR-04'],
    kinds: ['invalid-body'],
    change: (error) => ({
      ...error,
      message: `${String(error.message)}\n    at readNewPet (/srv/pets/dist/newPet.js:41:11)`,
    }),
    shows: (error) => String(field(error, 'message')).includes('    at '),
  }),
  misstates({
    name: 'file-path-in-a-message',
    title: 'The message of a refused creation names a file of the service',
    breaks: ['ERR-04'],
    kinds: ['invalid-body'],
    change: (error) => ({
      ...error,
      message: 'Validation failed in /var/www/pets/src/validate.php on line 12',
    }),
    shows: (error) => String(field(error, 'message')).includes('/var/www'),
  }),
  misstates({
    name: 'query-in-a-message',
    title: 'The message of a 404 holds the text of a query',
    breaks: ['ERR-04'],
    kinds: ['not-found'],
    change: (error) => ({ ...error, message: "No rows: SELECT id, name FROM pets WHERE id = '7' LIMIT 1" }),
    shows: (error) => String(field(error, 'message')).includes('SELECT'),
  }),
  misstates({
    name: 'database-address-in-a-message',
    title: 'The message of a 404 holds the address of a database, with its password',
    breaks: ['ERR-04'],
    kinds: ['not-found'],
    change: (error) => ({ ...error, message: 'No row in postgres://pets:hunter2@db.internal:5432/pets' }),
    shows: (error) => String(field(error, 'message')).includes('hunter2'),
  }),
  {
    name: 'credential-in-a-message',
    title: 'The message of a 401 repeats the credential that was sent',
    breaks: ['ERR-04'],
    options: withErrorFields(['unauthorized'], (error, { headers }) => ({
      ...error,
      message: `The credential ${headers.authorization ?? 'missing'} is not valid.`,
    })),
    async wire(target) {
      const { text } = await send(target, { authorization: `Basic ${target.key}` });
      expectOnWire(text.includes(target.key), 'the key in a message');
    },
  },
  {
    name: 'credential-in-a-header',
    title: 'A 404 repeats the credential in a header',
    breaks: ['ERR-04'],
    options: withRefusals(['not-found'], (response, { headers }) =>
      withHeader(response, 'X-Caller', headers.authorization ?? 'nobody'),
    ),
    async wire(target) {
      const { header } = await send(target, { path: '/pets/999999' });
      expectOnWire(header('x-caller')?.includes(target.key) === true, 'the key in a header');
    },
  },
];
