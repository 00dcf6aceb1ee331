import type { Fact, Finding, RequirementResult } from '../evidence/record/record.js';
import type { RequirementId } from '../specification/catalogue.js';

/** What of a finding rules compare, each as a text. */
type Aspect = 'id' | keyof Fact;
export type Aspects = { readonly [Name in Aspect]?: string | undefined };

type OneOf<Value> = Value | readonly Value[];
/** The findings that a rule is about: each aspect has the value that is named, or one of those listed; `4xx` is any such status. */
export type Pattern = { readonly [Name in Exclude<Aspect, 'id'>]?: OneOf<string | undefined> } & {
  readonly id?: OneOf<RequirementId>;
};

/** The effect would not be there without the cause. Both have something in common; `exchange`: one shows both. */
type Explains = readonly [cause: Pattern, effect: Pattern, ...same: ReadonlyArray<Aspect | 'exchange'>];

const errors = ['3xx', '4xx', '5xx'];
/** Limiters that reject later than they announced; who admits too much, or counts apart, keeps its word or breaks it all the same. */
const late = 'window, renewed, put off, charged, restored, shared, lock, capped, second limit'.split(', ');

export const explains: readonly Explains[] = [
  // A name that can't be written again breaks its creation, and every listing after it.
  [{ value: 'lone surrogate', operation: 'createPet' }, { value: 'lone surrogate' }],
  [{ value: 'lone surrogate' }, { status: '5xx', expected: '200' }, 'operation', 'status'],
  // What a response shows at a deeper level follows from its status, then from its media type, then from its form.
  // What valid requests get comes before what a wrong key gets.
  [
    { id: ['LIST-01', 'CREATE-01', 'GET-01'], kind: 'status' },
    { id: 'ROBUST-01', kind: 'status' },
    'operation',
    'status',
  ],
  [{ kind: 'status' }, { id: 'ROBUST-01', kind: 'status' }, 'operation', 'status'],
  [
    { kind: 'status', status: errors },
    { kind: ['body', 'header'], header: [undefined, 'Content-Type'] },
    'exchange',
  ],
  [{ kind: 'status', status: '5xx' }, { problem: 'missing' }, 'operation', 'status'],
  // Bad data that is accepted is shown; a 200 in the place of a 201 explains no value, and nobody sends an id.
  [
    { status: '2xx', expected: '4xx' },
    { kind: ['body', 'value'], field: [undefined, '', 'name', 'categoryId', 'status'] },
    'exchange',
  ],
  // A JSON object has a value: it is read all the same.
  [{ header: 'Content-Type' }, { kind: 'body', field: '', value: [undefined] }, 'operation', 'status'],
  [{ form: 'JSON' }, { form: ['Error', 'Pet', 'Pets'], field: '' }, 'operation', 'status'],
  // What rounding or counting up makes too large is too large because of that.
  [{ id: 'CREATE-12', kind: 'value' }, { form: 'Pet', value: 'beyond int64' }, 'field'],
  [{ form: 'Pet', value: [undefined, 'absent'] }, { kind: 'value' }, 'operation', 'field'],

  // Credentials: an operation that is open to all is open to those with a wrong key, too.
  [{ id: 'AUTH-01' }, { id: ['AUTH-02', 'AUTH-03'] }, 'operation', 'status'],
  [{ id: ['AUTH-01', 'AUTH-02'] }, { id: 'AUTH-05' }, 'operation'],
  [{ id: ['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05'] }, { id: 'AUTH-06' }, 'exchange'],
  [{ id: 'GET-04' }, { id: 'GET-01', kind: 'status' }],
  // A method that is accepted has its effect.
  [
    { id: 'ROBUST-02', kind: 'status' },
    { id: 'ROBUST-02', kind: 'response' },
  ],

  // A value that is lost when it is created, or behind the response to its creation, is lost wherever it is shown.
  [{ id: 'CREATE-03' }, { id: 'CREATE-01' }, 'kind', 'status', 'field'],
  // What is done to every value is done to unusual ones.
  [{ id: 'CREATE-01' }, { id: ['CREATE-12', 'CREATE-13'] }, 'kind', 'operation', 'field'],
  [{ id: ['CREATE-03', 'CREATE-12', 'CREATE-13'] }, { id: ['LIST-10', 'GET-01'] }, 'kind', 'field'],
  [{ id: 'CREATE-03', operation: ['listPets', 'getPet'] }, { id: ['LIST-06', 'LIST-07'] }],
  [{ form: 'Pet', operation: 'listPets', field: 'status' }, { id: ['LIST-06', 'LIST-07'] }],
  [{ id: 'LIST-10', field: 'id' }, { id: 'LIST-08' }],
  [{ id: 'CREATE-01', field: 'id' }, { id: 'CREATE-04' }],
  [{ id: ['CREATE-04', 'CREATE-14'] }, { id: 'LIST-09' }],

  // Pages.
  [{ id: 'LIST-02', kind: 'response' }, { id: ['LIST-03', 'LIST-04', 'LIST-05', 'LIST-07'] }],
  [{ id: 'LIST-03' }, { id: 'LIST-04' }],
  [{ id: 'LIST-06' }, { id: 'LIST-07' }],
  [{ id: ['LIST-03', 'LIST-04'] }, { id: 'LIST-08', parameters: ['status', 'limit status'] }],

  // The limiter, and the headers that tell of it.
  [{ id: 'RATE-04' }, { kind: 'limiter' }, 'value'],
  [{ deviation: ['limit', 'no limit', 'exempt', 'free', 'apart'] }, { id: 'RATE-05', kind: 'header' }],
  [{ deviation: late }, { id: ['LIMIT-05', 'LIMIT-06', 'LIMIT-14'], kind: ['response', 'header'] }],
  [{ deviation: 'window' }, { id: 'LIMIT-04' }],
  // What counts apart for one source address counts apart for several.
  [{ id: ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'], kind: 'limiter' }, { id: 'LIMIT-15' }],
  [{ id: ['LIMIT-04', 'LIMIT-05', 'LIMIT-14'] }, { id: 'LIMIT-06' }],
  [{ id: 'RATE-03', problem: 'wrong' }, { id: 'LIMIT-06' }],
  [{ id: ['LIMIT-04', 'LIMIT-14'] }, { id: 'LIMIT-05' }],
];

/**
 * What findings of one defect have in common if none explains the others: the same received, in the same place.
 * @param all those of every finding: where a header or a field is missing is told by all of the same requirement about it
 */
export function defectOf(aspects: Aspects, all: readonly Aspects[]): ReadonlyArray<string | undefined> {
  const { id, kind, operation, status, expected } = aspects;
  const { header, problem, value, form, field, deviation, says } = aspects;
  const alike = all.filter((one) =>
    (['id', 'header', 'problem', 'field'] as const).every((name) => one[name] === aspects[name]),
  );
  const places = [...new Set(alike.map((one) => `${one.operation} ${one.status}`))].sort();
  if (kind === 'limiter') return [deviation, says];
  // Headers, or fields, that are left out of the same responses.
  if (problem === 'missing') return [problem, ...places];
  if (kind === 'header') return [id, header, problem, value];
  if (kind === 'body' && value === 'absent') return [form, value, ...places];
  if (kind === 'body') return [form, field, ...(field === '' ? [] : [value])];
  if (kind === 'value') return [id, field];
  // One status in the place of another, whichever requirement expects it.
  if (matches(aspects, { kind: 'status', status: '3xx' })) return [status];
  if (matches(aspects, { kind: 'status', status: '4xx', expected: '4xx' }))
    return [status, expected?.slice(0, 3)];
  // A success is as good as another, and each operation breaks in its own way. Older records have no facts.
  if (matches(aspects, { status: '5xx' })) return [id, kind, status, operation];
  return [id, kind, matches(aspects, { status: '2xx' }) ? 'success' : status];
}

/** What rules compare of a finding. */
export function aspectsOf({ id }: RequirementResult, { fact }: Finding): Aspects {
  const { status, expected, ...texts } = fact ?? {};
  return { ...texts, id, status: status?.toString(), expected: expected?.join(' ') };
}

/** Whether a finding is one of those that a rule is about. */
export function matches(aspects: Aspects, pattern: Pattern): boolean {
  return Object.entries(pattern).every(([name, allowed]) => {
    const value = aspects[name as Aspect];
    return [allowed].flat().some((one) => one === value || one === `${value?.[0]}xx`);
  });
}
