import { petStatuses } from '../specification/schemas.js';

/** What the specification says of fields and operations, as far as an interface description can repeat it. */

export interface FieldRule {
  readonly type: 'string' | 'integer';
  readonly format?: 'int64';
  /** The enumeration, where the field has one. */
  readonly values?: readonly string[];
  readonly required: boolean;
  /** A response may promise more of it than is specified: which codes there are, say. */
  readonly narrowable?: true;
}

export interface ObjectRule {
  readonly name: 'NewPet' | 'Pet' | 'Error';
  readonly fields: Readonly<Record<string, FieldRule>>;
}

const petStatus = { type: 'string', values: petStatuses } as const;
const int64 = { type: 'integer', format: 'int64', required: true } as const;

export const newPetRule = {
  name: 'NewPet',
  fields: {
    name: { type: 'string', required: true },
    categoryId: int64,
    status: { ...petStatus, required: false },
  },
} as const satisfies ObjectRule;

export const petRule = {
  name: 'Pet',
  fields: { id: int64, ...newPetRule.fields },
} as const satisfies ObjectRule;

export const errorRule = {
  name: 'Error',
  fields: {
    code: { type: 'string', required: true, narrowable: true },
    message: { type: 'string', required: true, narrowable: true },
    status: { type: 'integer', required: true, narrowable: true },
  },
} as const satisfies ObjectRule;

export interface ParameterRule {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly type: 'string' | 'integer';
  readonly format?: 'int64';
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly preset?: number;
}

export interface OperationRule {
  readonly name: 'listPets' | 'createPet' | 'getPet';
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly section: string;
  readonly deprecated: boolean;
  readonly parameters: readonly ParameterRule[];
  /** Whether it takes a NewPet; the others take no body. */
  readonly takesNewPet: boolean;
  readonly success: { readonly status: '200' | '201'; readonly body: 'Pet' | 'Pets' };
  /** The statuses that come with an Error body. */
  readonly refusals: readonly string[];
}

export const operationRules = [
  {
    name: 'listPets',
    method: 'get',
    path: '/pets',
    section: '4.1',
    deprecated: false,
    parameters: [
      { name: 'limit', in: 'query', required: false, type: 'integer', minimum: 1, maximum: 100, preset: 20 },
      { name: 'status', in: 'query', required: false, ...petStatus },
    ],
    takesNewPet: false,
    success: { status: '200', body: 'Pets' },
    refusals: ['401'],
  },
  {
    name: 'createPet',
    method: 'post',
    path: '/pets',
    section: '4.2',
    deprecated: false,
    parameters: [],
    takesNewPet: true,
    success: { status: '201', body: 'Pet' },
    refusals: ['400', '401'],
  },
  {
    name: 'getPet',
    method: 'get',
    path: '/pets/{petId}',
    section: '4.3',
    deprecated: true,
    parameters: [{ name: 'petId', in: 'path', ...int64 }],
    takesNewPet: false,
    success: { status: '200', body: 'Pet' },
    refusals: ['401', '404'],
  },
] as const satisfies readonly OperationRule[];
