import { drop, put, rename, type Draft } from './draft.js';

const list = '/paths/~1pets/get';
const create = '/paths/~1pets/post';
const get = '/paths/~1pets~1{petId}/get';
const schemas = '/components/schemas';
const limit = `${list}/parameters/0/schema`;
const json = (schema: unknown) => ({ 'application/json': { schema } });
const errorResponse = (description: string) => ({
  description,
  content: json({ $ref: '#/components/schemas/Error' }),
});

/** What may be added to the project's own document, or said in another way, without saying less or other. */
export const conformingEdits: Readonly<Record<string, (draft: Draft) => void>> = {
  'nothing changed': () => {},
  'the version in the paths': (draft) => {
    put(draft, '/servers', [{ url: 'https://petstore.example' }]);
    rename(draft, '/paths/~1pets', '/paths/~1v1~1pets');
    rename(draft, '/paths/~1pets~1{petId}', '/paths/~1v1~1pets~1{petId}');
  },
  'a relative server with a slash at its end': (draft) => put(draft, '/servers', [{ url: '/store/v1/' }]),
  'a server with a variable for its version': (draft) =>
    put(draft, '/servers', [
      { url: 'https://petstore.example/{version}', variables: { version: { default: 'v1' } } },
    ]),
  'servers for each path': (draft) => {
    drop(draft, '/servers');
    put(draft, '/paths/~1pets/servers', [{ url: 'https://petstore.example/v1' }]);
    put(draft, '/paths/~1pets~1{petId}/servers', [{ url: 'https://petstore.example/v1' }]);
  },
  'parameters of the path': (draft) =>
    rename(draft, `${get}/parameters`, '/paths/~1pets~1{petId}/parameters'),
  'parameters of the path that the operation states anew': (draft) =>
    put(draft, '/paths/~1pets/parameters', [
      { name: 'limit', in: 'query', schema: { type: 'string' } },
      { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
    ]),
  'bounds that are exclusive': (draft) =>
    put(draft, limit, {
      type: 'integer',
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 101,
      exclusiveMaximum: true,
      default: 20,
    }),
  'a filter that may be null, as a query cannot be': (draft) =>
    put(draft, `${list}/parameters/1/schema`, {
      allOf: [{ $ref: '#/components/schemas/PetStatus' }],
      nullable: true,
      default: null,
    }),
  'the enumeration in another order': (draft) =>
    put(draft, `${schemas}/PetStatus/enum`, ['sold', 'available', 'pending']),
  'identifiers that begin at 1': (draft) => {
    put(draft, `${schemas}/Pet/allOf/1/properties/id/minimum`, 1);
    put(draft, `${get}/parameters/0/schema/minimum`, 1);
  },
  'further optional fields': (draft) => {
    put(draft, `${schemas}/NewPet/properties/photoUrls`, { type: 'array', items: { type: 'string' } });
    put(draft, `${schemas}/Error/properties/details`, { type: 'object', nullable: true });
  },
  'a status promised with each animal': (draft) =>
    put(draft, `${schemas}/Pet/allOf/1/required`, ['id', 'status']),
  'a list of error codes': (draft) =>
    put(draft, `${schemas}/Error/properties/code`, {
      type: 'string',
      enum: ['invalid_body', 'unauthorized', 'not_found', 'invalid_parameter'],
      maxLength: 20,
    }),
  'an error status of its own for each': (draft) =>
    put(draft, `${schemas}/Error/properties/status/enum`, [400, 401, 404]),
  'a pattern of names that excludes nothing': (draft) =>
    put(draft, `${schemas}/NewPet/properties/name/pattern`, '[\\w\\W\\-]*'),
  'one schema for both directions': (draft) => {
    put(draft, `${schemas}/Pet`, {
      type: 'object',
      required: ['id', 'name', 'categoryId'],
      properties: {
        id: { type: 'integer', format: 'int64', readOnly: true },
        name: { type: 'string' },
        categoryId: { type: 'integer', format: 'int64' },
        status: { $ref: '#/components/schemas/PetStatus' },
      },
    });
    put(draft, `${create}/requestBody/content`, json({ $ref: '#/components/schemas/Pet' }));
  },
  'an animal that is one of two alike': (draft) => {
    put(draft, `${schemas}/Puppy`, {
      allOf: [
        { $ref: '#/components/schemas/Pet' },
        { type: 'object', properties: { weeks: { type: 'integer' } } },
      ],
    });
    put(draft, `${schemas}/Pets/items`, {
      oneOf: [{ $ref: '#/components/schemas/Pet' }, { $ref: '#/components/schemas/Puppy' }],
    });
  },
  'a media type with a parameter': (draft) => {
    const content = `${create}/requestBody/content`;
    rename(draft, `${content}/application~1json`, `${content}/Application~1JSON; charset=utf-8`);
  },
  'other media types besides': (draft) => {
    put(draft, `${list}/responses/200/content/text~1csv`, { schema: { type: 'string' } });
    put(draft, `${create}/requestBody/content/application~1xml`, { schema: {} });
  },
  'further responses': (draft) => {
    put(draft, `${create}/responses/422`, { description: 'Unprocessable.' });
    put(draft, `${get}/responses/410`, { description: 'Gone.' });
    put(draft, `${list}/responses/500`, errorResponse('Broken.'));
    put(draft, `${list}/responses/400`, errorResponse('A query that is out of range.'));
    put(draft, `${get}/responses/304`, { description: 'As before.' });
  },
  'no response 429 and no headers': (draft) => {
    drop(draft, `${list}/responses/429`);
    drop(draft, `${list}/responses/200/headers`);
  },
  'refusals as a range': (draft) => {
    drop(draft, `${create}/responses/400`);
    drop(draft, `${create}/responses/401`);
    put(draft, `${create}/responses/4XX`, errorResponse('Refused.'));
  },
  'security for each operation': (draft) => {
    drop(draft, '/security');
    for (const operation of [list, create, get]) put(draft, `${operation}/security`, [{ bearerAuth: [] }]);
  },
  'Bearer in capitals, with a format': (draft) => {
    put(draft, '/components/securitySchemes/bearerAuth', {
      type: 'http',
      scheme: 'Bearer',
      bearerFormat: 'API key',
    });
  },
  'further operations': (draft) => {
    put(draft, '/paths/~1orders', {
      get: { operationId: 'listOrders', deprecated: true, responses: { '200': { description: 'Orders.' } } },
    });
    put(draft, '/paths/~1health', { get: { security: [], responses: { '200': { description: 'Well.' } } } });
    put(draft, '/paths/~1pets~1{petId}/delete', {
      operationId: 'deletePet',
      responses: { '204': { description: 'Removed.' } },
    });
  },
};
