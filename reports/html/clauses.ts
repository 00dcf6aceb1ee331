import { catalogue } from '../../lib/specification/catalogue.js';

/** A clause of the specification as the annotated report shows it. */
export interface Clause {
  /** As in the catalogue's `clauses`: `4.1`, `8-headers`. A clause that the specification leaves unnumbered has a word. */
  readonly anchor: string;
  readonly title: string;
  /** What the clause says, as short as can be. Backquotes mark code. */
  readonly says: string;
}

// prettier-ignore
export const clauses: readonly Clause[] = [
  { anchor: '1', title: 'What the service does', says: 'A JSON over HTTP API that manages the animals of a pet store. Every operation requires authentication. Each base address ends with the version segment `/v1`.' },
  { anchor: '2', title: 'Resources and their fields', says: 'NewPet, Pet, Pets, PetStatus and Error.' },
  { anchor: '2-newpet', title: 'NewPet', says: '`name`: string, required. `categoryId`: int64, required. `status`: PetStatus, optional.' },
  { anchor: '2-pet', title: 'Pet', says: 'All fields of NewPet, and `id`: int64, required, the unique identifier that the service assigns on creation.' },
  { anchor: '2-pets', title: 'Pets', says: 'A JSON array of Pet objects.' },
  { anchor: '2-petstatus', title: 'PetStatus', says: 'Exactly `available`, `pending`, `sold`.' },
  { anchor: '2-error', title: 'Error', says: '`code`: string. `message`: string. `status`: integer, the HTTP status code of the response. All required.' },
  { anchor: '2-gaps', title: 'Gaps in resource definitions', says: 'Not shown: the category record, and the value of `status` when it is omitted on creation.' },
  { anchor: '3', title: 'States and transitions', says: 'The availability of an animal is its `status`. Transitions: not shown. No operation changes the status of an existing animal.' },
  { anchor: '4', title: 'Endpoints', says: 'All endpoints require the bearer credential. Request and response bodies are `application/json`.' },
  { anchor: '4.1', title: 'List animals', says: '`GET /pets` returns a bare array of Pet. `limit`: integer from 1 to 100, 20 by default. `status`: restricts the result to that PetStatus. How pages after the first are requested is not shown.' },
  { anchor: '4.2', title: 'Add an animal', says: '`POST /pets` with a NewPet. 201: the created Pet with its `id`. 400: the body is missing required fields or contains invalid values.' },
  { anchor: '4.3', title: 'Get an animal (deprecated)', says: '`GET /pets/{petId}`, an int64. 200: the Pet. 404: the animal could not be found. Deprecated, to be removed on 5 December 2030.' },
  { anchor: '5', title: 'Authentication', says: 'Three rules, for every operation.' },
  { anchor: '5.1', title: 'One HTTP bearer scheme', says: 'Every operation is secured with one scheme, applied to the whole service.' },
  { anchor: '5.2', title: 'The form of the credential', says: 'The client passes its API key as `Authorization: Bearer <API_KEY>`.' },
  { anchor: '5.3', title: 'Missing or invalid key', says: 'The service responds `401` with an Error body.' },
  { anchor: '6', title: 'Events', says: 'Not shown. No webhooks or notifications are described.' },
  { anchor: '7', title: 'Errors', says: 'Every error body has the Error shape. 400: `createPet`. 401: all operations. 404: `getPet`. 429: any, body shape not given. The values of `code`: not shown.' },
  { anchor: '8', title: 'Limits', says: 'Page size, and rate limits by plan.' },
  { anchor: '8-page-size', title: 'Page size', says: '`limit` on `GET /pets`: minimum 1, maximum 100, default 20.' },
  { anchor: '8-plans', title: 'Rate limits by plan', says: 'Requests a minute and a day: Free 60 and 1,000; Pro 300 and 10,000; Business 1,000 and 100,000; Enterprise as agreed.' },
  { anchor: '8-headers', title: 'Rate limit headers', says: 'Every response carries `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, a Unix timestamp.' },
  { anchor: '8-exceeded', title: 'Behaviour when the limit is exceeded', says: 'A request over the limit receives `429`. `Retry-After` says how long to wait. A client that keeps sending may have its key banned for a time.' },
  { anchor: '9', title: 'Versioning', says: 'Four rules.' },
  { anchor: '9.1', title: 'Version in the address', says: 'The version is part of the base address: the path prefix is `/v1`.' },
  { anchor: '9.2', title: 'Version of the description', says: 'The interface description carries the version number 1.0.0.' },
  { anchor: '9.3', title: 'Deprecation of `GET /pets/{petId}`', says: 'Deprecated, with removal on 5 December 2030.' },
  { anchor: '9.4', title: 'Policy and negotiation', says: 'Not shown: the general deprecation policy, rules for incompatible changes, version negotiation by header.' },
];

/** The number of the section that a clause belongs to: `4` of `4.1`, `8` of `8-headers`. */
export function sectionOf({ anchor }: Pick<Clause, 'anchor'>): string {
  return /^\d+/.exec(anchor)?.[0] ?? anchor;
}

/** The requirements whose place is this clause, and those that touch it and have their place at another. */
export function requirementsAt({ anchor }: Pick<Clause, 'anchor'>): { here: string[]; see: string[] } {
  const touching = catalogue.filter(({ clauses: [...own] }) => own.some((one) => one === anchor));
  const isHere = ({ clauses: [first] }: (typeof catalogue)[number]): boolean => first === anchor;
  return {
    here: touching.filter(isHere).map(({ id }) => id),
    see: touching.filter((requirement) => !isHere(requirement)).map(({ id }) => id),
  };
}
