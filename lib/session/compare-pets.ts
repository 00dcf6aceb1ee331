import type { Exchange } from '../http/exchange/exchange.js';
import { parseJson } from '../specification/json-value.js';
import type { ApiResponse } from '../verdict/api-response.js';
import type { Judgement } from '../verdict/judgement.js';
import { valueText, type Animal } from './animal.js';

/** The fields of a Pet (section 2) beside its identifier. Others that a target adds may change from answer to answer. */
const fields = ['name', 'categoryId', 'status'] as const;

export interface Shown {
  readonly animal: Animal;
  readonly response: ApiResponse;
}

/**
 * An animal is shown as its creation showed it: each field the same, 64-bit integers digit by digit. A field in which
 * the creation's answer was not what had been sent is CREATE-01's, and passed over here.
 */
export function judgeAsCreated(judgement: Judgement, created: Shown, shown: Shown, where: string): boolean {
  const sent = bodySent(created.response);
  const differing = fields.find((field) => {
    const told = valueText(created.animal.shown[field]);
    // What `status` is where none was sent is not shown: it may be told only when the animal is asked for.
    const open = field === 'status' && !(field in sent) && told === 'absent';
    const wrongFromTheStart = field in sent && valueText(sent[field]) !== told;
    return told !== valueText(shown.animal.shown[field]) && !open && !wrongFromTheStart;
  });
  return judgement.check(
    differing === undefined,
    {
      message: `${where} shows another \`${differing ?? ''}\` than the creation returned`,
      expected:
        differing === undefined
          ? ''
          : `${valueText(created.animal.shown[differing])} for \`id\` ${created.animal.id}`,
      received:
        differing === undefined
          ? ''
          : `${valueText(shown.animal.shown[differing])} for \`id\` ${shown.animal.id}`,
      ...(differing === undefined ? {} : { pointer: `/${differing}` }),
    },
    created.response,
    shown.response,
  );
}

/** An animal is compared as often as a listing shows it; what was sent for it stays the same. */
const bodiesSent = new WeakMap<Exchange, Readonly<Record<string, unknown>>>();

function bodySent({ exchange }: ApiResponse): Readonly<Record<string, unknown>> {
  const known = bodiesSent.get(exchange);
  if (known) return known;
  const parsed = parseJson(exchange.request.body ?? '');
  const sent =
    parsed.ok && typeof parsed.value === 'object' && parsed.value !== null ? { ...parsed.value } : {};
  bodiesSent.set(exchange, sent);
  return sent;
}

/** What requests that must not change an animal would have made of it. */
export interface Attempt {
  readonly name: string;
  readonly status: string;
}

/**
 * An animal is untouched by attempts to change it: it is there, shows none of what they sent, and getPet shows it as it
 * did before them. Compared with what getPet showed, so that a fault in how it shows animals is not taken for a change.
 *
 * @param isShownSteadily asked where it is shown otherwise: whether an animal that nobody touched stays as it is
 */
export async function judgeUntouched(
  judgement: Judgement,
  {
    created,
    before,
    after,
    reproduce,
  }: {
    created: Animal;
    before: ApiResponse | undefined;
    after: ApiResponse;
    reproduce?: string | undefined;
  },
  attempts: readonly Attempt[],
  by: string,
  isShownSteadily: () => Promise<boolean>,
): Promise<void> {
  const shown = membersOf(after.json);
  const former = before?.status === 200 ? membersOf(before.json) : undefined;
  const taken = attempts.some(
    ({ name, status }) => shown.name === name || (shown.status === status && created.shown.status !== status),
  );
  const other = former && before && !showSame(before, after);
  const untouched = after.status === 200 && !taken && other !== true;
  if (!untouched && !taken && former && !(await isShownSteadily())) {
    judgement.leaveOpen(
      'getPet shows an animal that nobody touches otherwise when it is asked again (see GET-01)',
    );
    return;
  }
  judgement.check(
    untouched,
    {
      message: after.status === 200 ? `${by} changed an animal` : `${by} removed an animal`,
      expected: `the animal as before: ${fields.map((field) => `${field} ${valueText((former ?? created.shown)[field])}`).join(', ')}`,
      received: String(after),
      reproduce,
    },
    ...(before ? [before] : []),
    after,
  );
}

function membersOf(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
}

/** Whether two answers show the same fields. */
export function showSame(one: ApiResponse, other: ApiResponse): boolean {
  const [first, second] = [membersOf(one.json), membersOf(other.json)];
  return fields.every((field) => valueText(first[field]) === valueText(second[field]));
}
