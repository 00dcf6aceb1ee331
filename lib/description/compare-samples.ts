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
    const wronglyRefused = accepted.flatMap(({ sample, refusal: why }) => {
      if (!why || sample.free?.includes(why.path)) return [];
      const received = `refused, because ${why.path || 'it'} ${why.message}`;
      return [{ sample, pointer: why.pointer, expected: 'accepted', received }];
    });
    const wronglyAccepted = [...refused, ...others].flatMap(({ sample, applied, refusal }) => {
      if (refusal) return [];
      const pointer = placeOf(sample, applied) ?? schema.pointer;
      return [{ sample, pointer, expected: `refused: ${sample.rule}`, received: 'accepted' }];
    });
    report(result, `${subject} refuses`, wronglyRefused);
    report(result, `${subject} accepts`, wronglyAccepted);
  });
}

interface Misjudged {
  readonly sample: Sample;
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
}

const mostShown = 3;
const longestJson = 160;

/** One finding for each place, with the first of its samples. */
function report(result: Comparison, start: string, misjudged: readonly Misjudged[]): void {
  for (const { sample, pointer, expected, received } of misjudged) {
    const alike = misjudged.filter((other) => other.pointer === pointer).map((other) => other.sample.what);
    const more = alike.length > mostShown ? ` and ${alike.length - mostShown} more` : '';
    const message = `${start} ${alike.slice(0, mostShown).join(', ')}${more}`;
    const json = jsonText(sample.value).slice(0, longestJson);
    result.fail(
      { pointer },
      { message, expected, received: `${received}: ${json}` },
      start.replace(/.* /, ''),
    );
  }
}

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
