import type { RequirementId } from '../../lib/specification/catalogue.js';

/**
 * The specification as an auditor reads it: its sections in order, and each requirement of the catalogue at the one
 * clause that it stands on. What only an RFC asks stands at the clause that it sharpens.
 */
export interface Clause {
  /** Unique, usable as an anchor: `4.1`, `8-headers`. */
  readonly anchor: string;
  /** The specification's own number; absent for a passage that it leaves unnumbered. */
  readonly number?: string;
  readonly title: string;
  /** What the clause says, as short as can be. Backticks mark code. */
  readonly says: string;
  /** The requirements whose place this is. */
  readonly requirements: readonly RequirementId[];
  /** Requirements that touch this clause and stand at another. */
  readonly see?: readonly RequirementId[];
  readonly clauses?: readonly Clause[];
}

export const specificationOutline: readonly Clause[] = [
  {
    anchor: '1',
    number: '1',
    title: 'What the service does',
    says: 'A JSON over HTTP API that manages the animals of a pet store. Every operation requires authentication. Each base address ends with the version segment `/v1`.',
    requirements: ['VERSION-01'],
    see: ['AUTH-06'],
  },
  {
    anchor: '2',
    number: '2',
    title: 'Resources and their fields',
    says: 'NewPet, Pet, Pets, PetStatus and Error.',
    requirements: [],
    see: ['DESC-03'],
    clauses: [
      {
        anchor: '2-newpet',
        title: 'NewPet',
        says: '`name`: string, required. `categoryId`: int64, required. `status`: PetStatus, not required.',
        requirements: ['CREATE-02', 'CREATE-07', 'CREATE-08', 'CREATE-09', 'CREATE-12', 'CREATE-13'],
      },
      {
        anchor: '2-pet',
        title: 'Pet',
        says: 'All fields of NewPet, and `id`: int64, required, the unique identifier that the service assigns on creation.',
        requirements: ['PET-01', 'CREATE-04', 'CREATE-14', 'LIST-09'],
        see: ['LIST-10'],
      },
      {
        anchor: '2-pets',
        title: 'Pets',
        says: 'A JSON array of Pet objects.',
        requirements: [],
        see: ['LIST-01'],
      },
      {
        anchor: '2-petstatus',
        title: 'PetStatus',
        says: 'Exactly `available`, `pending`, `sold`.',
        requirements: ['PET-02', 'CREATE-03'],
      },
      {
        anchor: '2-error',
        title: 'Error',
        says: '`code`: string. `message`: string. `status`: integer, the HTTP status code of the response. All required.',
        requirements: ['ERR-02', 'ERR-03'],
        see: ['ERR-01'],
      },
      {
        anchor: '2-gaps',
        title: 'Gaps in resource definitions',
        says: 'Not shown: the category record, and the value of `status` when it is omitted on creation.',
        requirements: [],
        see: ['CREATE-15'],
      },
    ],
  },
  {
    anchor: '3',
    number: '3',
    title: 'States and transitions',
    says: 'The availability of an animal is its `status`. Transitions: not shown. No operation changes the status of an existing animal.',
    requirements: [],
    see: ['PET-02', 'CREATE-03'],
  },
  {
    anchor: '4',
    number: '4',
    title: 'Endpoints',
    says: 'All endpoints require the bearer credential. Request and response bodies are `application/json`.',
    requirements: ['MEDIA-01', 'ROBUST-01', 'ROBUST-02', 'DESC-02', 'DESC-03', 'DESC-05'],
    clauses: [
      {
        anchor: '4.1',
        number: '4.1',
        title: 'List animals',
        says: '`GET /pets` returns a bare array of Pet. `limit`: integer from 1 to 100, 20 by default. `status`: restricts the result to that PetStatus. How pages after the first are asked for is not shown.',
        requirements: [
          'LIST-01',
          'LIST-02',
          'LIST-03',
          'LIST-04',
          'LIST-05',
          'LIST-06',
          'LIST-07',
          'LIST-08',
          'LIST-10',
          'LIST-11',
          'LIST-12',
          'LIST-13',
          'DEP-03',
        ],
        see: ['LIST-09'],
      },
      {
        anchor: '4.2',
        number: '4.2',
        title: 'Add an animal',
        says: '`POST /pets` with a NewPet. 201: the created Pet with its `id`. 400: the body is missing required fields or contains invalid values.',
        requirements: ['CREATE-01', 'CREATE-05', 'CREATE-06', 'CREATE-10', 'CREATE-11', 'CREATE-15'],
        see: ['DEP-03'],
      },
      {
        anchor: '4.3',
        number: '4.3',
        title: 'Get an animal (deprecated)',
        says: '`GET /pets/{petId}`, an int64. 200: the Pet. 404: the animal could not be found. Deprecated, to be removed on 5 December 2030.',
        requirements: ['GET-01', 'GET-02', 'GET-03', 'GET-04', 'GET-05', 'GET-06', 'DEP-01', 'DEP-02'],
      },
    ],
  },
  {
    anchor: '5',
    number: '5',
    title: 'Authentication',
    says: 'Three rules, for every operation.',
    requirements: [],
    clauses: [
      {
        anchor: '5.1',
        number: '5.1',
        title: 'One HTTP bearer scheme',
        says: 'Every operation is secured with one scheme, applied to the whole service.',
        requirements: ['DESC-04'],
      },
      {
        anchor: '5.2',
        number: '5.2',
        title: 'The form of the credential',
        says: 'The client passes its API key as `Authorization: Bearer <API_KEY>`.',
        requirements: ['AUTH-03', 'AUTH-04', 'AUTH-08'],
      },
      {
        anchor: '5.3',
        number: '5.3',
        title: 'Missing or invalid key',
        says: 'The service responds `401` with an Error body.',
        requirements: ['AUTH-01', 'AUTH-02', 'AUTH-05', 'AUTH-06', 'AUTH-07'],
      },
    ],
  },
  {
    anchor: '6',
    number: '6',
    title: 'Events',
    says: 'Not shown. No webhooks or notifications are described.',
    requirements: [],
  },
  {
    anchor: '7',
    number: '7',
    title: 'Errors',
    says: 'Every error body has the Error shape. 400: `createPet`. 401: all operations. 404: `getPet`. 429: any, body shape not given. The values of `code`: not shown.',
    requirements: ['ERR-01', 'ERR-04', 'ERR-05'],
    see: [
      'AUTH-01',
      'AUTH-02',
      'CREATE-05',
      'CREATE-06',
      'CREATE-07',
      'CREATE-08',
      'CREATE-09',
      'CREATE-10',
      'GET-02',
      'DESC-05',
    ],
  },
  {
    anchor: '8',
    number: '8',
    title: 'Limits',
    says: 'Page size, and rate limits by plan.',
    requirements: [],
    clauses: [
      {
        anchor: '8-page-size',
        title: 'Page size',
        says: '`limit` on `GET /pets`: minimum 1, maximum 100, default 20.',
        requirements: [],
        see: ['LIST-02', 'LIST-03', 'LIST-05'],
      },
      {
        anchor: '8-plans',
        title: 'Rate limits by plan',
        says: 'Requests a minute and a day: Free 60 and 1,000; Pro 300 and 10,000; Business 1,000 and 100,000; Enterprise as agreed.',
        requirements: ['LIMIT-01', 'LIMIT-03', 'LIMIT-08', 'LIMIT-09', 'LIMIT-10', 'LIMIT-11', 'LIMIT-13'],
      },
      {
        anchor: '8-headers',
        title: 'Rate limit headers',
        says: 'Every response carries `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, a Unix timestamp.',
        requirements: ['RATE-01', 'RATE-02', 'RATE-03', 'RATE-04', 'RATE-05', 'LIMIT-14'],
      },
      {
        anchor: '8-exceeded',
        title: 'Behaviour when the limit is exceeded',
        says: 'A request over the limit receives `429`. `Retry-After` says how long to wait. A client that keeps sending may have its key banned for a time.',
        requirements: ['LIMIT-02', 'LIMIT-04', 'LIMIT-05', 'LIMIT-06', 'LIMIT-07', 'LIMIT-12'],
      },
    ],
  },
  {
    anchor: '9',
    number: '9',
    title: 'Versioning',
    says: 'Four rules.',
    requirements: [],
    clauses: [
      {
        anchor: '9.1',
        number: '9.1',
        title: 'Version in the address',
        says: 'The version is part of the base address: the path prefix is `/v1`.',
        requirements: [],
        see: ['VERSION-01'],
      },
      {
        anchor: '9.2',
        number: '9.2',
        title: 'Version of the description',
        says: 'The interface description carries the version number 1.0.0.',
        requirements: ['DESC-01'],
      },
      {
        anchor: '9.3',
        number: '9.3',
        title: 'Deprecation of `GET /pets/{petId}`',
        says: 'Deprecated, with removal on 5 December 2030.',
        requirements: [],
        see: ['GET-04', 'GET-05', 'DEP-02', 'DESC-02'],
      },
      {
        anchor: '9.4',
        number: '9.4',
        title: 'Policy and negotiation',
        says: 'Not shown: the general deprecation policy, rules for incompatible changes, version negotiation by header.',
        requirements: [],
      },
    ],
  },
];

/** Every clause with its clauses below it, in reading order. */
export function allClauses(clauses: readonly Clause[] = specificationOutline): Clause[] {
  return clauses.flatMap((clause) => [clause, ...allClauses(clause.clauses ?? [])]);
}
