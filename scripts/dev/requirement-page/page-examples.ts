import { curlOf } from '../../../lib/evidence/curl.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultyDescriptions } from '../../../lib/description/testing/description-faults.js';
import type { Draft } from '../../../lib/description/testing/draft.js';
import type { Page } from '../../../lib/explain/page.js';
import { exchangeSchema, type RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import { daySettings, limitSettings, proveAgainst, type ProofOptions } from '../../../lib/proof/prove.js';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import type { Finding } from '../../../lib/evidence/record/requirement-result.js';
import type { ReferenceOptions } from '../../../lib/reference/options.js';
import { classOf, removalDate, type RequirementId } from '../../../lib/specification/catalogue.js';
import openApiDocument from '../../../lib/specification/openapi.json' with { type: 'json' };
import { knownFaults } from './known-faults.js';
import { shownExchange, withoutOrigin } from './shown-exchange.js';

interface RunSeen {
  readonly record: RunRecord;
  readonly exchanges: readonly RecordedExchange[];
}

/** Runs the suite as the proof does, and reads the exchanges as a user finds them: without keys. */
async function seen(options: ReferenceOptions, { settings, ...others }: ProofOptions): Promise<RunSeen> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-page-'));
  try {
    const record = await proveAgainst(options, { ...others, settings: { ...settings, directory } });
    const lines = readFileSync(join(directory, 'exchanges.jsonl'), 'utf8').trim().split('\n');
    const exchanges = lines
      .filter((line) => line !== '')
      .map((line) => exchangeSchema.parse(JSON.parse(line)));
    return { record, exchanges };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Four vantage points, and a plan that they exhaust soon. */
const fromFour: ProofOptions = {
  ...limitSettings,
  target: {
    ...limitSettings.target,
    plan: { name: 'enterprise', perMinute: 24, perDay: 10_000 },
    localAddresses: ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'],
  },
};

/** The run that judges a requirement. */
function proofOf(id: RequirementId): {
  readonly kind: string;
  readonly proof: ProofOptions;
  readonly options: ReferenceOptions;
} {
  if (id === 'LIMIT-10') return { kind: 'day', proof: daySettings, options: {} };
  if (id === 'LIMIT-15') return { kind: 'addresses', proof: fromFour, options: {} };
  if (classOf(id) === 'limits') return { kind: 'minute', proof: limitSettings, options: {} };
  if (id === 'GET-05') return { kind: 'later', proof: {}, options: { now: () => removalDate + 86_400_000 } };
  return { kind: 'functional', proof: {}, options: {} };
}

/** Runs against the reference service as it is, each made once. */
const conformingRuns = new Map<string, Promise<RunSeen>>();

function conformingRun(id: RequirementId): Promise<RunSeen> {
  const { kind, proof, options } = proofOf(id);
  const run = conformingRuns.get(kind) ?? seen(options, proof);
  conformingRuns.set(kind, run);
  return run;
}

type Failing = NonNullable<Page['failing']>;

interface FailingRun extends Pick<Failing, 'fault'> {
  readonly finding: Finding;
  readonly exchanges: readonly RecordedExchange[];
}

/** The exchanges of a page, made by running the suite against the reference service and one of its faults. */
export async function pageExamples(id: RequirementId): Promise<Pick<Page, 'conforming' | 'failing'>> {
  const failing = classOf(id) === 'description' ? await faultyDescription(id) : await faultyService(id);
  const wrong = failing && exchangeOf(failing);
  const { exchanges } = await conformingRun(id);
  const own = exchanges.filter(({ purpose }) => purpose === (wrong?.purpose ?? id));
  const right = own.find((one) => wrong === undefined || isLike(one, wrong)) ?? own[0];
  return {
    ...(right && { conforming: shownExchange(right) }),
    ...(failing && {
      failing: {
        fault: failing.fault,
        finding: shownFinding(failing.finding),
        ...(wrong && { exchange: shownExchange(wrong) }),
      },
    }),
  };
}

/** Whether two requests of a requirement are of one kind: the same credential, method and path, but for the animal. */
function isLike(one: RecordedExchange, other: RecordedExchange): boolean {
  const kindOf = ({ credential, request }: RecordedExchange): string =>
    [credential, request.method, new URL(request.url).pathname.replace(/\d+$/, 'N')].join(' ');
  return kindOf(one) === kindOf(other);
}

/** A fault that a short run finds: one that is about this requirement above all. */
async function faultyService(id: RequirementId): Promise<FailingRun | undefined> {
  const { proof } = proofOf(id);
  const breaking = knownFaults
    .filter((fault) => fault.breaks.includes(id))
    .toSorted((one, other) => distance(one, id) - distance(other, id));
  const [fault] = breaking;
  if (!fault) return undefined;
  // What a requirement is found by may have been sent for another one.
  for (const settings of proof.settings ? [proof.settings] : [{ only: [id] }, {}]) {
    const run = await seen(fault.options, { ...proof, settings });
    const finding = findingIn(run, id);
    if (finding) return { fault: fault.title, finding, exchanges: run.exchanges };
  }
  throw new Error(`${fault.name} does not turn ${id}`);
}

function distance(
  { breaks: [first, ...others] }: { readonly breaks: readonly string[] },
  id: RequirementId,
): number {
  return first === id ? 0 : others.length;
}

async function faultyDescription(id: RequirementId): Promise<FailingRun | undefined> {
  const [name, fault] =
    Object.entries(faultyDescriptions).find(([, { turns }]) => turns.some((turned) => turned === id)) ?? [];
  if (name === undefined || !fault) return undefined;
  const draft: Draft = structuredClone(openApiDocument);
  fault.edit(draft);
  const directory = mkdtempSync(join(tmpdir(), 'petstore-page-'));
  const description = join(directory, 'openapi.json');
  writeFileSync(description, JSON.stringify(draft));
  try {
    // The run's own responses are judged by the description, too: others request them.
    const only = id === 'DESC-06' ? [] : ['DESC'];
    const run = await seen({}, { settings: { description, only } });
    const finding = findingIn(run, id);
    if (!finding) throw new Error(`${name} does not turn ${id}`);
    return { fault: `${name}, in the interface description`, finding, exchanges: [] };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function findingIn({ record }: RunSeen, id: RequirementId): Finding | undefined {
  return record.requirements.find((result) => result.id === id)?.findings[0];
}

/** The last exchange of a finding is the one that could not be explained. */
function exchangeOf({ finding, exchanges }: FailingRun): RecordedExchange | undefined {
  const shown = finding.exchanges.flatMap((own) => exchanges.find(({ id }) => id === own) ?? []);
  // A finding that was seen several times lists the exchanges of all; its command is that of the first.
  const isOne = (finding.occurrences ?? 1) === 1;
  const first = shown.findLast(({ request }) => finding.reproduce?.includes(curlOf(request)));
  return isOne ? shown.at(-1) : (first ?? shown.at(-1));
}

const longestText = 400;

function shownFinding({ message, expected, received, reproduce }: Finding): Failing['finding'] {
  const shown = (text: string): string =>
    withoutOrigin(text.length > longestText ? `${text.slice(0, longestText)}…` : text);
  return {
    message: shown(message),
    ...(expected !== undefined && { expected: shown(expected) }),
    ...(received !== undefined && { received: shown(received) }),
    ...(reproduce !== undefined && { reproduce: withoutOrigin(reproduce) }),
  };
}
