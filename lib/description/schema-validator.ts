import type { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { DescriptionValue } from './description-value.js';
import { jsonSchemas, type Purpose } from './json-schema.js';
import type { Description } from './load-description.js';

/** Why a value is refused: what is wrong with which part of it. */
export interface Refusal {
  readonly message: string;
  readonly path: string;
}

/** The schemas of a description, compiled for each purpose when they are needed. */
export class SchemaValidator {
  readonly #compilers = new Map<Purpose, Ajv>();

  constructor(private readonly description: Description) {}

  /**
   * Why a schema refuses a JSON value, in which integers are doubles; undefined if it accepts it.
   *
   * @throws Error if the schema can't be compiled.
   */
  refusal(schema: DescriptionValue, purpose: Purpose, value: unknown): Refusal | undefined {
    if (!schema.exists) return undefined;
    const $ref = `description#${schema.pointer.split('/').map(encodeURIComponent).join('/')}`;
    const validate = this.#compiler(purpose).getSchema($ref);
    if (!validate) throw new Error(`${schema.pointer} is not a schema`);
    if (validate(value)) return undefined;
    const { instancePath: path = '', message = 'is refused', params = {} } = validate.errors?.[0] ?? {};
    const allowed: unknown = params['allowedValues'] ?? params['allowedValue'];
    return { path, message: allowed === undefined ? message : `${message}: ${JSON.stringify(allowed)}` };
  }

  #compiler(purpose: Purpose): Ajv {
    const known = this.#compilers.get(purpose);
    if (known) return known;
    const ajv = new Ajv2020({
      strict: false,
      validateSchema: false,
      logger: false,
      ownProperties: true,
      inlineRefs: false,
      // Many a `pattern` is not one of Unicode: `[\w\-]`.
      unicodeRegExp: false,
    });
    formats.default(ajv);
    // A double next to the greatest int64 may stand for it.
    ajv.addFormat('int64', { type: 'number', validate: (value: number) => Math.abs(value) <= 2 ** 63 });
    ajv.addSchema(jsonSchemas(this.description, purpose), 'description');
    this.#compilers.set(purpose, ajv);
    return ajv;
  }
}
