import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeReports } from '../../reports/renderers.js';
import { verifyRun } from '../../reports/verify/verify-run.js';
import { daySettings, serveProof } from '../proof/prove.js';

it('an interrupted day goes on in a run of its own, which verifies, and is not counted a third time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-day-'));
  let stop = new AbortController();
  let sent = 0;
  const proof = await serveProof(
    {},
    {
      ...daySettings,
      get signal() {
        return stop.signal;
      },
      listener: { exchange: () => (sent += 1) === 40 && stop.abort(new Error('interrupted')) },
    },
  );
  onTestFinished(async () => {
    await proof.close();
    await rm(folder, { recursive: true, force: true });
  });
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const begun = await proof.run({ directory: first });
  expect(begun.plans?.[0]?.day?.stopped).toContain('--resume');
  stop = new AbortController();
  const resume = { resume: first, directory: second };
  const record = await proof.run(resume);
  expect(record.requirements.find(({ id }) => id === 'LIMIT-10')).toMatchObject({
    verdict: 'pass',
    notes: [expect.stringContaining('200 requests were admitted')],
  });
  expect(record.requests.sent).toBeLessThan(180);
  await writeReports(second, []);
  expect((await verifyRun(second)).code).toBe(0);
  await expect(proof.run({ resume: second })).rejects.toThrow("the day's limit was reached already");
  await expect(proof.run({ resume: folder })).rejects.toThrow("can't be read as a run's record");
});
