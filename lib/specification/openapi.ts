/**
 * The Pet Store Service as an OpenAPI 3.0.3 document. It is written by hand from the specification and not generated
 * from the schemas in this folder, so that the tests can check each against the other.
 */

const sectionOf = (section: string) => `Section ${section} of the specification.`;

const json = (name: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});

/** Section 8: every response carries these three. */
const rateLimitHeaders = {
  'X-RateLimit-Limit': { $ref: '#/components/headers/X-RateLimit-Limit' },
  'X-RateLimit-Remaining': { $ref: '#/components/headers/X-RateLimit-Remaining' },
  'X-RateLimit-Reset': { $ref: '#/components/headers/X-RateLimit-Reset' },
} as const;

const unauthorized = { $ref: '#/components/responses/Unauthorized' } as const;
const tooManyRequests = { $ref: '#/components/responses/TooManyRequests' } as const;

export const openApiDocument = {
  openapi: '3.0.3',
  info: {
    title: 'Pet Store Service',
    version: '1.0.0',
    description:
      'Lists, adds and fetches the animals of a pet store. Every operation requires authentication.',
  },
  servers: [
    {
      url: '{base_url}',
      description: 'Production. The base address ends with the version segment.',
      variables: { base_url: { default: 'https://petstore.example/v1' } },
    },
    {
      url: '{staging_base_url}',
      description: 'Staging. The base address ends with the version segment.',
      variables: { staging_base_url: { default: 'https://staging.petstore.example/v1' } },
    },
  ],
  security: [{ bearerAuth: [] }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'List animals',
        description: sectionOf('4.1'),
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: false,
            description: 'Maximum number of animals returned.',
            schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          },
          {
            name: 'status',
            in: 'query',
            required: false,
            description: 'Restricts the result to animals with this availability status.',
            schema: { $ref: '#/components/schemas/PetStatus' },
          },
        ],
        responses: {
          '200': { description: 'A page of animals.', headers: rateLimitHeaders, content: json('Pets') },
          '401': unauthorized,
          '429': tooManyRequests,
        },
      },
      post: {
        operationId: 'createPet',
        summary: 'Add an animal',
        description: sectionOf('4.2'),
        requestBody: { required: true, content: json('NewPet') },
        responses: {
          '201': { description: 'The created animal.', headers: rateLimitHeaders, content: json('Pet') },
          '400': { $ref: '#/components/responses/BadRequest' },
          '401': unauthorized,
          '429': tooManyRequests,
        },
      },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        summary: 'Get an animal',
        description: `${sectionOf('4.3')} To be removed on 5 December 2030: use \`GET /pets\` with the \`status\` filter instead.`,
        deprecated: true,
        parameters: [
          {
            name: 'petId',
            in: 'path',
            required: true,
            description: 'Identifier of the animal.',
            schema: { type: 'integer', format: 'int64' },
          },
        ],
        responses: {
          '200': { description: 'The animal.', headers: rateLimitHeaders, content: json('Pet') },
          '401': unauthorized,
          '404': { $ref: '#/components/responses/NotFound' },
          '429': tooManyRequests,
        },
      },
    },
  },
  components: {
    securitySchemes: {
      bearerAuth: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
    },
    schemas: {
      PetStatus: {
        type: 'string',
        enum: ['available', 'pending', 'sold'],
        description: 'Availability of an animal.',
      },
      NewPet: {
        type: 'object',
        required: ['name', 'categoryId'],
        properties: {
          name: { type: 'string', description: "The animal's name." },
          categoryId: {
            type: 'integer',
            format: 'int64',
            description: 'Identifier of the category the animal belongs to.',
          },
          status: { $ref: '#/components/schemas/PetStatus' },
        },
      },
      Pet: {
        allOf: [
          { $ref: '#/components/schemas/NewPet' },
          {
            type: 'object',
            required: ['id'],
            properties: {
              id: {
                type: 'integer',
                format: 'int64',
                description: 'Unique identifier assigned by the service on creation.',
              },
            },
          },
        ],
      },
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
      Error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        properties: {
          code: { type: 'string', description: 'Machine-readable error code.' },
          message: { type: 'string', description: 'Human-readable description.' },
          status: { type: 'integer', description: 'The HTTP status code of the response.' },
        },
      },
    },
    headers: {
      'X-RateLimit-Limit': {
        description: 'The limit in force for the caller.',
        schema: { type: 'integer', minimum: 1 },
      },
      'X-RateLimit-Remaining': {
        description: 'Requests remaining in the current window.',
        schema: { type: 'integer', minimum: 0 },
      },
      'X-RateLimit-Reset': {
        description: 'Unix timestamp at which the limit resets.',
        schema: { type: 'integer', format: 'int64' },
      },
      'Retry-After': {
        description: 'How long to wait before retrying: seconds, or an HTTP date.',
        schema: { type: 'string' },
      },
    },
    responses: {
      BadRequest: {
        description: 'The body is missing required fields or contains invalid values.',
        headers: rateLimitHeaders,
        content: json('Error'),
      },
      Unauthorized: {
        description: 'The API key is missing or invalid.',
        headers: rateLimitHeaders,
        content: json('Error'),
      },
      NotFound: {
        description: 'The animal could not be found.',
        headers: rateLimitHeaders,
        content: json('Error'),
      },
      TooManyRequests: {
        description: 'The rate limit is exceeded. The specification gives its body no shape.',
        headers: { ...rateLimitHeaders, 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
      },
    },
  },
} as const;
