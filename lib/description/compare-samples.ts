import { jsonText, type Sample, type Samples } from './samples.js';
import { petStatuses } from '../specification/body-schema.js';
import type { Comparison } from './comparison.js';
import type { DescriptionValue } from './description-value.js';
import { schemasOf, type Purpose } from './json-schema.js';
import type { SchemaValidator } from './schema-validator.js';

/** A schema of the target's description, and what it must accept and refuse. */
export interface SampledSchema {
  /** What the schema describes; a finding begins with it. */
  readonly subject: string;
  readonly schema: DescriptionValue;
  readonly purpose: Purpose;
  readonly samples: Samples;
}

/** A sample that a schema judges wrongly, and the place of the schema that does. */
interface Misjudged {
  readonly sample: Sample;
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
}

const mostShown = 3;
const longestJson = 160;

/** Tries a schema by samples. What it judges wrongly at one place is one finding. */
export function compareSamples(result: Comparison, validator: SchemaValidator, sampled: SampledSchema): void {
  const { subject, schema, purpose, samples } = sampled;
  result.within(subject, schema, () => {
    const refused = [...samples.refused, ...otherStatuses(schema, samples)];
    result.checks += samples.accepted.length + refused.length;
    const wronglyRefused = samples.accepted.flatMap((sample): Misjudged[] => {
      const why = validator.refusal(schema, purpose, sample.value);
      if (!why || sample.free?.includes(why.path)) return [];
      const received = `refused, because ${why.path || 'it'} ${why.message}`;
      return [{ sample, pointer: why.pointer, expected: 'accepted', received }];
    });
    const wronglyAccepted = refused.flatMap((sample): Misjudged[] => {
      if (validator.refusal(schema, purpose, sample.value)) return [];
      // The part that is wrong may have no schema at all.
      const [place = schema] = schemasOf(schema, sample.path);
      return [{ sample, pointer: place.pointer, expected: `refused: ${sample.rule}`, received: 'accepted' }];
    });
    report(result, `${subject} refuses`, wronglyRefused);
    report(result, `${subject} accepts`, wronglyAccepted);
  });
}

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

/** Samples with the texts that the schemas of a PetStatus enumerate beside the specified ones. */
function otherStatuses(schema: DescriptionValue, { withStatus }: Samples): Sample[] {
  if (!withStatus) return [];
  const described = schemasOf(schema, withStatus('').path);
  const values = described.flatMap((one): unknown[] => [one.at('enum').value, one.at('const').value].flat());
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  for (const status of petStatuses) texts.delete(status);
  return [...texts].map(withStatus);
}
