import { describe, expect, it, vi } from 'vitest';
import { runRecordSchema } from '../record/record.js';
import { exitCode } from '../verdict/exit-status.js';
import { renderTerminal } from '../../reports/terminal/terminal-report.js';
import { idsWith, runAgainst, settingsFor, toldIn } from './conformance-run.js';
import { hostileKey } from './fixture.js';
import { hostileFixtures } from './fixture-list.js';

// Most of them wait for a deadline or a socket.
vi.setConfig({ maxConcurrency: 10 });

/** Milliseconds: the bound that a run against anything keeps, on a busy machine with deadlines for tests. */
const bound = 50_000;
/** Requests of a run that waits for nothing and is output nothing; repeats come to it, and no more than these. */
const mostRequests = 160;

/** What a terminal would obey or hide: all but the line feed and the joiner within an emoji. */
const unprintable = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
/** A stack, a value that was not there, an exception's name: what a reader takes for a crash. */
const crash = /\n\s+at |\.ts:\d+|an error of the suite|\b\w*Error:|\[object |\bundefined\b|\bNaN ms/;

/** Forms in which a key could be read off a file. */
const keyForms = [
  hostileKey,
  Buffer.from(hostileKey).toString('base64').slice(0, 20),
  encodeURIComponent(hostileKey),
];

describe('a run ends by itself, and says what is wrong, against a target of which', () => {
  for (const fixture of hostileFixtures) {
    const { name, title, serve, expects } = fixture;
    it.concurrent(`${name}: ${title}`, async () => {
      const target = await serve();
      try {
        const { record, evidence, milliseconds } = await runAgainst(target, settingsFor(fixture));
        const output = toldIn(record);
        const terminal = renderTerminal(record, { columns: 100, colour: false });

        expect({ exit: exitCode(record), output: output.slice(0, 2_000) }).toMatchObject({
          exit: expects.exit,
        });
        const failing = idsWith(record, 'fail');
        const wanted: readonly string[] = expects.failing ?? [];
        expect(wanted.filter((id) => !failing.includes(id))).toEqual([]);
        expect(failing.filter((id) => expects.others !== true && !wanted.includes(id))).toEqual([]);
        expect(output).toMatch(expects.findings ?? /^/);

        expect(() => runRecordSchema.parse(JSON.parse(JSON.stringify(record)))).not.toThrow();
        expect(terminal).not.toMatch(unprintable);
        expect(output).not.toMatch(crash);
        for (const text of [JSON.stringify(record), evidence, terminal])
          for (const form of keyForms) expect(text.includes(form)).toBe(false);
        expect(target.leakedCredentials?.() ?? 0).toBe(0);

        expect(milliseconds).toBeLessThan(bound);
        expect(record.requests.sent).toBeLessThan(mostRequests);
        expect(evidence.split('\n').length - 1).toBe(record.requests.sent);
      } finally {
        await target.close();
      }
    });
  }
});
