import { parseJson } from '../specification/lossless-json.js';
import type { Answer } from '../verdict/answer.js';
import type { Trial } from '../verdict/trial.js';
import { valueText, type Animal } from './animal.js';

/** The fields of a Pet (section 2) beside its identifier. Others that a target adds may change from answer to answer. */
const fields = ['name', 'categoryId', 'status'] as const;

export interface Shown {
  readonly animal: Animal;
  readonly answer: Answer;
}

/**
 * An animal is shown as its creation showed it: each field the same, 64-bit integers digit by digit. A field in which
 * the creation's answer was not what had been sent is CREATE-01's, and passed over here.
 */
export function judgeAsCreated(trial: Trial, created: Shown, shown: Shown, where: string): boolean {
  const sent = bodySent(created.answer);
  const differing = fields.find((field) => {
    const told = valueText(created.animal.shown[field]);
    // What `status` is where none was sent is not shown: it may be told only when the animal is asked for.
    const open = field === 'status' && !(field in sent) && told === 'absent';
    const wrongFromTheStart = field in sent && valueText(sent[field]) !== told;
    return told !== valueText(shown.animal.shown[field]) && !open && !wrongFromTheStart;
  });
  return trial.check(
    differing === undefined,
    {
      message: `${where} shows another \`${differing ?? ''}\` than the creation returned`,
      expected: differing === undefined ? '' : valueText(created.animal.shown[differing]),
      received: differing === undefined ? '' : valueText(shown.animal.shown[differing]),
      ...(differing === undefined ? {} : { pointer: `/${differing}` }),
    },
    created.answer,
    shown.answer,
  );
}

function bodySent({ exchange }: Answer): Readonly<Record<string, unknown>> {
  const parsed = parseJson(exchange.request.body ?? '');
  return parsed.ok && typeof parsed.value === 'object' && parsed.value !== null ? { ...parsed.value } : {};
}

/** What requests that must not change an animal would have made of it. */
export interface Attempt {
  readonly name: string;
  readonly status: string;
}

/**
 * An animal is untouched by attempts to change it: it is there, and shows none of what they sent. Compared with that
 * alone, so that a fault in how an animal is shown is not taken for a change.
 */
export function judgeUntouched(
  trial: Trial,
  before: Animal,
  after: Answer,
  attempts: readonly Attempt[],
  by: string,
): void {
  const { json } = after;
  const shown = typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
  const change = attempts.find(
    ({ name, status }) => shown.name === name || (shown.status === status && before.shown.status !== status),
  );
  trial.check(
    after.status === 200 && change === undefined,
    {
      message: after.status === 200 ? `${by} changed an animal` : `${by} removed an animal`,
      expected: `the animal as before: name ${valueText(before.shown.name)}, status ${valueText(before.shown.status)}`,
      received: String(after),
    },
    after,
  );
}
