import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stoppedAt } from '../http/clock/clock.js';
import { endedAt } from '../evidence/recorded-exchange.js';
import type { RunRecord } from '../record/record.js';
import { openRunFiles, withRunFolder } from '../record/run-files.js';
import type { Settings } from '../run/settings.js';
import { plans, type Plan } from '../specification/plan.js';
import { errorCode } from '../explain/error-code.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { parseHar } from './har.js';
import { trafficOf, type Traffic } from './har-exchanges.js';
import { judgeTraffic } from './judge-traffic.js';

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
  readonly environment: Settings['environment'];
}

/**
 * Judges the traffic in a HAR file, and writes a run's files if a folder is given.
 * @throws UsageProblem if the file can't be read or holds nothing of the service; OutputProblem.
 */
export async function judgeHar(job: HarJob): Promise<RunRecord> {
  return withRunFolder(job.directory, () => judgeInto(job));
}

async function judgeInto(job: HarJob): Promise<RunRecord> {
  const bytes = readHar(job.file);
  const traffic = trafficOf(parseHar(bytes.toString('utf8'), job.file), job.baseUrl, job.file);
  // The judge of the limits reads requests that follow each other in this phase of a run.
  const phase = job.plan === undefined ? {} : { phase: 'sequence' };
  const exchanges = traffic.exchanges.map((exchange) => ({ ...exchange, ...phase }));
  const files = openRunFiles(job.directory, { overwrite: job.overwrite });
  try {
    const record = await judgeTraffic({
      exchanges,
      settings: settingsOf(job, traffic),
      evidence: files.evidence,
      source: {
        file: job.file,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        tool: traffic.tool,
        leftOut: Object.fromEntries(traffic.leftOut),
      },
    });
    files.writeRecord(record);
    return record;
  } finally {
    files.evidence.close();
  }
}

/** Stands for the key of traffic whose file shows none. No text holds it. */
const nobodysKey = 'Qx7vR2mWk9TzLbN4hYs8DfGj3PcE6aUq';

function readHar(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageProblem(`${file} can't be read (${errorCode(error)})`, { cause: error });
  }
}

/** A run that sends nothing, on a clock that stands at the end of the traffic: what it judges by, and what must not be written. */
function settingsOf({ plan, command, environment }: HarJob, { baseUrl, keys, exchanges }: Traffic): Settings {
  const key = keys.accepted.find((one) => keys.secrets.includes(one)) ?? nobodysKey;
  const end = Math.max(...exchanges.map((one) => endedAt({ id: '', ...one })));
  return {
    target: {
      name: 'traffic',
      baseUrl,
      apiKey: key,
      plan: plan ?? plans.free,
      planGiven: plan !== undefined,
      consistencyMs: 2_000,
      deadlineMs: 10_000,
      readOnly: false,
    },
    // Whatever stood in an Authorization header is a secret.
    planKeys: keys.secrets
      .filter((secret) => secret !== key)
      .map((apiKey) => ({ plan: plan ?? plans.free, apiKey, variable: 'PETSTORE_OTHER_API_KEY' })),
    limits: plan === undefined ? 'none' : 'minute',
    profile: 'standard',
    only: [],
    except: [],
    strict: false,
    seed: 0,
    clock: stoppedAt(Math.ceil(end)),
    command,
    environment,
  };
}
