import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseHar } from '../evidence/har/har.js';
import { trafficOf, type Traffic } from '../evidence/har/har-exchanges.js';
import { otherKeyVariable } from '../evidence/har/har-keys.js';
import { credentialsFor, keyVariable } from '../http/exchange/credential.js';
import { Exchange } from '../evidence/exchange.js';
import { mayBeWord, redactedExchange, redactionOf, type Redaction } from '../evidence/redaction.js';
import type { RunRecord } from '../evidence/record/record.js';
import { plans, type Plan } from '../specification/plan.js';
import { count } from '../explain/count.js';
import { errorCode } from '../explain/error-code.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { judgedRecord } from './judge-again.js';
import { writeRun } from './judge-run.js';
import { redacted } from './record-redaction.js';
import { madeOn } from './run-facts.js';
import { thisSuite } from './suite-name.js';

export interface HarJob {
  readonly file: string;
  /** Which of several services is judged. */
  readonly baseUrl?: string | undefined;
  /** The plan of the key that most requests were sent with: then the limits are judged, too. */
  readonly plan?: Plan | undefined;
  /** The folder of the run's files; none are written without it. */
  readonly directory?: string | undefined;
  readonly overwrite?: boolean | undefined;
  readonly command: string;
}

/**
 * Judges the traffic in a HAR file as a run that sent it, and writes a run's files if a folder is given.
 * @throws UsageProblem if the file can't be read or holds nothing of the service; OutputProblem.
 */
export async function judgeHar(job: HarJob): Promise<RunRecord> {
  const bytes = readHar(job.file);
  const traffic = trafficOf(parseHar(bytes.toString('utf8'), job.file), job.baseUrl, job.file);
  const redact = redactionIn(traffic);
  // Without a key in the file, nobody can tell whose limits its responses state.
  const plan = traffic.keys.accepted.length > 0 ? job.plan : undefined;
  const exchanges = traffic.exchanges.map((one, index) => {
    // The judge of the limits reads requests that follow each other in this phase of a run.
    const phase = plan ? { phase: 'sequence' } : {};
    return new Exchange(redactedExchange({ id: `e${index + 1}`, ...one, ...phase }, redact));
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const record = judgedRecord(toldOf({ ...job, plan }, traffic, { exchanges, sha256 }), exchanges);
  const told = redacted({ ...record, notes: [noteOn(record, traffic)] }, redact);
  writeRun(told, exchanges, job);
  return told;
}

function readHar(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageProblem(`${file} can't be read (${errorCode(error)})`, { cause: error });
  }
}

/** The key that most requests were sent with, if the file shows one. */
function keyOf({ keys: { accepted, secrets } }: Traffic): string | undefined {
  return accepted.find((one) => secrets.includes(one));
}

/** Whatever stood in an Authorization header is a secret. */
function redactionIn(traffic: Traffic): Redaction {
  const own = keyOf(traffic);
  return redactionOf(
    traffic.keys.secrets.flatMap((key) => {
      const variable = key === own ? keyVariable : otherKeyVariable;
      return credentialsFor(key, { variable }).secrets;
    }),
  );
}

/** What the record tells of traffic that stands in no exchange. */
function toldOf(
  { file, plan, command }: HarJob,
  traffic: Traffic,
  { exchanges, sha256 }: { readonly exchanges: readonly Exchange[]; readonly sha256: string },
): Parameters<typeof judgedRecord>[0] {
  const { baseUrl, tool, leftOut } = traffic;
  const { name, perMinute, perDay } = plan ?? plans.free;
  const begins = Math.min(...exchanges.map(({ sentAt }) => sentAt));
  const ends = Math.max(...exchanges.map(({ endedAt }) => endedAt));
  const key = keyOf(traffic);
  return {
    format: 'petstore-conformance/1',
    suite: thisSuite,
    run: {
      id: randomUUID(),
      startedAt: new Date(Math.floor(begins)).toISOString(),
      finishedAt: new Date(Math.ceil(ends)).toISOString(),
      seed: 0,
      profile: 'standard',
      limits: plan ? 'minute' : 'none',
      complete: true,
      command,
      strict: false,
      environment: madeOn,
      traffic: { file, sha256, tool, leftOut: Object.fromEntries(leftOut) },
      options: { only: [], except: [], consistencyMs: 2_000, resumed: false },
    },
    target: {
      name: 'traffic',
      baseUrl,
      plan: name,
      perMinute,
      perDay,
      planGiven: plan !== undefined,
      readOnly: false,
      ...(key !== undefined && mayBeWord(key) && { keyMayBeWord: true }),
      clockDifferenceMs: null,
    },
    requirements: [],
    requests: { sent: 0, byOperation: {}, waitedMs: 0, repeated: [] },
    leftovers: [],
    ...(plan && {
      plans: [{ plan: name, perMinute, perDay, caller: keyVariable, phases: [] }],
    }),
  };
}

function noteOn({ requirements }: RunRecord, { exchanges, tool }: Traffic): string {
  const judged = requirements.filter(({ verdict }) => verdict !== 'not-tested').length;
  const whole = `${judged} of ${count(requirements.length, 'requirement')}`;
  return `${whole} could be judged on ${count(exchanges.length, 'exchange')} that ${tool === '' ? 'another program' : tool} recorded. A verdict says what these exchanges show, and no more.`;
}
