import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../http/clock/clock.js';
import { SkippingClock } from '../http/clock/testing/skipping-clock.js';
import { runRecordSchema } from '../evidence/record/record.js';
import { exitCode } from '../verdict/class-verdict.js';
import { renderTerminal } from '../../reports/terminal/terminal-report.js';
import { deadlineFor, explanationsOf, idsWith, runAgainst } from './conformance-run.js';
import { expectationOf, hostileKey, type HostileFixture } from './fixture.js';
import { hostileFixtures } from './fixture-list.js';

// Most of them wait for a deadline or a socket.
vi.setConfig({ maxConcurrency: 10 });

/** Requests that a run may send at most, retries included. */
const mostRequests = 160;

/** Characters that a terminal would obey or hide, except the line feed and the joiners of text and emoji. */
const unprintable = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
/** A stack trace, a missing value or the name of an exception: what looks like a crash. */
const crash = /\n\s+at |\.ts:\d+|an error of the suite|\b\w*Error:|\[object |\bundefined\b|\bNaN ms/;

/** Encodings of a key that could be read from a file. */
const keyForms = [
  hostileKey,
  Buffer.from(hostileKey).toString('base64').slice(0, 20),
  encodeURIComponent(hostileKey),
];

/** To a run, failures of one kind are alike: which kind a response comes to, the tests of the wire show. */
const kindOf = ({ name, failure, status }: HostileFixture): string =>
  failure ? `${failure.kind} ${status !== undefined}` : name;
const runs = [...new Map(hostileFixtures.map((fixture) => [kindOf(fixture), fixture])).values()];

describe('a run ends by itself, and says what is wrong, against a target of which', () => {
  for (const fixture of runs) {
    const { name, title, serve, others = false, takesTime = false } = fixture;
    const expects = expectationOf(fixture);
    it.concurrent(`${name}: ${title}`, async () => {
      const target = await serve();
      try {
        const { record, evidence } = await runAgainst(target, {
          target: { deadlineMs: deadlineFor(fixture) },
          clock: takesTime ? systemClock : new SkippingClock(),
        });
        const output = explanationsOf(record);
        const terminal = renderTerminal(record, { columns: 100, colour: false });

        expect({ exit: exitCode(record), output: output.slice(0, 2_000) }).toMatchObject({
          exit: expects.exit,
        });
        const failing = idsWith(record, 'fail');
        const wanted: readonly string[] = expects.failing;
        expect(wanted.filter((id) => !failing.includes(id))).toEqual([]);
        expect(failing.filter((id) => !others && !wanted.includes(id))).toEqual([]);
        expect(output).toMatch(expects.findings);

        expect(() => runRecordSchema.parse(JSON.parse(JSON.stringify(record)))).not.toThrow();
        expect(terminal).not.toMatch(unprintable);
        expect(output).not.toMatch(crash);
        for (const text of [JSON.stringify(record), evidence, terminal])
          for (const form of keyForms) expect(text.includes(form)).toBe(false);
        expect(target.leakedCredentials?.() ?? 0).toBe(0);

        expect(record.requests.sent).toBeLessThan(mostRequests);
        expect(evidence.split('\n').length - 1).toBe(record.requests.sent);
      } finally {
        await target.close();
      }
    });
  }
});
