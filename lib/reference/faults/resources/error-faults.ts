import { randomUUID } from 'node:crypto';
import { withBehaviour, withErrorFields, withRefusals, withResponses } from '../../changes.js';
import { withHeader } from '../../http-message.js';
import type { Fault } from '../fault.js';

/** What Error bodies are: ERR-01 to ERR-04. */
export const errorFaults: readonly Fault[] = [
  {
    name: 'empty-401',
    title: '401 has no body',
    breaks: ['ERR-01'],
    options: withRefusals(['unauthorized'], ({ status, headers }) => ({ status, headers })),
  },
  {
    name: 'two-error-messages-in-a-list',
    title: 'If a body misses both fields, the message is a list',
    breaks: ['ERR-01'],
    options: withErrorFields(['invalid-body'], (error, { body }) =>
      /^\{\s*\}$/u.test(Buffer.from(body).toString())
        ? { ...error, message: ['The field "name" is required.', 'The field "categoryId" is required.'] }
        : error,
    ),
  },
  {
    name: 'error-status-in-quotes',
    title: 'The status in an Error body is text',
    breaks: ['ERR-01'],
    options: withErrorFields(['invalid-body', 'unauthorized'], (error) => ({
      ...error,
      status: String(error.status),
    })),
  },
  {
    name: 'cut-off-json-answered-in-html',
    title: 'A body that is not JSON gets a 400 of the framework, with an HTML page',
    breaks: ['ERR-01', 'MEDIA-01'],
    options: withBehaviour(({ refuse }) => ({
      refuse(refusal, request, service) {
        const response = refuse(refusal, request, service);
        if (refusal.kind !== 'invalid-body' || !refusal.message.includes('valid JSON')) return response;
        return {
          status: 400,
          headers: [['Content-Type', 'text/html; charset=utf-8']],
          raw: '<!doctype html><title>Error</title><pre>Unexpected end of JSON input</pre>',
        };
      },
    })),
  },
  {
    name: 'error-in-latin-1',
    title: 'Error bodies of 401 are encoded in Latin-1',
    breaks: ['ERR-01', 'MEDIA-01'],
    options: withResponses((response) =>
      response.status === 401
        ? {
            ...response,
            raw: Buffer.from('{"code":"unauthorized","message":"Schlüssel ungültig","status":401}', 'latin1'),
          }
        : response,
    ),
  },
  {
    name: 'error-status-always-400',
    title: 'Every Error body says 400',
    breaks: ['ERR-02'],
    options: withErrorFields(['not-found', 'unauthorized'], (error) => ({ ...error, status: 400 })),
  },
  {
    name: 'error-status-of-another-list',
    title: 'The Error body of a refused creation says 422',
    breaks: ['ERR-02'],
    options: withErrorFields(['invalid-body'], (error) => ({ ...error, status: 422 })),
  },
  {
    name: 'empty-message',
    title: 'The message of a 401 is empty',
    breaks: ['ERR-03'],
    options: withErrorFields(['unauthorized'], (error) => ({ ...error, message: '' })),
  },
  {
    name: 'one-code-for-all',
    title: 'Every error has the code error',
    breaks: ['ERR-03'],
    options: withErrorFields(['invalid-body', 'invalid-parameter', 'unauthorized', 'not-found'], (error) => ({
      ...error,
      code: 'error',
    })),
  },
  {
    name: 'code-differs-each-time',
    title: 'Every error has a different number as its code',
    breaks: ['ERR-03'],
    options: withErrorFields(['unauthorized'], (error) => ({ ...error, code: randomUUID() })),
  },
  {
    name: 'stack-trace-in-a-message',
    title: 'The message of a refused creation holds a stack trace',
    breaks: ['ERR-04'],
    options: withErrorFields(['invalid-body'], (error) => ({
      ...error,
      message: `${String(error.message)}\n    at readNewPet (/srv/pets/dist/newPet.js:41:11)`,
    })),
  },
  {
    name: 'query-in-a-message',
    title: 'The message of a 404 holds the text of a query',
    breaks: ['ERR-04'],
    options: withErrorFields(['not-found'], (error) => ({
      ...error,
      message: "No rows: SELECT id, name FROM pets WHERE id = '7' LIMIT 1",
    })),
  },
  {
    name: 'database-address-in-a-message',
    title: 'The message of a 404 holds the address of a database, with its password',
    breaks: ['ERR-04'],
    options: withErrorFields(['not-found'], (error) => ({
      ...error,
      message: 'No row in postgres://pets:hunter2@db.internal:5432/pets',
    })),
  },
  {
    name: 'credential-in-a-message',
    title: 'The message of a 401 repeats the credential that was sent',
    breaks: ['ERR-04'],
    options: withErrorFields(['unauthorized'], (error, { headers }) => ({
      ...error,
      message: `The credential ${headers.authorization ?? 'missing'} is not valid.`,
    })),
  },
  {
    name: 'credential-in-a-header',
    title: 'A 404 repeats the credential in a header',
    breaks: ['ERR-04'],
    options: withRefusals(['not-found'], (response, { headers }) =>
      withHeader(response, 'X-Caller', headers.authorization ?? 'nobody'),
    ),
  },
];
