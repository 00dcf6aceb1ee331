import {
  catalogue,
  classOf,
  isRequirementId,
  type RequirementId,
} from '../../lib/specification/catalogue.js';
import type { RunRecord, Finding, RequirementResult } from '../../lib/evidence/record/record.js';
import { classResult, runVerdict } from '../../lib/verdict/class-verdict.js';
import { hostileName, sampleStart } from './sample-exchanges.js';
import { sampleMeasurement } from './sample-measurement.js';

/**
 * Run records for tests of renderers. `faultyRecord` has every verdict, findings with every field, hostile text from
 * the target and a limit measurement; `conformingRecord` has nothing to complain of. RecordedExchange ids are those of
 * `sampleExchanges`.
 */

type Change = Partial<Omit<RequirementResult, 'id' | 'level' | 'section' | 'title'>>;
export type Changes = Partial<Record<RequirementId, Change>>;

const notChosen: Change = { verdict: 'not-tested', selected: false, checks: 0 };

const changes = {
  'AUTH-06': { verdict: 'inconclusive', checks: 0, reason: 'no page showed the control animal within 2 s' },
  'AUTH-07': {
    verdict: 'warn',
    findings: [
      {
        message: 'A 401 does not name its scheme in WWW-Authenticate.',
        expected: 'WWW-Authenticate: Bearer',
        received: 'no such header',
        exchanges: ['e2'],
        occurrences: 14,
        reproduce: "curl -sSi 'https://staging.petstore.example/v1/pets'",
      },
    ],
  },
  'LIST-02': {
    verdict: 'fail',
    checks: 6,
    findings: [
      {
        message: 'A page holds more animals than `limit` allows.',
        expected: 'at most 2 animals',
        received: '3 animals',
        exchanges: ['e7'],
        pointer: '/2',
        reproduce:
          'curl -sS -H "Authorization: Bearer $PETSTORE_API_KEY" \'https://staging.petstore.example/v1/pets?limit=2\'',
      },
    ],
  },
  'LIST-05': { ...notChosen, reason: 'the store holds 41 animals and the quick profile adds none' },
  'LIST-09': {
    verdict: 'fail',
    findings: [
      { message: 'Two animals of one listing share the identifier 1.', exchanges: ['e8'], pointer: '/1/id' },
    ],
    waived: { reason: 'legacy rows, migrated in April (PETS-812)', owner: 'store team', until: '2026-04-30' },
  },
  'LIST-11': {
    verdict: 'observed',
    observations: [
      { subject: '`limit=0`', behaviour: 'an empty list with 200', exchanges: ['e9'] },
      { subject: '`limit=abc`', behaviour: 'refused with 400', exchanges: ['e10'] },
    ],
  },
  'CREATE-09': {
    verdict: 'fail',
    checks: 8,
    findings: [
      {
        message: '`status` in another case was accepted.',
        expected: '400 with an Error body',
        received: '201 {"id":44,"name":"pc-7f3a Rex","categoryId":9007199254740993,"status":"Available"}',
        exchanges: ['e4'],
        pointer: '/status',
        reproduce:
          'curl -sS -X POST -H "Authorization: Bearer $PETSTORE_API_KEY" -H \'Content-Type: application/json\' -d \'{"name":"pc-7f3a Rex","categoryId":1,"status":"Available"}\' \'https://staging.petstore.example/v1/pets\'',
      },
      {
        message: '`status` with a space around it was accepted.',
        expected: '400 with an Error body',
        received: '201',
        exchanges: ['e4'],
      },
    ],
  },
  'CREATE-12': {
    verdict: 'fail',
    checks: 9,
    findings: [
      {
        message: '`categoryId` came back as another number.',
        expected: '9007199254740993',
        received: '9007199254740992',
        exchanges: ['e5'],
        pointer: '/categoryId',
        reproduce:
          'curl -sS -X POST -H "Authorization: Bearer $PETSTORE_API_KEY" -H \'Content-Type: application/json\' -d \'{"name":"a","categoryId":9007199254740993}\' \'https://staging.petstore.example/v1/pets\'',
      },
    ],
  },
  'CREATE-13': {
    verdict: 'fail',
    findings: [
      {
        message: '`name` came back changed.',
        expected: JSON.stringify(hostileName),
        received: hostileName,
        exchanges: ['e11'],
        pointer: '/name',
      },
    ],
  },
  'CREATE-15': {
    verdict: 'observed',
    observations: [
      { subject: 'additional properties', behaviour: `kept: ${hostileName}`, exchanges: ['e11'] },
    ],
  },
  'GET-02': {
    verdict: 'fail',
    findings: [
      {
        message: 'An unknown animal is not answered with 404.',
        expected: '404 with an Error body',
        received:
          '500 <!doctype html><title>Whoops</title><script>alert(document.cookie)</script>\u001b[31mat /srv',
        exchanges: ['e13'],
        reproduce:
          'curl -sS -H "Authorization: Bearer $PETSTORE_API_KEY" \'https://staging.petstore.example/v1/pets/9223372036854775807\'',
      },
    ],
  },
  'GET-05': { verdict: 'not-applicable', checks: 0, reason: 'the run was before 5 December 2030' },
  'DEP-02': { verdict: 'not-applicable', checks: 0, reason: 'no response carried Sunset' },
  'ERR-02': {
    verdict: 'fail',
    checks: 23,
    notes: ['Judged on 23 error responses.'],
    findings: [
      {
        message: 'Error `status` is not the HTTP status.',
        expected: '400',
        received: '422',
        exchanges: ['e6'],
        pointer: '/status',
        occurrences: 9,
      },
    ],
  },
  'RATE-05': { verdict: 'inconclusive', checks: 0, reason: 'another client used the same key meanwhile' },
  'LIMIT-04': {
    verdict: 'fail',
    findings: [
      { message: 'Retry-After is zero.', expected: 'more than 0 s', received: '0', exchanges: ['e16'] },
    ],
  },
  'LIMIT-08': { ...notChosen, reason: 'needs a second key: --other-api-key' },
  'LIMIT-10': { ...notChosen, reason: 'needs --limits=day' },
  'LIMIT-12': { ...notChosen, reason: 'opt-in, on a key given for that' },
} satisfies Changes;

/** A row for each id of the catalogue: `pass` or `observed`, unless `changed` says otherwise. */
export function sampleRows(changed: Changes): RequirementResult[] {
  return catalogue.map(({ id, level, section, title }) => {
    const observed = level === 'OBSERVE';
    return {
      id,
      level,
      section,
      title,
      verdict: observed ? 'observed' : 'pass',
      checks: 3,
      findings: [],
      ...(observed && {
        observations: [{ subject: 'what is silent', behaviour: 'refused with 400', exchanges: ['e9'] }],
      }),
      ...changed[id],
    };
  });
}

/** The same, with a change for each id. */
export function everyRow(change: (id: RequirementId) => Change): RequirementResult[] {
  return sampleRows(Object.fromEntries(catalogue.map(({ id }) => [id, change(id)])));
}

/** A whole record around the rows: the classes and verdicts follow from them. */
export function recordOf(requirements: RequirementResult[], more: Partial<RunRecord> = {}): RunRecord {
  const selected = (['functional', 'limits', 'description'] as const).filter((id) =>
    requirements.some(
      (row) => isRequirementId(row.id) && classOf(row.id) === id && row.verdict !== 'not-tested',
    ),
  );
  const classes = selected.map((id) => classResult(id, requirements, { strict: more.run?.strict }));
  return {
    format: 'petstore-conformance/1',
    suite: { name: 'petstore-conformance', version: '0.1.0' },
    run: {
      id: '2026-03-02T09-30-00-staging',
      startedAt: new Date(sampleStart).toISOString(),
      finishedAt: new Date(sampleStart + 4_200).toISOString(),
      seed: 20_260_302,
      profile: 'standard',
      limits: 'minute',
      complete: true,
      command: 'npm test -- --target=staging --limits=minute',
    },
    target: {
      name: 'staging',
      baseUrl: 'https://staging.petstore.example/v1',
      plan: 'free',
      readOnly: false,
      clockDifferenceMs: -350,
    },
    verdict: runVerdict(classes),
    classes,
    requirements,
    requests: { sent: 16, byOperation: { listPets: 7, createPet: 5, getPet: 3 }, waitedMs: 1_800 },
    leftovers: [],
    ...more,
  };
}

const withoutDescription = Object.fromEntries(
  catalogue
    .filter(({ id }) => classOf(id) === 'description')
    .map(({ id }) => [
      id,
      { ...notChosen, reason: 'not selected: no interface description was given (--description=URL|FILE)' },
    ]),
) as Changes;

/** A run with every verdict, findings with every field, a waiver, hostile names, leftovers and a limit measurement. */
export function faultyRecord(more: Partial<RunRecord> = {}): RunRecord {
  return recordOf(sampleRows({ ...withoutDescription, ...changes }), {
    leftovers: [
      { id: '9007199254740995', name: 'pc-7f3a Rex' },
      { id: '44', name: 'pc-7f3a Rex' },
      { id: '45', name: 'pc-7f3a Rex' },
      { id: '46', name: hostileName },
    ],
    plans: [sampleMeasurement()],
    notes: ['The target refused connections for 3 s after the burst; the run waited and went on.'],
    ...more,
  });
}

/** A run in which three requirements fail by one cause, by which another one can't be judged. */
export function oneCauseRecord(): RunRecord {
  const finding = (message: string, exchange: string, ...expected: readonly number[]): Finding => ({
    message,
    expected: expected.join(' or '),
    received: '422 {"code":"invalid"}',
    exchanges: [exchange],
    reproduce: `curl -d ${message.length}`,
    fact: { kind: 'status', operation: 'createPet', expected: [...expected], status: 422 },
  });
  return recordOf(
    sampleRows({
      ...withoutDescription,
      'CREATE-05': { verdict: 'fail', findings: [finding('a body without `name`: got 422', 'e4', 400)] },
      'CREATE-06': {
        verdict: 'fail',
        findings: [finding('a body without `categoryId`: got 422', 'e5', 400)],
      },
      'CREATE-11': { verdict: 'inconclusive', reason: 'see CREATE-05', leftTo: ['CREATE-05'], checks: 0 },
      'ROBUST-01': { verdict: 'fail', findings: [finding('createPet responds 422', 'e4', 201, 400, 401)] },
    }),
  );
}

/** A run of a conforming service: functional and limits conformant, no description given, nothing left behind. */
export function conformingRecord(more: Partial<RunRecord> = {}): RunRecord {
  const rows = sampleRows({
    ...withoutDescription,
    'GET-05': changes['GET-05'],
    'DEP-02': changes['DEP-02'],
    'LIMIT-12': changes['LIMIT-12'],
  });
  return recordOf(rows, more);
}
