import type { DescriptionRequirement } from '../compare-description.js';
import { drop, put, rename, type Draft } from './draft.js';

export interface FaultyDescription {
  /** Exactly these requirements turn. */
  readonly turns: readonly DescriptionRequirement[];
  /** Makes the fault in the project's own document. */
  readonly edit: (draft: Draft) => void;
}

const list = '/paths/~1pets/get';
const create = '/paths/~1pets/post';
const get = '/paths/~1pets~1{petId}/get';
const schemas = '/components/schemas';
const limit = `${list}/parameters/0/schema`;
const bearer = '/components/securitySchemes/bearerAuth';

const fault = (turns: DescriptionRequirement, edit: (draft: Draft) => void): FaultyDescription => ({
  turns: [turns],
  edit,
});
const putting = (turns: DescriptionRequirement, pointer: string, value: unknown) =>
  fault(turns, (draft) => put(draft, pointer, value));
const dropping = (turns: DescriptionRequirement, pointer: string) =>
  fault(turns, (draft) => drop(draft, pointer));

const version31 = (edit: (draft: Draft) => void) =>
  fault('DESC-03', (draft) => {
    put(draft, '/openapi', '3.1.0');
    edit(draft);
  });

/** Small faults by name, each in a description that is otherwise as specified. */
export const faultyDescriptions: Readonly<Record<string, FaultyDescription>> = {
  'another version number': putting('DESC-01', '/info/version', '1.0.1'),
  'a version that is a number': putting('DESC-01', '/info/version', 1),
  'the version with a v': putting('DESC-01', '/info/version', 'v1.0.0'),
  'no version': dropping('DESC-01', '/info/version'),

  'listPets missing': dropping('DESC-02', list),
  'createPet missing': dropping('DESC-02', create),
  'getPet missing': dropping('DESC-02', '/paths/~1pets~1{petId}'),
  'createPet as PUT': fault('DESC-02', (draft) => rename(draft, create, '/paths/~1pets/put')),
  'getPet under the singular': fault('DESC-02', (draft) =>
    rename(draft, '/paths/~1pets~1{petId}', '/paths/~1pet~1{petId}'),
  ),
  'a slash behind the path': fault('DESC-02', (draft) => rename(draft, '/paths/~1pets', '/paths/~1pets~1')),
  'listPets named otherwise': putting('DESC-02', `${list}/operationId`, 'getPets'),
  'createPet without a name': dropping('DESC-02', `${create}/operationId`),
  'a name in another case': putting('DESC-02', `${get}/operationId`, 'getpet'),
  'getPet not deprecated': dropping('DESC-02', `${get}/deprecated`),
  'getPet deprecated in words': putting('DESC-02', `${get}/deprecated`, 'yes'),
  'listPets deprecated': putting('DESC-02', `${list}/deprecated`, true),
  'createPet deprecated': putting('DESC-02', `${create}/deprecated`, true),
  'servers without the version': putting('DESC-02', '/servers', [{ url: 'https://petstore.example' }]),
  'servers of another version': putting('DESC-02', '/servers', [{ url: 'https://petstore.example/v2' }]),
  'an operation on a server of its own without the version': putting('DESC-02', `${create}/servers`, [
    { url: 'https://write.petstore.example/' },
  ]),

  'limit missing': dropping('DESC-03', `${list}/parameters/0`),
  'limit required': putting('DESC-03', `${list}/parameters/0/required`, true),
  'limit in the header': putting('DESC-03', `${list}/parameters/0/in`, 'header'),
  'limit called pageSize': putting('DESC-03', `${list}/parameters/0/name`, 'pageSize'),
  'limit a string': putting('DESC-03', `${limit}/type`, 'string'),
  'limit any number': putting('DESC-03', `${limit}/type`, 'number'),
  'limit from 0': putting('DESC-03', `${limit}/minimum`, 0),
  'limit above 1': putting('DESC-03', `${limit}/exclusiveMinimum`, true),
  'limit without a minimum': dropping('DESC-03', `${limit}/minimum`),
  'limit up to 1000': putting('DESC-03', `${limit}/maximum`, 1000),
  'limit without a maximum': dropping('DESC-03', `${limit}/maximum`),
  'limit below 100': putting('DESC-03', `${limit}/exclusiveMaximum`, true),
  'limit with another default': putting('DESC-03', `${limit}/default`, 10),
  'limit with a default in words': putting('DESC-03', `${limit}/default`, '20'),
  'limit without a default': dropping('DESC-03', `${limit}/default`),
  'limit in steps of ten': putting('DESC-03', `${limit}/multipleOf`, 10),
  'limit from a list': putting('DESC-03', `${limit}/enum`, [10, 20, 50, 100]),
  'status filter missing': dropping('DESC-03', `${list}/parameters/1`),
  'status filter any string': putting('DESC-03', `${list}/parameters/1/schema`, { type: 'string' }),
  'status filter with a default': putting('DESC-03', `${list}/parameters/1/schema`, {
    type: 'string',
    enum: ['available', 'pending', 'sold'],
    default: 'available',
  }),
  'status filter a list': putting('DESC-03', `${list}/parameters/1/schema`, {
    type: 'array',
    items: { type: 'string', enum: ['available', 'pending', 'sold'] },
  }),
  'status filter as JSON': fault('DESC-03', (draft) => {
    drop(draft, `${list}/parameters/1/schema`);
    put(draft, `${list}/parameters/1/content`, { 'application/json': { schema: { type: 'string' } } });
  }),
  'a further parameter required': putting('DESC-03', `${list}/parameters/2`, {
    name: 'page',
    in: 'query',
    required: true,
    schema: { type: 'integer' },
  }),
  'a header required for the whole path': putting('DESC-03', '/paths/~1pets~1{petId}/parameters', [
    { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string' } },
  ]),
  'petId a string': putting('DESC-03', `${get}/parameters/0/schema`, { type: 'string' }),
  'petId of 32 bits': putting('DESC-03', `${get}/parameters/0/schema/format`, 'int32'),
  'petId without a format': dropping('DESC-03', `${get}/parameters/0/schema/format`),
  'petId not required': putting('DESC-03', `${get}/parameters/0/required`, false),
  'petId in matrix style': putting('DESC-03', `${get}/parameters/0/style`, 'matrix'),
  'petId called id': fault('DESC-03', (draft) => {
    put(draft, `${get}/parameters/0/name`, 'id');
    rename(draft, '/paths/~1pets~1{petId}', '/paths/~1pets~1{id}');
  }),

  'the body of createPet optional': putting('DESC-03', `${create}/requestBody/required`, false),
  'the body of createPet optional by silence': dropping('DESC-03', `${create}/requestBody/required`),
  'no body of createPet': dropping('DESC-03', `${create}/requestBody`),
  'the body of createPet a form': fault('DESC-03', (draft) =>
    rename(
      draft,
      `${create}/requestBody/content/application~1json`,
      `${create}/requestBody/content/application~1x-www-form-urlencoded`,
    ),
  ),
  'a list of animals to create': putting(
    'DESC-03',
    `${create}/requestBody/content/application~1json/schema`,
    { type: 'array', items: { $ref: '#/components/schemas/NewPet' } },
  ),
  'a whole Pet to create': putting('DESC-03', `${create}/requestBody/content/application~1json/schema`, {
    $ref: '#/components/schemas/Pet',
  }),
  'a body required to list': putting('DESC-03', `${list}/requestBody`, {
    required: true,
    content: { 'application/json': {} },
  }),
  'status required of a NewPet': putting('DESC-03', `${schemas}/NewPet/required`, [
    'name',
    'categoryId',
    'status',
  ]),
  'a further field required of a NewPet': fault('DESC-03', (draft) => {
    put(draft, `${schemas}/NewPet/required`, ['name', 'categoryId', 'weight']);
    put(draft, `${schemas}/NewPet/properties/weight`, { type: 'number' });
  }),
  'name not required': putting('DESC-03', `${schemas}/NewPet/required`, ['categoryId']),
  'categoryId not required': putting('DESC-03', `${schemas}/NewPet/required`, ['name']),
  'name missing': fault('DESC-03', (draft) => {
    drop(draft, `${schemas}/NewPet/properties/name`);
    put(draft, `${schemas}/NewPet/required`, ['categoryId']);
  }),
  'status missing': dropping('DESC-03', `${schemas}/NewPet/properties/status`),
  'name nullable': putting('DESC-03', `${schemas}/NewPet/properties/name/nullable`, true),
  'name an e-mail address': putting('DESC-03', `${schemas}/NewPet/properties/name/format`, 'email'),
  'name from a list': putting('DESC-03', `${schemas}/NewPet/properties/name/enum`, ['Rex', 'Tom']),
  'categoryId a string': putting('DESC-03', `${schemas}/NewPet/properties/categoryId/type`, 'string'),
  'categoryId of 32 bits': putting('DESC-03', `${schemas}/NewPet/properties/categoryId/format`, 'int32'),
  'categoryId without a format': dropping('DESC-03', `${schemas}/NewPet/properties/categoryId/format`),
  'categoryId up to what a double holds': putting(
    'DESC-03',
    `${schemas}/NewPet/properties/categoryId/maximum`,
    Number.MAX_SAFE_INTEGER,
  ),
  'categoryId read-only': putting('DESC-03', `${schemas}/NewPet/properties/categoryId/readOnly`, true),
  'a fourth status': putting('DESC-03', `${schemas}/PetStatus/enum`, [
    'available',
    'pending',
    'sold',
    'lost',
  ]),
  'only two statuses': putting('DESC-03', `${schemas}/PetStatus/enum`, ['available', 'sold']),
  'statuses in capitals': putting('DESC-03', `${schemas}/PetStatus/enum`, ['AVAILABLE', 'PENDING', 'SOLD']),
  'status any string': dropping('DESC-03', `${schemas}/PetStatus/enum`),
  'status that may be null': putting('DESC-03', `${schemas}/NewPet/properties/status`, {
    type: 'string',
    nullable: true,
    enum: ['available', 'pending', 'sold', null],
  }),
  'status that may be null beside allOf': putting('DESC-03', `${schemas}/NewPet/properties/status`, {
    allOf: [{ $ref: '#/components/schemas/PetStatus' }],
    nullable: true,
  }),
  'id missing': fault('DESC-03', (draft) => put(draft, `${schemas}/Pet/allOf/1`, { type: 'object' })),
  'id not required': dropping('DESC-03', `${schemas}/Pet/allOf/1/required`),
  'id a string': putting('DESC-03', `${schemas}/Pet/allOf/1/properties/id`, {
    type: 'string',
    format: 'uuid',
  }),
  'id without a format': dropping('DESC-03', `${schemas}/Pet/allOf/1/properties/id/format`),
  'id excluded by a closed NewPet': putting('DESC-03', `${schemas}/NewPet/additionalProperties`, false),
  'name write-only': putting('DESC-03', `${schemas}/NewPet/properties/name/writeOnly`, true),
  'a listing within an object': putting('DESC-03', `${schemas}/Pets`, {
    type: 'object',
    properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
  }),
  'a listing of anything': putting('DESC-03', `${schemas}/Pets`, { type: 'array' }),
  'a listing of NewPets': putting('DESC-03', `${schemas}/Pets/items`, {
    $ref: '#/components/schemas/NewPet',
  }),
  'a created NewPet': putting('DESC-03', `${create}/responses/201/content/application~1json/schema`, {
    $ref: '#/components/schemas/NewPet',
  }),
  'a fetched animal without a schema': dropping(
    'DESC-03',
    `${get}/responses/200/content/application~1json/schema`,
  ),
  'an error code that is a number': putting('DESC-03', `${schemas}/Error/properties/code/type`, 'integer'),
  'an error status that is a string': putting('DESC-03', `${schemas}/Error/properties/status/type`, 'string'),
  'an error without a message': fault('DESC-03', (draft) => {
    drop(draft, `${schemas}/Error/properties/message`);
    put(draft, `${schemas}/Error/required`, ['code', 'status']);
  }),
  'an error that requires nothing': dropping('DESC-03', `${schemas}/Error/required`),
  'another error in the 404': putting('DESC-03', '/components/responses/NotFound/content', {
    'application/json': { schema: { type: 'object', properties: { detail: { type: 'string' } } } },
  }),
  'an Error or a text': putting('DESC-03', '/components/responses/BadRequest/content', {
    'application/json': { schema: { oneOf: [{ $ref: '#/components/schemas/Error' }, { type: 'string' }] } },
  }),

  'no security': dropping('DESC-04', '/security'),
  'an open listing': putting('DESC-04', `${list}/security`, []),
  'a credential that may be left out': putting('DESC-04', '/security', [{ bearerAuth: [] }, {}]),
  'basic authentication': putting('DESC-04', `${bearer}/scheme`, 'basic'),
  'an API key header': putting('DESC-04', bearer, { type: 'apiKey', in: 'header', name: 'Authorization' }),
  'OAuth 2': putting('DESC-04', bearer, { type: 'oauth2', flows: {} }),
  'a scheme that is not there': putting('DESC-04', '/security', [{ bearer: [] }]),
  'a second scheme to choose': fault('DESC-04', (draft) => {
    put(draft, '/components/securitySchemes/key', { type: 'apiKey', in: 'query', name: 'key' });
    put(draft, '/security', [{ bearerAuth: [] }, { key: [] }]);
  }),
  'a second scheme besides': fault('DESC-04', (draft) => {
    put(draft, '/components/securitySchemes/tenant', { type: 'apiKey', in: 'header', name: 'X-Tenant' });
    put(draft, '/security', [{ bearerAuth: [], tenant: [] }]);
  }),
  'another bearer scheme for one operation': fault('DESC-04', (draft) => {
    put(draft, '/components/securitySchemes/writer', { type: 'http', scheme: 'bearer' });
    put(draft, `${create}/security`, [{ writer: [] }]);
  }),
  'only two operations secured': fault('DESC-04', (draft) => {
    drop(draft, '/security');
    put(draft, `${list}/security`, [{ bearerAuth: [] }]);
    put(draft, `${create}/security`, [{ bearerAuth: [] }]);
  }),

  'listPets without 401': dropping('DESC-05', `${list}/responses/401`),
  'createPet without 400': dropping('DESC-05', `${create}/responses/400`),
  'getPet without 404': dropping('DESC-05', `${get}/responses/404`),
  'creation with 200': fault('DESC-05', (draft) =>
    rename(draft, `${create}/responses/201`, `${create}/responses/200`),
  ),
  'creation with 201 and no body': dropping('DESC-05', `${create}/responses/201/content`),
  'creation refused with 422 alone': fault('DESC-05', (draft) =>
    rename(draft, `${create}/responses/400`, `${create}/responses/422`),
  ),
  'listPets without 200': dropping('DESC-05', `${list}/responses/200`),
  'no responses of getPet': dropping('DESC-05', `${get}/responses`),
  'an animal as XML': fault('DESC-05', (draft) =>
    rename(
      draft,
      `${get}/responses/200/content/application~1json`,
      `${get}/responses/200/content/application~1xml`,
    ),
  ),
  'a listing of any media type': fault('DESC-05', (draft) =>
    rename(draft, `${list}/responses/200/content/application~1json`, `${list}/responses/200/content/*~1*`),
  ),
  'errors as problem details': fault('DESC-05', (draft) =>
    rename(
      draft,
      '/components/responses/Unauthorized/content/application~1json',
      '/components/responses/Unauthorized/content/application~1problem+json',
    ),
  ),
  'errors without a body': dropping('DESC-05', '/components/responses/NotFound/content'),
  'a default that is not an Error': fault('DESC-05', (draft) => {
    drop(draft, `${list}/responses/401`);
    put(draft, `${list}/responses/default`, {
      description: 'Anything else.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Pets' } } },
    });
  }),

  'a status that may be null, in 3.1': version31((draft) =>
    put(draft, `${schemas}/NewPet/properties/status`, {
      type: ['string', 'null'],
      enum: ['available', 'pending', 'sold', null],
    }),
  ),
  'a status or null, in 3.1': version31((draft) =>
    put(draft, `${schemas}/NewPet/properties/status`, {
      anyOf: [{ $ref: '#/components/schemas/PetStatus' }, { type: 'null' }],
    }),
  ),
  'a status of two constants, in 3.1': version31((draft) =>
    put(draft, `${schemas}/PetStatus`, { oneOf: [{ const: 'available' }, { const: 'sold' }] }),
  ),
  'a limit above 1, in 3.1': version31((draft) =>
    put(draft, limit, { type: 'integer', exclusiveMinimum: 1, maximum: 100, default: 20 }),
  ),
  'an identifier narrowed beside its reference, in 3.1': version31((draft) => {
    put(draft, `${schemas}/Identifier`, { type: 'integer', format: 'int64' });
    put(draft, `${schemas}/NewPet/properties/categoryId`, {
      $ref: '#/components/schemas/Identifier',
      maximum: 2 ** 31 - 1,
    });
  }),
  'a name that is never let through, in 3.1': version31((draft) =>
    put(draft, `${schemas}/NewPet/properties/name`, false),
  ),

  'a version and a deprecation': {
    turns: ['DESC-01', 'DESC-02'],
    edit: (draft) => {
      put(draft, '/info/version', '2.0.0');
      drop(draft, `${get}/deprecated`);
    },
  },
  'nothing at all': {
    turns: ['DESC-01', 'DESC-02'],
    edit: (draft) => {
      put(draft, '/info', {});
      put(draft, '/paths', {});
    },
  },
};
