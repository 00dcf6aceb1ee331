import { createHash, randomUUID } from 'node:crypto';
import { trafficOf, type Traffic } from '../evidence/har/har.js';
import { credentialsFor, keyVariable, otherKeyVariable } from '../http/exchange/credential.js';
import { Exchange } from '../evidence/exchange.js';
import { mayBeWord, redactionOf } from '../evidence/redaction.js';
import type { RunRecord } from '../evidence/record/record.js';
import { plans, type Plan } from '../specification/plan.js';
import { count } from '../explain/count.js';
import { textIn } from '../explain/usage-problem.js';
import { judgedRecord, type RecordedRun } from './judge-again.js';
import { redacted } from './record-redaction.js';
import { madeOn, thisSuite } from './suite-name.js';

export interface HarJob {
  readonly file: string;
  /** Which of several services is judged. */
  readonly baseUrl?: string | undefined;
  /** The plan of the key that most requests were sent with: then the limits are judged, too. */
  readonly plan?: Plan | undefined;
  readonly command: string;
}

/**
 * Judges the traffic in a HAR file as a run that sent it.
 * @throws UsageProblem if the file can't be read or holds nothing of the service
 */
export function judgeHar({ file, baseUrl, plan: given, command }: HarJob): Omit<RecordedRun, 'directory'> {
  const text = textIn(file);
  const traffic = trafficOf(text, file, baseUrl);
  const { tool, leftOut } = traffic;
  const { own, secrets } = traffic.keys;
  // Whatever stood in an Authorization header is a secret.
  const redact = redactionOf(
    secrets.flatMap((one) => {
      const variable = one === own ? keyVariable : otherKeyVariable;
      return credentialsFor(one, { variable }).secrets;
    }),
  );
  // Without a key in the file, nobody can tell whose limits its responses state.
  const plan = own === undefined ? undefined : given;
  const exchanges = traffic.exchanges.map((one, index) => {
    // The judge of the limits reads requests that follow each other in this phase of a run.
    const phase = plan ? { phase: 'sequence' } : {};
    return new Exchange(redacted({ id: `e${index + 1}`, ...one, ...phase }, redact));
  });
  const { name, perMinute, perDay } = plan ?? plans.free;
  const quotas = { plan: name, perMinute, perDay };
  const record = judgedRecord(
    {
      format: 'petstore-conformance/1',
      suite: thisSuite,
      run: {
        id: randomUUID(),
        startedAt: dateOf(Math.floor(Math.min(...exchanges.map(({ sentAt }) => sentAt)))),
        finishedAt: dateOf(Math.ceil(Math.max(...exchanges.map(({ endedAt }) => endedAt)))),
        seed: 0,
        profile: 'standard',
        limits: plan ? 'minute' : 'none',
        complete: true,
        command,
        strict: false,
        environment: madeOn,
        traffic: { file, sha256: createHash('sha256').update(text).digest('hex'), tool, leftOut },
        options: { only: [], except: [], consistencyMs: 2_000 },
      },
      target: {
        name: 'traffic',
        baseUrl: traffic.baseUrl,
        ...quotas,
        planGiven: plan !== undefined,
        readOnly: false,
        keyMayBeWord: (own !== undefined && secrets.includes(own) && mayBeWord(own)) || undefined,
        clockDifferenceMs: null,
      },
      requirements: [],
      requests: { sent: 0, byOperation: {}, waitedMs: 0, repeated: [] },
      leftovers: [],
      plans: plan && [{ ...quotas, caller: keyVariable }],
    },
    exchanges,
  );
  return { record: redacted({ ...record, notes: [noteOn(record, traffic)] }, redact), exchanges };
}

function dateOf(moment: number): string {
  return new Date(moment).toISOString();
}

function noteOn({ requirements }: RunRecord, { exchanges, tool }: Traffic): string {
  const judged = requirements.filter(({ verdict }) => verdict !== 'not-tested').length;
  const whole = `${judged} of ${count(requirements.length, 'requirement')}`;
  return `${whole} could be judged on ${count(exchanges.length, 'exchange')} that ${tool === '' ? 'another program' : tool} recorded. A verdict says what these exchanges show, and no more.`;
}
