import type { Answer } from '../verdict/answer.js';
import type { Trial } from '../verdict/trial.js';
import { valueText, type Animal } from './animal.js';

/** The fields of a Pet (section 2). Others that a target adds may change from answer to answer. */
const fields = ['id', 'name', 'categoryId', 'status'] as const;

interface Shown {
  readonly animal: Animal;
  readonly answer: Answer;
}

/** An animal is shown as its creation showed it: each field the same, 64-bit integers digit by digit. */
export function judgeAsCreated(trial: Trial, created: Shown, shown: Shown, where: string): boolean {
  const differing = fields.find((field) => valueText(created.animal.shown[field]) !== valueText(shown.animal.shown[field]));
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
