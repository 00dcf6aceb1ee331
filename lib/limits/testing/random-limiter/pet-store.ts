import type { IncomingMessage } from 'node:http';

/** What a service answers, apart from its headers. */
export interface Answer {
  readonly status: number;
  readonly content: unknown;
}

const statuses: ReadonlySet<unknown> = new Set(['available', 'pending', 'sold']);

/** The Error body of a status. */
export function errorAnswer(status: number, code: string): Answer {
  return { status, content: { code, message: code.replaceAll('-', ' '), status } };
}

/** The three operations on animals, without limits and keys: as much as the limit probes ask for. */
export class PetStore {
  readonly #animals: Array<Readonly<Record<string, unknown>>> = [];

  /** The 400 of a body that the specification refuses; undefined if there is nothing wrong. */
  refusal({ method }: IncomingMessage, body: string): Answer | undefined {
    if (method !== 'POST') return undefined;
    const newPet = parsed(body);
    const isValid =
      newPet !== undefined &&
      typeof newPet['name'] === 'string' &&
      Number.isInteger(newPet['categoryId']) &&
      (newPet['status'] === undefined || statuses.has(newPet['status']));
    return isValid ? undefined : errorAnswer(400, 'invalid-body');
  }

  /** Performs a request whose body is valid. */
  answer({ method, url = '' }: IncomingMessage, body: string): Answer {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (method === 'POST' && pathname === '/v1/pets') {
      const { name, categoryId, status = 'available' } = parsed(body) ?? {};
      const animal = { id: this.#animals.length + 1, name, categoryId, status };
      this.#animals.push(animal);
      return { status: 201, content: animal };
    }
    if (method === 'GET' && pathname === '/v1/pets') {
      const status = searchParams.get('status');
      const limit = Math.min(100, Math.max(1, Number(searchParams.get('limit') ?? 20) || 20));
      const matching = this.#animals.filter((one) => status === null || one['status'] === status);
      return { status: 200, content: matching.toReversed().slice(0, limit) };
    }
    const id = /^\/v1\/pets\/(?<id>[^/]+)$/.exec(pathname)?.groups?.['id'];
    const animal = this.#animals.find((one) => method === 'GET' && String(one['id']) === id);
    return animal ? { status: 200, content: animal } : errorAnswer(404, 'not-found');
  }
}

function parsed(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
