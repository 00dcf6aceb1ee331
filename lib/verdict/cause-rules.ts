import type { Fact } from '../record/fact.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Finding, RequirementResult } from '../record/record.js';

/** What of a finding a rule can compare, each as a text. Statuses and their classes: `422`, `4xx`. */
export interface Aspects {
  readonly id?: string | undefined;
  readonly kind?: Fact['kind'] | undefined;
  readonly operation?: string | undefined;
  readonly status?: string | undefined;
  readonly statusClass?: string | undefined;
  readonly expected?: string | undefined;
  readonly expectedClass?: string | undefined;
  readonly parameters?: string | undefined;
  readonly header?: string | undefined;
  readonly problem?: string | undefined;
  readonly value?: string | undefined;
  readonly form?: string | undefined;
  readonly field?: string | undefined;
  readonly deviation?: string | undefined;
  readonly says?: string | undefined;
  /** Every operation and status for which the same requirement finds the same of a header. */
  readonly places?: string | undefined;
}
export type Aspect = keyof Aspects;

/** The findings that a rule is about: each aspect is one of those listed. */
export type Pattern = { readonly [Name in Exclude<Aspect, 'id'>]?: ReadonlyArray<Aspects[Name]> } & {
  readonly id?: readonly RequirementId[];
};

/** One finding explains another: the other one would not be there without it. */
export interface Explains {
  readonly cause: Pattern;
  readonly effect: Pattern;
  /** What both must have in common. */
  readonly same?: readonly Aspect[];
  /** The first exchange that shows the effect, or any of them, is one that shows the cause. */
  readonly shared?: 'first exchange' | 'any exchange';
}

/** Findings of one defect, none of which explains the others. */
export interface Alike {
  readonly of: Pattern;
  readonly same: readonly Aspect[];
  /** Among them, findings that are not meant. */
  readonly except?: Pattern;
  /** Only if they are so many, by this aspect: one check left out is another defect than all of them. */
  readonly least?: { readonly [Name in Aspect]?: number };
}

const bodyRequirements = [
  'CREATE-05',
  'CREATE-06',
  'CREATE-07',
  'CREATE-08',
  'CREATE-09',
  'CREATE-10',
] as const;

const errorStatuses = ['3xx', '4xx', '5xx'];

export const explains: readonly Explains[] = [
  // Credentials: an operation that is open to all is open to those with a wrong key, too.
  { cause: { id: ['AUTH-01'] }, effect: { id: ['AUTH-05'] }, same: ['operation'] },
  { cause: { id: ['AUTH-02'] }, effect: { id: ['AUTH-05'] }, same: ['operation'] },
  {
    cause: { id: ['AUTH-01'] },
    effect: { id: ['AUTH-02', 'AUTH-03'] },
    same: ['operation', 'statusClass'],
  },
  {
    cause: { id: ['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05'] },
    effect: { id: ['AUTH-06'] },
    shared: 'first exchange',
  },

  // Statuses: one in the place of another is undocumented for the same reason.
  {
    cause: { kind: ['status'] },
    effect: { id: ['ROBUST-01'], kind: ['status'] },
    same: ['operation', 'status'],
  },
  // What should have been refused shows a body that is not one of a success; an error page is not an Error object.
  {
    cause: { kind: ['status'], statusClass: ['2xx'], expectedClass: ['4xx'] },
    effect: { kind: ['body', 'value'] },
    shared: 'first exchange',
  },
  {
    cause: { kind: ['status'], statusClass: errorStatuses },
    effect: { kind: ['body'] },
    shared: 'first exchange',
  },
  {
    cause: { kind: ['status'], statusClass: errorStatuses },
    effect: { header: ['Content-Type'] },
    shared: 'first exchange',
  },
  { cause: { id: ['CREATE-03'] }, effect: { id: ['CREATE-01'] }, same: ['kind', 'status', 'field'] },
  { cause: { id: ['GET-04'] }, effect: { id: ['GET-01'], kind: ['status'] } },
  // A method that is accepted has its effect.
  { cause: { id: ['ROBUST-02'], kind: ['status'] }, effect: { id: ['ROBUST-02'], kind: ['response'] } },

  // Media: a body of another type, or one that can't be parsed, has no fields.
  {
    cause: { header: ['Content-Type'] },
    effect: { kind: ['body'], field: [''] },
    same: ['operation', 'status'],
  },
  {
    cause: { form: ['JSON'] },
    effect: { form: ['Error', 'Pet', 'Pets'], field: [''] },
    same: ['operation', 'status'],
  },
  { cause: { id: ['ERR-01'] }, effect: { id: ['GET-03'], kind: ['body'] }, same: ['operation', 'field'] },

  // Fields: one of the wrong type is not the one that was sent, wherever it is shown.
  {
    cause: { form: ['Pet'] },
    effect: { kind: ['value'] },
    same: ['operation', 'field'],
    shared: 'any exchange',
  },
  {
    cause: { form: ['Pet'], field: ['status'], operation: ['listPets'] },
    effect: { id: ['LIST-06', 'LIST-07'] },
  },
  {
    cause: { form: ['Pet'], field: ['id'], operation: ['listPets', 'createPet'] },
    effect: { id: ['LIST-08'] },
  },
  {
    cause: { id: ['CREATE-01'], kind: ['value'] },
    effect: { id: ['CREATE-12', 'CREATE-13', 'LIST-10', 'GET-01'], kind: ['value'] },
    same: ['field'],
  },
  // Right in the response to its creation, and wrong wherever it is read.
  {
    cause: {
      id: ['CREATE-03', 'CREATE-12', 'CREATE-13'],
      kind: ['value'],
      operation: ['listPets', 'getPet'],
    },
    effect: { id: ['LIST-10', 'GET-01'], kind: ['value'] },
    same: ['field'],
  },
  {
    cause: { id: ['CREATE-03'], kind: ['value'], operation: ['listPets', 'getPet'] },
    effect: { id: ['LIST-06', 'LIST-07'] },
  },
  // The status that creations return in the place of the one sent is what a filter lets through.
  {
    cause: { kind: ['value'], operation: ['createPet'], field: ['status'] },
    effect: { id: ['LIST-06'] },
    same: ['value'],
  },
  // A number that is rounded may be rounded beyond int64.
  {
    cause: { id: ['CREATE-12'], kind: ['value'] },
    effect: { id: ['PET-01'] },
    same: ['operation', 'field'],
  },
  // A body that is not an animal has none of its fields.
  { cause: { form: ['Pet'], field: [''] }, effect: { id: ['PET-01'] }, same: ['operation'] },
  { cause: { id: ['LIST-10'], field: ['status'] }, effect: { id: ['LIST-06', 'LIST-07'] } },
  // A status that a creation returns and the store does not keep is not what a filter finds.
  {
    cause: { id: ['GET-01', 'LIST-10'], kind: ['value'], field: ['status'] },
    effect: { id: ['LIST-08'], parameters: ['status', 'limit status'] },
    shared: 'any exchange',
  },
  { cause: { id: ['LIST-10'], field: ['id'] }, effect: { id: ['LIST-08'] } },
  { cause: { id: ['CREATE-01'], field: ['id'] }, effect: { id: ['CREATE-04'] } },
  { cause: { id: ['CREATE-04'] }, effect: { id: ['LIST-09'] } },

  // Pages.
  {
    cause: { id: ['LIST-02'], kind: ['response'] },
    effect: { id: ['LIST-03', 'LIST-04', 'LIST-05', 'LIST-07'] },
  },
  { cause: { id: ['LIST-03'] }, effect: { id: ['LIST-04'] } },
  { cause: { id: ['LIST-06'] }, effect: { id: ['LIST-07'] } },
  {
    cause: { id: ['LIST-03', 'LIST-04'], parameters: ['status', 'limit status'] },
    effect: { id: ['LIST-08'], parameters: ['status', 'limit status'] },
  },

  // The limiter, and the headers that tell of it.
  { cause: { id: ['RATE-04'] }, effect: { kind: ['limiter'] }, same: ['value'] },
  {
    cause: { deviation: ['limit', 'no limit', 'exempt', 'free', 'apart'] },
    effect: { id: ['RATE-05'], kind: ['header'] },
  },
  {
    cause: { kind: ['limiter'] },
    effect: { id: ['LIMIT-05', 'LIMIT-06', 'LIMIT-14'], kind: ['response', 'header'] },
  },
  { cause: { deviation: ['window'] }, effect: { id: ['LIMIT-04'] } },
  // What counts apart for one source address counts apart for several.
  { cause: { id: ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'], kind: ['limiter'] }, effect: { id: ['LIMIT-15'] } },
  { cause: { id: ['LIMIT-04', 'LIMIT-05', 'LIMIT-14'] }, effect: { id: ['LIMIT-06'] } },
  { cause: { id: ['RATE-03'], problem: ['wrong'] }, effect: { id: ['LIMIT-06'] } },
  { cause: { id: ['LIMIT-14'] }, effect: { id: ['LIMIT-05'] } },
];

export const alike: readonly Alike[] = [
  // One requirement fails in one way, and so do all findings of a record without facts.
  { of: { kind: [undefined] }, same: ['id'] },
  {
    of: { kind: ['status', 'value', 'response'] },
    except: { id: ['ROBUST-01'] },
    same: ['id', 'kind', 'field'],
  },
  { of: { id: ['ROBUST-01'], kind: ['status'] }, same: ['operation', 'status'] },
  { of: { id: ['ROBUST-01'], kind: ['response'] }, same: ['status'] },
  { of: { kind: ['body'] }, same: ['id', 'form', 'field'] },
  { of: { kind: ['header'] }, same: ['id', 'header', 'value'] },
  { of: { id: ['DEP-01'] }, same: ['id', 'problem'] },
  // One status in the place of another, whichever requirement expects it.
  {
    of: { kind: ['status'], statusClass: ['3xx', '4xx'], expectedClass: ['4xx'] },
    same: ['status', 'expected'],
  },
  { of: { id: ['CREATE-05', 'CREATE-06'], kind: ['status'] }, same: ['status'] },
  { of: { id: ['GET-02', 'GET-03'], kind: ['status'], statusClass: ['5xx'] }, same: ['status'] },
  {
    of: { id: ['CREATE-07', 'CREATE-08', 'CREATE-09'], kind: ['status'] },
    same: ['status'],
    least: { id: 3 },
  },
  { of: { id: bodyRequirements, kind: ['status'] }, same: ['status'], least: { id: 4 } },
  // A service that always responds alike.
  {
    of: { id: ['LIST-01', 'CREATE-01', 'GET-01', 'GET-04'], kind: ['status'] },
    same: ['status'],
    least: { operation: 2 },
  },
  { of: { kind: ['status'] }, same: ['status'], least: { operation: 3, expected: 3 } },
  { of: { form: ['Pet', 'Pets'], field: [''] }, same: ['value'], least: { operation: 2 } },
  // Headers that are left out of the same responses.
  { of: { problem: ['missing'] }, same: ['places'], least: { header: 2 } },
  // A value that is right in the response to its creation, and wrong wherever it is read.
  { of: { id: ['GET-01', 'LIST-10'], kind: ['value'] }, same: ['field'] },
  // One limiter has one deviation.
  { of: { kind: ['limiter'] }, same: ['deviation', 'says'] },
];

/** What rules compare of a finding. */
export function aspectsOf({ id }: RequirementResult, { fact }: Finding): Aspects {
  if (!fact) return { id };
  const { status, expected, ...texts } = { expected: undefined, ...fact };
  return {
    ...texts,
    id,
    ...(status !== undefined && { status: String(status), statusClass: classOfStatus(status) }),
    ...(expected && { expected: expected.join(' '), expectedClass: classOfStatus(expected[0] ?? 0) }),
  };
}

function classOfStatus(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

/** Whether a finding is one of those that a rule is about. */
export function matches(aspects: Aspects, pattern: Pattern): boolean {
  return Object.entries(pattern).every(([name, allowed]) =>
    (allowed as readonly unknown[]).includes(aspects[name as Aspect]),
  );
}
