import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { placeIn, type DescriptionValue } from './document/description-value.js';
import type { Description } from './document/load-description.js';
import { isHidden, placeKeyword, translated, type Purpose } from './document/translated-schema.js';

/** A schema that applied to a value, or to a part of it. */
export type AppliedSchema = Readonly<Record<string, unknown>>;

/** Why a value is refused: what is wrong with which part of it, and where the schema stands that says so. */
interface Refusal {
  readonly message: string;
  readonly path: string;
  readonly pointer: string;
}

export interface Validation {
  /** Undefined if the value is accepted. */
  readonly refusal?: Refusal;
  /** The schemas that applied, by the JSON pointer of the part of the value. */
  readonly applied: ReadonlyMap<string, readonly AppliedSchema[]>;
}

/** The schemas of a description, compiled for each purpose when they are needed. */
export class SchemaValidator {
  readonly #compilers = new Map<Purpose, Ajv>();
  readonly #compiled = new Map<string, ValidateFunction>();
  #applied = new Map<string, AppliedSchema[]>();

  constructor(private readonly description: Description) {}

  /**
   * Judges a JSON value by a schema. Integers are doubles.
   *
   * @throws Error if the schema can't be compiled.
   */
  validate(schema: DescriptionValue, purpose: Purpose, value: unknown): Validation {
    if (!schema.exists) return { applied: new Map() };
    const key = `${purpose} ${schema.reference}`;
    const applied = (this.#applied = new Map());
    const validate = this.#compiled.get(key) ?? this.#compiler(purpose).compile({ $ref: schema.reference });
    this.#compiled.set(key, validate);
    if (validate(value)) return { applied };
    return { applied, refusal: refusalOf(validate.errors, schema, purpose) };
  }

  #compiler(purpose: Purpose): Ajv {
    const known = this.#compilers.get(purpose);
    if (known) return known;
    const ajv = new Ajv2020({
      strict: false,
      validateSchema: false,
      validateFormats: true,
      logger: false,
      verbose: true,
      ownProperties: true,
      allErrors: purpose !== 'received',
      inlineRefs: false,
      code: { regExp: Object.assign(expressionOf, { code: 'expressionOf' }) },
    });
    formats.default(ajv);
    // A double next to the greatest int64 may stand for it.
    ajv.addFormat('int64', { type: 'number', validate: (value: number) => Math.abs(value) <= 2 ** 63 });
    ajv.addKeyword({
      keyword: placeKeyword,
      schemaType: 'string',
      before: '$ref',
      validate: (_place: string, _value: unknown, schema?: AppliedSchema, at?: { instancePath: string }) => {
        const path = at?.instancePath ?? '';
        if (schema && purpose !== 'received')
          this.#applied.set(path, [...(this.#applied.get(path) ?? []), schema]);
        return !isHidden(schema, purpose);
      },
    });
    const { version, files } = this.description;
    for (const [address, file] of files) {
      const placeOf = (pointer: string): string => placeIn(files, address, pointer);
      ajv.addSchema(translated(file, version, purpose, placeOf), address);
    }
    this.#compilers.set(purpose, ajv);
    return ajv;
  }
}

function refusalOf(
  errors: readonly ErrorObject[] | null | undefined,
  { pointer }: DescriptionValue,
  purpose: Purpose,
): Refusal {
  const [error] = errors ?? [];
  if (!error) return { message: 'is refused', path: '', pointer };
  const { keyword, instancePath: path, message = 'is refused', params } = error;
  const place: unknown = error.parentSchema?.[placeKeyword];
  const { allowedValues, allowedValue } = params as { allowedValues?: unknown; allowedValue?: unknown };
  const allowed = allowedValues ?? allowedValue;
  return {
    path,
    pointer: typeof place === 'string' ? place : pointer,
    message:
      keyword === placeKeyword
        ? `is ${purpose === 'request' ? 'readOnly' : 'writeOnly'}`
        : `${message}${allowed === undefined ? '' : `: ${JSON.stringify(allowed)}`}`,
  };
}

/** Many a `pattern` is not one of Unicode: `[\\w\\-]`. */
function expressionOf(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}
