import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { classOf, requirementIds, requirementRow } from '../../lib/specification/catalogue.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { renderTerminal } from './terminal-report.js';
import { hostileName } from '../testing/sample-exchanges.js';
import {
  conformingRecord,
  everyRow,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
  type Changes,
} from '../testing/sample-record.js';

const plain = (record: RunRecord, columns = 80) =>
  renderTerminal(record, { columns, colour: false, directory: 'reports/runs/one' });

/** A record in which every requirement fails, each with text from the target of any length. */
const everythingFails = (): RunRecord =>
  recordOf(
    everyRow(() => ({
      verdict: 'fail',
      findings: [{ message: 'broken '.repeat(40), received: hostileName.repeat(50), exchanges: ['e1'] }],
    })),
  );

describe('the terminal report', () => {
  it('tells a failure by id, level, section, sentence, expected, received, fix and curl', () => {
    expect(plain(faultyRecord())).toContain(
      `
✗ LIST-02  MUST § 4.1, 8  ${requirementRow('LIST-02').title}
  A page holds more animals than \`limit\` allows.
    expected  at most 2 animals
    received  3 animals
  Fix: Return at most \`limit\` animals: \`LIMIT n\` in the query.
    curl -sS -H "Authorization: Bearer $PETSTORE_API_KEY" 'https://staging.petstore.example/v1/pets?limit=2'
`,
    );
  });

  it('tells several requirements that fail by one cause together, and what it keeps from being judged', () => {
    const text = plain(oneCauseRecord());
    expect(text.slice(0, text.indexOf('Functional  ')).trim()).toMatchInlineSnapshot(`
      "✗ CREATE-05  MUST § 4.2, 7  A body without \`name\` gets 400
        a body without \`name\`: got 422
          expected  400
          received  422 {"code":"invalid"}
      ✗ CREATE-06  MUST § 4.2, 7  A body without \`categoryId\` gets 400
        a body without \`categoryId\`: got 422
      ✗ ROBUST-01  MUST § 4  Every request gets a documented answer
        createPet responds 422
        Not judged because of it: CREATE-11.
        Fix: Respond 400 to a body that is missing, that cannot be read or that has
             invalid values: createPet lists no other status for it.
          curl -d 30
          npm run explain -- CREATE-05"
    `);
    expect(text).not.toContain('see CREATE-05');
    expect(text).toContain('3 requirements failed (1 cause).');
  });

  it('tells of a difference in the description where it stands', () => {
    const pointer = '/paths/~1pets/get\u001B[31m';
    const finding = { message: 'GET /pets is not named listPets', exchanges: [], pointer };
    const text = plain(recordOf(sampleRows({ 'DESC-02': { verdict: 'fail', findings: [finding] } })));
    expect(text).toMatch(/named listPets\n {4}at {8}\/paths\/~1pets\/get/);
    expect(text).not.toContain('\u001B');
  });

  it('ends with the classes, what was not judged, the limits, what was left behind, and the verdict', () => {
    // How many passed depends on how many requirements there are.
    const text = plain(faultyRecord()).replace(/(?<=^(?:Functional|Limits) +non-conformant: )\d+/gmu, '#');
    const order = ['✗ LIST-02', '✗ LIMIT-04', '! AUTH-07', 'LIST-09', 'Functional '].map((mark) =>
      text.indexOf(mark),
    );
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(text.slice(text.indexOf('Functional  '))).toMatchInlineSnapshot(`
      "Functional   non-conformant: # passed, 6 failed, 1 waived, 1 warned, 5 not
                   judged, 7 observed
      Limits       non-conformant: # passed, 1 failed, 3 not judged, 2 observed
      Description  not selected: no interface description was given
                   (--description=URL|FILE)

      Not judged
      1 inconclusive    no page showed the control animal within 2 s (AUTH-06)
      1 inconclusive    another client used the same key meanwhile (RATE-05)
      1 not tested      the store holds 41 animals and the quick profile adds none
                        (LIST-05)
      1 not tested      needs a second key: --other-api-key (LIMIT-08)
      1 not tested      needs --limits=day (LIMIT-10)
      1 not tested      opt-in, on a key given for that (LIMIT-12)
      1 not applicable  the run was before 5 December 2030 (GET-05)
      1 not applicable  no response carried Sunset (DEP-02)

      Limits: free, 60 requests a minute
      Behaves like    a fixed window of 60 in 60 s that admits one more under
                      concurrency
      Not conforming  a fixed window of 60 in 60 s that admits one more under
                      concurrency: explains every response
      Conforming      a fixed window of 60 in 60 s: must assume, or cannot explain: 61
                      requests admitted in one window

      Left behind  4 animals, such as 9007199254740995 (pc-7f3a Rex)
      Note         The target refused connections for 3 s after the burst; the run
                   waited and went on.

      2026-03-02T09-30-00-staging · https://staging.petstore.example/v1 · free plan ·
      petstore-conformance 0.1.0 · 16 requests in 4.2 s
      Report       reports/runs/one/report.html

       NON-CONFORMANT  7 requirements failed. 1 known failure waived. 1 warning. 2
                       MUST requirements could not be judged. Not selected: LIST-05,
                       LIMIT-08, LIMIT-10, the description.
      "
    `);
  });

  it('counts what the user left out, and lists the ids of what was tried', () => {
    const leftOut = { verdict: 'not-tested', selected: false, reason: 'not selected (--only)' } as const;
    const lost = { verdict: 'inconclusive', reason: 'the target was lost' } as const;
    const record = recordOf(everyRow((id) => (id.startsWith('LIST') ? lost : leftOut)));
    const text = plain({ ...record, classes: record.classes.filter(({ id }) => id === 'functional') });
    expect(text).toContain('Limits       not selected (--only)\n');
    const functional = requirementIds.filter((id) => classOf(id) === 'functional');
    const listing = functional.filter((id) => id.startsWith('LIST'));
    const range = `LIST-01 to ${listing.at(-1) ?? ''}`;
    expect(text).toContain(`${listing.length} inconclusive  the target was lost (${range})\n`);
    expect(text).toContain(`${functional.length - listing.length} not tested    not selected (--only)\n`);
  });

  it.each([80, 132])('keeps to %i columns, but for the command that is to be pasted', (columns) => {
    for (const record of [faultyRecord(), conformingRecord(), everythingFails()]) {
      const wide = plain(record, columns)
        .split('\n')
        .filter((line) => stringWidth(line) > columns && !line.startsWith('    curl '));
      expect(wide).toEqual([]);
    }
  });

  it('keeps a path whole that is longer than the line, and cuts no line inside a word', () => {
    const directory = `/home/someone/${'a-long-name/'.repeat(10)}run`;
    const words = Array.from({ length: 200 }, (_, index) => `word${index}`);
    const finding = { message: words.join(' '), expected: '1', received: words.join(' '), exchanges: ['e1'] };
    const record = recordOf(sampleRows({ 'LIST-02': { verdict: 'fail', findings: [finding] } }));
    const text = renderTerminal(record, { columns: 40, colour: false, directory });
    expect(text).toContain(`Report       ${directory}/report.html\n`);
    const shown = text.match(/\bword\w*/gu) ?? [];
    expect(shown.length).toBeGreaterThan(200);
    expect(shown.filter((word) => !words.includes(word))).toEqual([]);
  });

  it('does not drown the summary where everything fails', () => {
    const text = plain(everythingFails());
    expect(text.split('\n').length).toBeLessThan(112);
    expect(text).toMatch(/✗ and \d+ more causes, see reports\/runs\/one\/report\.html: LIST-01 to LIST-\d+,/);
    expect(text.trimEnd().split('\n').slice(-2).join(' ')).toContain('requirements failed');
  });

  it('shows the shortest command where a requirement has several findings', () => {
    const finding = (reproduce: string) => ({ message: 'Wrong.', exchanges: ['e1'], reproduce });
    const findings = [finding('curl --long something'), finding('curl it')];
    const text = plain(recordOf(sampleRows({ 'AUTH-01': { verdict: 'fail', findings } } satisfies Changes)));
    expect(text).toContain('    curl it\n');
    expect(text).not.toContain('--long');
  });

  it('says the same with colour as without, and lets nothing from the target be a control', () => {
    const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;
    expect(plain(faultyRecord())).not.toMatch(controls);
    const layout = { columns: 80, colour: true, directory: 'reports/runs/one' };
    const coloured = renderTerminal(faultyRecord(), layout);
    expect(coloured).toContain('\u001b[');
    expect(stripVTControlCharacters(coloured)).toBe(plain(faultyRecord()));
    expect(coloured).not.toContain('\u001b[2J');
    expect(coloured).not.toContain('\u001b]');
  });

  it('says that a run was cut off and why, and names the waivers that are at fault', () => {
    const record = conformingRecord({ waiverProblems: ['AUTH-01: expired on 2026-01-01'] });
    record.run = { ...record.run, complete: false, stopped: 'the target refused connections' };
    const text = plain(record);
    expect(text).toContain('! The run did not finish: the target refused connections');
    expect(text).toContain('! Waiver: AUTH-01: expired on 2026-01-01');
  });

  it('tells in one sentence that a target was not reached, or refused the key', () => {
    const rows = everyRow(() => ({ verdict: 'inconclusive', reason: 'no response' }));
    const record = recordOf(rows, { verdict: 'incomplete' });
    const lost = { ...record, run: { ...record.run, complete: false, stopped: 'nothing listens there' } };
    const sentence = (text: string) => text.trim().replaceAll(/\s+/gu, ' ');
    expect(sentence(plain(lost))).toBe(
      'INCOMPLETE Nothing of https://staging.petstore.example/v1 was judged: nothing listens there.',
    );
    expect(sentence(plain({ ...record, obstacle: 'No operation accepts the key.' }))).toBe(
      'INCOMPLETE No operation accepts the key. Nothing was judged.',
    );
  });

  it('has all facts of the run, and all reasons, if it is verbose', () => {
    const layout = { columns: 80, colour: false, directory: 'reports/runs/one' };
    const text = renderTerminal(faultyRecord(), { ...layout, verbose: true });
    for (const name of ['Target', 'Plan', 'Requests', 'Seed', 'Command', 'Clocks'])
      expect(text).toMatch(new RegExp(`^${name} {3,}\\S`, 'mu'));
    expect(text).not.toContain(' · ');
  });

  it('claims nothing of classes that were not selected, and has no limits where none was tested', () => {
    const text = plain(conformingRecord());
    expect(text).toContain('Description  not selected');
    expect(text).toMatch(/not selected: the\s+description\./);
    expect(text).not.toContain('Limits: ');
  });
});
