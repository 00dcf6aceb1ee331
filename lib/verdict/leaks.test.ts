import { describe, expect, it } from 'vitest';
import { redactionOf } from '../evidence/redaction.js';
import { leakIn } from './leaks.js';
import { exchangeOf, type Sketch } from './testing/exchange.js';

/** Of exchanges that were recorded: redaction has replaced the key. */
const recorded: Parameters<typeof leakIn>[1] = { redact: (text) => text, keyMayBeWord: false };

const leak = (message: string, sketch: Sketch = {}, key = recorded): string | undefined =>
  leakIn(exchangeOf({ status: 400, json: { code: 'bad', message, status: 400 }, ...sketch }), key)?.what;

describe('an error gives away', () => {
  it.each([
    ['a stack trace', 'TypeError: x is undefined\n    at readBody (server.js:12:7)'],
    [
      'a stack trace',
      '    at async Promise.all (index 0)\n    at Object.<anonymous> (src/routes/pets.ts:3:14)',
    ],
    ['a stack trace', 'Traceback (most recent call last):'],
    ['a stack trace', '  File "/srv/app.py", line 3, in create'],
    ['a stack trace', 'at com.example.pets.PetController.create(PetController.java:42)'],
    ['a stack trace', 'java.lang.NullPointerException: name'],
    ['a stack trace', 'goroutine 7 [running]:'],
    ['a stack trace', "app/controllers/pets_controller.rb:12:in `show'"],
    ['a stack trace', 'panic: nil map\n\tserver/pets.go:31 +0x39'],
    ['a credential', 'cannot connect to postgres://pets:secret@db.internal:5432/pets'],
    ['a file path', 'cannot open /var/lib/pets/store.db'],
    ['a file path', 'C:\\service\\pets\\main.cs'],
    ['a database query', 'SELECT id, name FROM pets WHERE id = 1'],
    ['a database query', 'insert into pets (name) values (1)'],
    ['a database query', 'update pets set name = 1'],
    ['a database message', 'duplicate key value violates unique constraint "pets_pkey"'],
    ['a database message', 'ORA-00942: table or view does not exist'],
    ['the credential', 'unknown key $PETSTORE_API_KEY'],
    ['the credential', 'unknown key $PETSTORE_API_KEY[without its last character]'],
  ])('%s: %s', (what, message) => {
    expect(leak(message)).toBe(what);
  });
});

describe('an error gives nothing away with', () => {
  it.each([
    'The field "name" is required.',
    'Unexpected end of JSON at line 1:12',
    'Try again at 12:30:45, or at 2026-01-01T12:30:45.123Z.',
    'Select one of the values from the list: available, pending, sold.',
    'Insert into the field what is missing, update it, or delete from it what is too much.',
    'See https://docs.example.com/app/errors#invalid-body.',
    'There is no /v1/pets/12abc.',
    'An exception: the category is unknown.',
    'See https://docs.example.com:443/errors, or write to mailto:pets@example.com.',
  ])('%s', (message) => {
    expect(leak(message)).toBeUndefined();
  });

  it('what the request itself said, the credential apart', () => {
    expect(leak('no category /etc/passwd', { sent: { categoryId: '/etc/passwd' } })).toBeUndefined();
    expect(leak('no animal /home/rex', { path: '/pets/home/rex' })).toBeUndefined();
    expect(leak('key $PETSTORE_API_KEY', { sent: '$PETSTORE_API_KEY' })).toBe('the credential');
  });

  it('headers of its own, but not with the credential in one', () => {
    const within = (value: string): string | undefined =>
      leakIn(exchangeOf({ status: 404, headers: [['X-Caller', value]] }), recorded)?.what;
    expect(within('caller 7')).toBeUndefined();
    expect(within('Bearer $PETSTORE_API_KEY')).toBe('the credential');
  });

  it('a key that is a plain word, unless a scheme stands before it', () => {
    const word = { redact: redactionOf([['available', '$PETSTORE_API_KEY']]), keyMayBeWord: true };
    expect(leak('status must be available, pending or sold', {}, word)).toBeUndefined();
    expect(leak('unknown: Bearer available', {}, word)).toBe('the credential');
    expect(leak('unknown: YXZhaWxhYmxl', {}, word)).toBe('the credential');
  });

  it('no body at all', () => {
    expect(leakIn(exchangeOf({ status: null }), recorded)).toBeUndefined();
  });
});
