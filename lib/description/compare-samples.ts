import { bounded, TooLarge } from './bounded.js';
import { jsonText, type Sample, type Samples } from '../draw/samples.js';
import { petStatuses } from '../specification/body-schema.js';
import type { Comparison } from './comparison.js';
import type { DescriptionValue } from './document/description-value.js';
import { placeKeyword, type Purpose } from './document/translated-schema.js';
import type { SchemaValidator, Validation } from './schema-validator.js';

/** A schema of the target's description, and what it must accept and refuse. */
export interface SampledSchema {
  /** What the schema describes; a finding begins with it. */
  readonly subject: string;
  readonly schema: DescriptionValue;
  readonly purpose: Purpose;
  readonly samples: Samples;
}

/** Tries a schema by samples. What it judges wrongly at one place is one finding. */
export function compareSamples(result: Comparison, validator: SchemaValidator, sampled: SampledSchema): void {
  const { subject, schema, purpose, samples } = sampled;
  withSchema(result, sampled, () => {
    const tried = (sample: Sample) => ({ sample, ...validator.validate(schema, purpose, sample.value) });
    const accepted = samples.accepted.map(tried);
    const refused = samples.refused.map(tried);
    const others = otherStatuses(samples, refused).map(tried);
    result.checks += accepted.length + refused.length + others.length;
    const wrong = [
      ...accepted.flatMap(({ sample, refusal: why }) =>
        why
          ? [
              {
                sample,
                pointer: why.pointer,
                verb: 'refuses',
                expected: 'accepted',
                received: `refused, because ${why.path || 'it'} ${why.message}`,
              },
            ]
          : [],
      ),
      ...[...refused, ...others].flatMap(({ sample, applied, refusal }) =>
        refusal
          ? []
          : [
              {
                sample,
                pointer: placeOf(sample, applied) ?? schema.pointer,
                verb: 'accepts',
                expected: `refused: ${sample.rule}`,
                received: 'accepted',
              },
            ],
      ),
    ];
    for (const { sample, verb, expected, received, pointer } of wrong) {
      const alike = wrong.filter((other) => other.pointer === pointer && other.verb === verb);
      const first = alike.slice(0, mostShown).map((one) => one.sample.what);
      const more = alike.length > mostShown ? ` and ${alike.length - mostShown} more` : '';
      const message = `${subject} ${verb} ${first.join(', ')}${more}`;
      const json = jsonText(sample.value);
      result.fail(
        { pointer },
        { message, expected, received: `${received}: ${json.slice(0, longestJson)}` },
        verb,
      );
    }
  });
}

const mostShown = 3;
const longestJson = 160;

/** Runs what uses a schema: one that cannot be used is a finding, and one without bounds leaves the rest open. */
export function withSchema(
  result: Comparison,
  { subject, schema }: Pick<SampledSchema, 'subject' | 'schema'>,
  judge: () => void,
): void {
  // What is too large once would take as long the next time.
  if (result.open.length > 0) return;
  try {
    bounded(judge);
  } catch (error) {
    const received = error instanceof Error ? error.message : String(error);
    if (error instanceof TooLarge) result.open.push(`${subject}: ${received}`);
    else
      result.fail(schema, {
        message: `${subject} has an unusable schema`,
        expected: 'a JSON schema',
        received,
      });
  }
}

/** The schema of the part that is wrong, or of the whole if no schema applies to that part. */
function placeOf({ path }: Sample, applied: Validation['applied']): string | undefined {
  const schemas = applied.get(path) ?? applied.get('') ?? [];
  const place = schemas.find(({ $ref }) => $ref === undefined)?.[placeKeyword];
  return typeof place === 'string' ? place : undefined;
}

/** Samples with the texts that the schemas of a PetStatus enumerate beside the specified ones. */
function otherStatuses({ withStatus }: Samples, validations: readonly Validation[]): Sample[] {
  if (!withStatus) return [];
  const { path } = withStatus('');
  const schemas = validations.flatMap(({ applied }) => applied.get(path) ?? []);
  const values = schemas.flatMap((schema): unknown[] => [schema['enum'], schema['const']].flat());
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  for (const status of petStatuses) texts.delete(status);
  return [...texts].map(withStatus);
}
