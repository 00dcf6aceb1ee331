import { expect, it } from 'vitest';
import type { Fact } from '../evidence/record/record.js';
import { requirementRow } from '../specification/catalogue.js';
import { fixOf } from './fix.js';
import { notTestedResult } from './judgement.js';

type Id = 'AUTH-03' | 'CREATE-01' | 'LIST-08' | 'RATE-01' | 'CREATE-07' | 'ROBUST-01' | 'LIMIT-03';

const fixOfFact = (id: Id, fact?: Fact): string | undefined =>
  fixOf(notTestedResult(id, ''), { message: '', exchanges: [], ...(fact && { fact }) });

it('is that of the requirement', () => {
  expect(fixOfFact('ROBUST-01')).toBe(requirementRow('ROBUST-01').fix);
});

it.each<[string, Id, Fact]>([
  ['turn exceptions', 'ROBUST-01', { kind: 'status', status: 500, expected: [200] }],
  ['turn exceptions', 'CREATE-07', { kind: 'status', status: 500, expected: [400] }],
  ['no 403', 'AUTH-03', { kind: 'status', status: 403, expected: [401] }],
  ['one scheme', 'AUTH-03', { kind: 'status', status: 200, expected: [401] }],
  ['before you respond 201, in each', 'LIST-08', { kind: 'response', parameters: 'limit' }],
  ['before you cut the page off', 'LIST-08', { kind: 'response', parameters: 'limit status' }],
  ['the three', 'RATE-01', { kind: 'header', header: 'X-RateLimit-Limit', problem: 'missing' }],
  ['positive integer', 'RATE-01', { kind: 'header', header: 'X-RateLimit-Limit', problem: 'wrong' }],
  ['without a redirect', 'CREATE-01', { kind: 'status', status: 301, expected: [201] }],
  ['names need not be unique', 'CREATE-01', { kind: 'status', status: 409, expected: [201] }],
  ['Respond 201 (not 200)', 'CREATE-01', { kind: 'status', status: 200, expected: [201] }],
  ['Equal bodies are two animals', 'CREATE-01', { kind: 'value', field: 'id' }],
  ['leave the operation', 'LIMIT-03', { kind: 'limiter', deviation: 'apart', says: '' }],
])('names what fits the finding: %s', (words, id, fact) => {
  expect(fixOfFact(id, fact)).toContain(words);
});

it('of a body that is refused with another status is that status, and not what the body lacks', () => {
  const refused: Fact = { kind: 'status', operation: 'createPet', status: 422, expected: [400] };
  expect(fixOfFact('CREATE-07', refused)).toMatch(/^Respond 400/u);
  expect(fixOfFact('CREATE-07', { ...refused, status: 201 })).toBe(requirementRow('CREATE-07').fix);
});
