import { describe, expect, it } from 'vitest';
import { catalogue } from '../specification/catalogue.js';
import { UsageProblem } from './usage-problem.js';
import { explainText, listText } from './explain-command.js';
import { pageSchema } from './page.js';

const explain = (...argv: string[]): string => explainText(argv, 'npx petstore-conformance explain');
const list = (...argv: string[]): string => listText(argv, 'npx petstore-conformance list');

describe('explain', () => {
  it('prints the page of a requirement, in any case', () => {
    const text = explain('list-02');
    expect(text).toMatch(/^# LIST-02: `limit=n`/);
    for (const part of [
      '> | limit | integer | minimum 1, maximum 100 | 20 |',
      '## How it is judged',
      '## A conforming exchange',
      'GET /v1/pets?limit=1 HTTP/1.1',
      '## Usual bugs',
      '## How to fix it',
    ])
      expect(text).toContain(part);
  });

  it('prints JSON: an object for an id, a list for a prefix', () => {
    expect(pageSchema.parse(JSON.parse(explain('AUTH-01', '--json'))).id).toBe('AUTH-01');
    expect(JSON.parse(explain('AUTH', '--json'))).toHaveLength(8);
  });

  it('names the nearest id for one that does not exist, and asks for one if there is none', () => {
    expect(() => explain('LIST-99')).toThrow(UsageProblem);
    expect(() => explain('LSIT-02')).toThrow('LSIT-02 is not a requirement. Did you mean LIST-02?');
    expect(() => explain()).toThrow('usage: npx petstore-conformance explain ID… [options]');
  });
});

describe('list', () => {
  it('has a line for each requirement, or for those that are named', () => {
    expect(list().trim().split('\n')).toHaveLength(catalogue.length);
    expect(list('VERSION')).toBe('VERSION-01 MUST     The base address ends with `/v1` (§ 1, 9.1)\n');
    expect(JSON.parse(list('VERSION', '--json'))).toEqual([
      {
        id: 'VERSION-01',
        level: 'MUST',
        class: 'functional',
        section: '1, 9.1',
        title: 'The base address ends with `/v1`',
      },
    ]);
  });
});
