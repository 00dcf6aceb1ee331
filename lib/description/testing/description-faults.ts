import type { RequirementId } from '../../specification/catalogue.js';
import { drop, put, rename, type Draft } from './draft.js';

export interface FaultyDescription {
  /** Exactly these requirements turn. */
  readonly turns: readonly RequirementId[];
  /** Makes the fault in the project's own document. */
  readonly edit: (draft: Draft) => void;
}

const list = '/paths/~1pets/get';
const create = '/paths/~1pets/post';
const get = '/paths/~1pets~1{petId}/get';
const schemas = '/components/schemas';
const limit = `${list}/parameters/0/schema`;
const bearer = '/components/securitySchemes/bearerAuth';

type Turns = RequirementId | readonly RequirementId[];

const fault = (turns: Turns, edit: (draft: Draft) => void): FaultyDescription => ({
  turns: [turns].flat(),
  edit,
});
const putting = (turns: Turns, pointer: string, value: unknown) =>
  fault(turns, (draft) => put(draft, pointer, value));
const dropping = (turns: Turns, pointer: string) => fault(turns, (draft) => drop(draft, pointer));

const version31 = (edit: (draft: Draft) => void, turns: Turns = 'DESC-03') =>
  fault(turns, (draft) => {
    put(draft, '/openapi', '3.1.0');
    edit(draft);
  });

/** Small faults by name, each in a description that is otherwise as specified. */
export const faultyDescriptions: Readonly<Record<string, FaultyDescription>> = {
  'another version number': putting('DESC-01', '/info/version', '1.0.1'),
  'a version that is a number': putting('DESC-01', '/info/version', 1),
  'no version': dropping('DESC-01', '/info/version'),

  'listPets missing': dropping('DESC-02', list),
  'getPet missing': dropping('DESC-02', '/paths/~1pets~1{petId}'),
  'createPet as PUT': fault('DESC-02', (draft) => rename(draft, create, '/paths/~1pets/put')),
  'getPet under the singular': fault('DESC-02', (draft) =>
    rename(draft, '/paths/~1pets~1{petId}', '/paths/~1pet~1{petId}'),
  ),
  'createPet without a name': dropping('DESC-02', `${create}/operationId`),
  'getPet not deprecated': dropping('DESC-02', `${get}/deprecated`),
  'listPets deprecated': putting('DESC-02', `${list}/deprecated`, true),
  'servers of another version': putting('DESC-02', '/servers', [{ url: 'https://petstore.example/v2' }]),
  'an operation on a server of its own without the version': putting('DESC-02', `${create}/servers`, [
    { url: 'https://write.petstore.example/' },
  ]),

  'limit missing': dropping('DESC-03', `${list}/parameters/0`),
  'limit required': putting('DESC-03', `${list}/parameters/0/required`, true),
  'limit in the header': putting('DESC-03', `${list}/parameters/0/in`, 'header'),
  'limit a string': putting('DESC-03', `${limit}/type`, 'string'),
  'limit from 0': putting('DESC-03', `${limit}/minimum`, 0),
  'limit above 1': putting('DESC-03', `${limit}/exclusiveMinimum`, true),
  'limit without a maximum': dropping('DESC-03', `${limit}/maximum`),
  'limit with another default': putting('DESC-03', `${limit}/default`, 10),
  'limit without a default': dropping('DESC-03', `${limit}/default`),
  'limit in steps of ten': putting('DESC-03', `${limit}/multipleOf`, 10),
  'status filter missing': dropping('DESC-03', `${list}/parameters/1`),
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
  'petId of 32 bits': putting('DESC-03', `${get}/parameters/0/schema/format`, 'int32'),
  'petId in matrix style': putting('DESC-03', `${get}/parameters/0/style`, 'matrix'),
  'petId called id': fault('DESC-03', (draft) => {
    put(draft, `${get}/parameters/0/name`, 'id');
    rename(draft, '/paths/~1pets~1{petId}', '/paths/~1pets~1{id}');
  }),

  'the body of createPet optional': putting('DESC-03', `${create}/requestBody/required`, false),
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
  'a body required to list': putting('DESC-03', `${list}/requestBody`, {
    required: true,
    content: { 'application/json': {} },
  }),
  'status required of a NewPet': putting('DESC-03', `${schemas}/NewPet/required`, [
    'name',
    'categoryId',
    'status',
  ]),
  'a further field required of a NewPet': fault(['DESC-03', 'DESC-06'], (draft) => {
    put(draft, `${schemas}/NewPet/required`, ['name', 'categoryId', 'weight']);
    put(draft, `${schemas}/NewPet/properties/weight`, { type: 'number' });
  }),
  'categoryId not required': putting('DESC-03', `${schemas}/NewPet/required`, ['name']),
  'name missing': fault('DESC-03', (draft) => {
    drop(draft, `${schemas}/NewPet/properties/name`);
    put(draft, `${schemas}/NewPet/required`, ['categoryId']);
  }),
  'status missing': dropping('DESC-03', `${schemas}/NewPet/properties/status`),
  'name nullable': putting('DESC-03', `${schemas}/NewPet/properties/name/nullable`, true),
  'name an e-mail address': putting(
    ['DESC-03', 'DESC-06'],
    `${schemas}/NewPet/properties/name/format`,
    'email',
  ),
  'categoryId of 32 bits': putting(
    ['DESC-03', 'DESC-06'],
    `${schemas}/NewPet/properties/categoryId/format`,
    'int32',
  ),
  'categoryId without a format': dropping('DESC-03', `${schemas}/NewPet/properties/categoryId/format`),
  'categoryId read-only': putting('DESC-03', `${schemas}/NewPet/properties/categoryId/readOnly`, true),
  'a fourth status': putting('DESC-03', `${schemas}/PetStatus/enum`, [
    'available',
    'pending',
    'sold',
    'lost',
  ]),
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
  'id without a format': dropping('DESC-03', `${schemas}/Pet/allOf/1/properties/id/format`),
  'id excluded by a closed NewPet': putting(
    ['DESC-03', 'DESC-06'],
    `${schemas}/NewPet/additionalProperties`,
    false,
  ),
  'name write-only': putting(['DESC-03', 'DESC-06'], `${schemas}/NewPet/properties/name/writeOnly`, true),
  'a listing within an object': putting(['DESC-03', 'DESC-06'], `${schemas}/Pets`, {
    type: 'object',
    properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
  }),
  'a listing of NewPets': putting('DESC-03', `${schemas}/Pets/items`, {
    $ref: '#/components/schemas/NewPet',
  }),
  'a fetched animal without a schema': dropping(
    'DESC-03',
    `${get}/responses/200/content/application~1json/schema`,
  ),
  'an error status that is a string': putting(
    ['DESC-03', 'DESC-06'],
    `${schemas}/Error/properties/status/type`,
    'string',
  ),
  'an error without a message': fault('DESC-03', (draft) => {
    drop(draft, `${schemas}/Error/properties/message`);
    put(draft, `${schemas}/Error/required`, ['code', 'status']);
  }),
  'an Error or a text': putting('DESC-03', '/components/responses/BadRequest/content', {
    'application/json': { schema: { oneOf: [{ $ref: '#/components/schemas/Error' }, { type: 'string' }] } },
  }),

  'no security': dropping('DESC-04', '/security'),
  'an open listing': putting('DESC-04', `${list}/security`, []),
  'a credential that may be left out': putting('DESC-04', '/security', [{ bearerAuth: [] }, {}]),
  'basic authentication': putting('DESC-04', `${bearer}/scheme`, 'basic'),
  'a scheme that is not there': putting('DESC-04', '/security', [{ bearer: [] }]),
  'a second scheme to choose': fault('DESC-04', (draft) => {
    put(draft, '/components/securitySchemes/key', { type: 'apiKey', in: 'query', name: 'key' });
    put(draft, '/security', [{ bearerAuth: [] }, { key: [] }]);
  }),
  'another bearer scheme for one operation': fault('DESC-04', (draft) => {
    put(draft, '/components/securitySchemes/writer', { type: 'http', scheme: 'bearer' });
    put(draft, `${create}/security`, [{ writer: [] }]);
  }),

  'listPets without 401': dropping(['DESC-05', 'DESC-06'], `${list}/responses/401`),
  'getPet without 404': dropping(['DESC-05', 'DESC-06'], `${get}/responses/404`),
  'creation with 200': fault(['DESC-05', 'DESC-06'], (draft) =>
    rename(draft, `${create}/responses/201`, `${create}/responses/200`),
  ),
  'no responses of getPet': dropping(['DESC-05', 'DESC-06'], `${get}/responses`),
  'a listing of any media type': fault('DESC-05', (draft) =>
    rename(draft, `${list}/responses/200/content/application~1json`, `${list}/responses/200/content/*~1*`),
  ),
  'errors as problem details': fault(['DESC-05', 'DESC-06'], (draft) =>
    rename(
      draft,
      '/components/responses/Unauthorized/content/application~1json',
      '/components/responses/Unauthorized/content/application~1problem+json',
    ),
  ),
  'a default that is not an Error': fault(['DESC-03', 'DESC-06'], (draft) => {
    drop(draft, `${list}/responses/401`);
    put(draft, `${list}/responses/default`, {
      description: 'Anything else.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Pets' } } },
    });
  }),

  'a further field promised that the service does not send': fault('DESC-06', (draft) => {
    put(draft, `${schemas}/Pet/allOf/1/required`, ['id', 'createdAt', 'status']);
    put(draft, `${schemas}/Pet/allOf/1/properties/createdAt`, { type: 'string', format: 'date-time' });
  }),
  'other error codes than those of the service': putting('DESC-06', `${schemas}/Error/properties/code`, {
    type: 'string',
    enum: ['E1', 'E2'],
  }),
  'categories from 1, which the service does not keep to': putting(
    'DESC-06',
    `${schemas}/NewPet/properties/categoryId/minimum`,
    1,
  ),

  'a status that may be null, in 3.1': version31((draft) =>
    put(draft, `${schemas}/NewPet/properties/status`, {
      type: ['string', 'null'],
      enum: ['available', 'pending', 'sold', null],
    }),
  ),
  'a status of two constants, in 3.1': version31(
    (draft) => put(draft, `${schemas}/PetStatus`, { oneOf: [{ const: 'available' }, { const: 'sold' }] }),
    ['DESC-03', 'DESC-06'],
  ),
  'a limit above 1, in 3.1': version31((draft) =>
    put(draft, limit, { type: 'integer', exclusiveMinimum: 1, maximum: 100, default: 20 }),
  ),

  'a version and a deprecation': {
    turns: ['DESC-01', 'DESC-02'],
    edit: (draft) => {
      put(draft, '/info/version', '2.0.0');
      drop(draft, `${get}/deprecated`);
    },
  },
};
