import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { proveAgainst } from '../proof/prove.js';
import { readFinishedRun } from '../../reports/finished-run.js';
import { exitCode } from '../verdict/class-verdict.js';
import { judgeAgain } from './judge-again.js';
import { loadRules } from './own-rules.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let written = 0;

/** A file of rules with this text. */
function fileOf(text: string): string {
  const file = join(folder, `${(written += 1)}.mjs`);
  writeFileSync(file, text);
  return file;
}

const rules = fileOf(`export default ({ requirement, check, answers }) => {
  requirement('ACME-01', {
    level: 'MUST', title: 'Every response names its request', section: 'our style guide, 3',
    *rule({ responses }) {
      for (const one of responses)
        yield check(one.header('X-Request-Id') !== undefined, one, () => ({ message: 'no \`X-Request-Id\`' }));
    },
  });
  requirement('ACME-02', {
    level: 'MUST', title: 'A limit of 3 is served',
    probe: ({ api }) => api.listPets({ limit: 3 }),
    *rule({ listings }) {
      for (const one of listings.specified)
        if (one.query.get('limit') === '3') yield answers(one, 200, '\`limit=3\`');
    },
  });
  requirement('ACME-03', { level: 'SHOULD', title: 'Nothing to judge', rule: () => [] });
  requirement('ACME-04', { level: 'MUST', title: 'Broken', rule() { throw new Error('oops'); } });
};`);

async function run(more: Readonly<Record<string, unknown>> = {}) {
  return proveAgainst({}, { settings: { profile: 'quick', only: ['AUTH-01'], rules, ...more } });
}

describe('requirements of the user’s own', () => {
  it('are tried and judged in the same run, marked as their own, and change nothing of its verdict', async () => {
    const record = await run();
    const own = record.requirements.filter((row) => row.own);
    expect(own).toMatchObject([
      {
        id: 'ACME-01',
        verdict: 'fail',
        section: 'our style guide, 3',
        findings: [{ message: 'no `X-Request-Id`' }],
      },
      { id: 'ACME-02', verdict: 'pass', checks: 1 },
      { id: 'ACME-03', verdict: 'inconclusive' },
      { id: 'ACME-04', verdict: 'inconclusive', reason: expect.stringContaining('oops') as string },
    ]);
    expect(record.classes.map(({ id }) => id)).toEqual(['functional']);
    expect([record.verdict, exitCode(record)]).toEqual(['partial', 0]);
    expect(record.run.options?.rules).toMatchObject({ strict: false });
  });

  it('are a class of the verdict if they are strict', async () => {
    const record = await run({ strictRules: true });
    expect(record.classes).toMatchObject([{ id: 'functional' }, { id: 'own', verdict: 'non-conformant' }]);
    expect(exitCode(record)).toBe(1);
  });

  it('are judged again by their file, and by no other', async () => {
    const directory = join(folder, 'run');
    const record = await run({ directory });
    const exchanges = (await readFinishedRun(directory)).exchanges();
    const again = await judgeAgain({ record, exchanges, directory }, rules);
    expect(again.leftOut.size).toBe(0);
    expect(again.record.requirements).toEqual(record.requirements);
    const without = await judgeAgain({ record, exchanges, directory });
    expect([...without.leftOut.keys()]).toEqual(expect.arrayContaining(['ACME-01', 'ACME-04']));
    const other = fileOf(
      `export default ({ requirement }) => requirement('ACME-01', { level: 'MUST', title: 'x', rule: () => [] });`,
    );
    await expect(judgeAgain({ record, exchanges, directory }, other)).rejects.toThrow('is not the file');
  });
});

it.each([
  ['nothing', '', 'no default export is a function'],
  ['no requirement', 'export default () => {}', 'it declares no requirement'],
  ['what is no program', 'not a program', "can't be used"],
  ['an error', "export default () => { throw new Error('late'); }", "can't be used: late"],
  ['an id of the catalogue', declaring('LIST-02'), 'the id of LIST-02 is wrong: the catalogue has it'],
  ['an id of another form', declaring('acme'), 'the id of acme is wrong: an id has capitals'],
  ['a level that there is not', declaring('ACME-01', "level: 'MAY'"), 'the level of ACME-01 is wrong'],
  ['no rule', declaring('ACME-01', 'rule: 3'), 'the rule of ACME-01 is wrong: must be a function'],
])('a file of rules with %s is refused in a line', async (_, text, problem) => {
  await expect(loadRules(fileOf(text))).rejects.toThrow(problem);
});

it('a file of rules that is not there is refused', async () => {
  await expect(loadRules(join(folder, 'none.mjs'))).rejects.toThrow("none.mjs can't be used: ENOENT");
});

function declaring(id: string, more = ''): string {
  return `export default ({ requirement }) => requirement('${id}', { level: 'MUST', title: 'x', rule: () => [], ${more} });`;
}
