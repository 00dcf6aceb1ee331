import { describe, expect, it } from 'vitest';
import type { Fact, Finding, RequirementResult } from '../evidence/record/record.js';
import { requirementRow, type RequirementId } from '../specification/catalogue.js';
import { causesOf, recordedCauses } from './causes.js';
import { notTestedResult } from './judgement.js';

let made = 0;

function finding(fact?: Fact, more: Partial<Finding> = {}): Finding {
  made += 1;
  return { message: `finding ${made}`, exchanges: [`e${made}`], ...(fact && { fact }), ...more };
}

function failed(id: RequirementId, ...findings: readonly Finding[]): RequirementResult {
  const verdict = requirementRow(id).level === 'MUST' ? 'fail' : 'warn';
  return { ...notTestedResult(id, ''), verdict, findings: [...findings] };
}

function open(id: RequirementId, reason: string, ...leftTo: readonly RequirementId[]): RequirementResult {
  return { ...notTestedResult(id, reason), verdict: 'inconclusive', leftTo: [...leftTo] };
}

function status(operation: string, expected: number, received: number): Fact {
  return { kind: 'status', operation, expected: [expected], status: received };
}

function header(name: string, status: number, operation = 'listPets'): Fact {
  return { kind: 'header', header: name, problem: 'missing', operation, status };
}

/** The requirements of each cause. */
function idsOf(...results: readonly RequirementResult[]): string[] {
  return causesOf(results).map((cause) => cause.results.map(({ id }) => id).join(' '));
}

/** A limiter with a deviation, and a request that it rejects after the wait that it named. */
function ofLimiter(deviation: string): RequirementResult[] {
  const limiter: Fact = { kind: 'limiter', deviation, says: 'is wrong', status: 200 };
  const rejected: Fact = { kind: 'response', operation: 'listPets', status: 429 };
  return [failed('LIMIT-05', finding(rejected)), failed('LIMIT-09', finding(limiter))];
}

const documented: Fact = { kind: 'status', operation: 'createPet', expected: [201, 400, 401], status: 422 };

describe('one cause', () => {
  it('is one status in the place of another, whichever requirements expect it', () => {
    const [cause, ...others] = causesOf([
      failed('CREATE-05', finding(status('createPet', 400, 422))),
      failed('CREATE-08', finding(status('createPet', 400, 422)), finding(status('createPet', 400, 422))),
      failed('ROBUST-01', finding(documented)),
    ]);
    expect(others).toEqual([]);
    expect(cause).toMatchObject({ id: 'CREATE-05', message: cause?.findings[0]?.finding.message });
    expect(cause?.results.map(({ id }) => id)).toEqual(['CREATE-05', 'CREATE-08', 'ROBUST-01']);
  });

  it('is headers that are missing from the same responses', () => {
    const [limit, reset] = ['X-RateLimit-Limit', 'X-RateLimit-Reset'];
    expect(
      idsOf(
        failed('RATE-01', finding(header(limit, 401)), finding(header(limit, 401, 'getPet'))),
        failed('RATE-03', finding(header(reset, 401)), finding(header(reset, 401, 'getPet'))),
      ),
    ).toEqual(['RATE-01 RATE-03']);
  });

  it('is fields that are missing from the same animals, and what is compared with them', () => {
    const lacks = (field: string): Finding => {
      const exchanges = Array.from({ length: 20 }, (_one, index) => `e9${index}`);
      const fact: Fact = {
        kind: 'body',
        form: 'Pet',
        field,
        operation: 'createPet',
        status: 201,
        value: 'absent',
      };
      return finding(fact, { exchanges, occurrences: 90 });
    };
    const lost = finding({ kind: 'value', field: 'categoryId', operation: 'createPet', status: 201 });
    // A finding lists twenty exchanges: the one of the other may be among the rest.
    expect(idsOf(failed('CREATE-12', lost), failed('PET-01', lacks('name'), lacks('categoryId')))).toEqual([
      'PET-01 CREATE-12',
    ]);
  });

  it('is no status that other responses than those of an effect show, many as they are', () => {
    const exchanges = Array.from({ length: 20 }, (_one, index) => `e8${index}`);
    const body: Fact = { kind: 'body', form: 'Error', field: '', operation: 'createPet', status: 401 };
    expect(
      idsOf(
        failed('ROBUST-01', finding(documented, { exchanges, occurrences: 90 })),
        failed('ERR-01', finding(body)),
      ),
    ).toEqual(['ROBUST-01', 'ERR-01']);
  });

  it('is a name that cannot be written again, for its creation and each listing after it', () => {
    const spoilt = (operation: string, expected: readonly number[]): Fact => {
      return { kind: 'status', operation, expected: [...expected], status: 500, value: 'lone surrogate' };
    };
    const [cause, ...others] = causesOf([
      failed('LIST-07', finding(status('listPets', 200, 500))),
      failed('ROBUST-01', finding(spoilt('listPets', [200, 401])), finding(spoilt('createPet', [201, 400]))),
    ]);
    expect(others).toEqual([]);
    expect(cause?.id).toBe('ROBUST-01');
  });

  it('is no bad number that is accepted, if good ones are rounded, too', () => {
    const accepted = finding(status('createPet', 400, 201), { exchanges: ['e1'] });
    const number = { field: 'categoryId', operation: 'createPet', status: 201 } as const;
    const beyond = finding(
      { kind: 'body', form: 'Pet', value: 'beyond int64', ...number },
      { exchanges: ['e1'] },
    );
    const rounded = finding({ kind: 'value', ...number });
    expect(
      idsOf(failed('CREATE-08', accepted), failed('CREATE-12', rounded), failed('PET-01', beyond)),
    ).toEqual(['CREATE-08 PET-01', 'CREATE-12']);
  });

  it('is a redirect, whatever was expected', () => {
    expect(
      idsOf(
        failed('LIST-01', finding(status('listPets', 200, 301))),
        failed('CREATE-01', finding(status('createPet', 201, 301))),
      ),
    ).toEqual(['LIST-01 CREATE-01']);
  });

  it('is one field of the wrong type, wherever it is shown', () => {
    const wrong: Fact = { kind: 'body', form: 'Pet', field: 'name', operation: 'listPets', status: 200 };
    const shown: Fact = { kind: 'value', field: 'name', operation: 'listPets', status: 200 };
    expect(
      idsOf(
        failed('LIST-10', finding(shown, { exchanges: ['e1', 'e2'] })),
        failed('PET-01', finding(wrong, { exchanges: ['e2'] })),
      ),
    ).toEqual(['PET-01 LIST-10']);
  });

  it('is a window that ends later than a Retry-After said', () => {
    expect(idsOf(...ofLimiter('window'))).toEqual(['LIMIT-09 LIMIT-05']);
  });

  it('is shown by the finding with the shortest command', () => {
    const [cause] = causesOf([
      failed(
        'CREATE-05',
        finding(status('createPet', 400, 500), { reproduce: 'curl long' }),
        finding(status('createPet', 400, 500), { reproduce: 'curl', exchanges: ['e7'] }),
      ),
    ]);
    expect(cause?.findings[0]?.finding).toMatchObject({ reproduce: 'curl', exchanges: ['e7'] });
  });
});

it('a command that can be read is shown before a shorter one with escapes', () => {
  const [cause] = causesOf([
    failed(
      'CREATE-05',
      finding(status('createPet', 400, 500), { reproduce: String.raw`curl '\u0052'` }),
      finding(status('createPet', 400, 500), { reproduce: 'curl --data-raw Rex' }),
    ),
  ]);
  expect(cause?.findings[0]?.finding.reproduce).toBe('curl --data-raw Rex');
});

describe('a value that is changed', () => {
  const changed = (): Finding =>
    finding({ kind: 'value', field: 'name', operation: 'createPet', status: 201 });

  it('wherever it is sent is one cause', () => {
    expect(idsOf(failed('CREATE-13', changed()), failed('CREATE-01', changed()))).toEqual([
      'CREATE-01 CREATE-13',
    ]);
  });

  it('until it is beyond int64 is told as the change; one that never was an int64 is not', () => {
    const beyond: Fact = {
      kind: 'body',
      form: 'Pet',
      field: 'categoryId',
      operation: 'createPet',
      status: 201,
    };
    const rounded = finding(
      { ...beyond, kind: 'value', value: 'rounded as a double' },
      {
        exchanges: ['e1'],
      },
    );
    const told = (fact: Fact): string[] =>
      idsOf(failed('PET-01', finding(fact, { exchanges: ['e1'] })), failed('CREATE-12', rounded));
    expect(told({ ...beyond, value: 'beyond int64' })).toEqual(['CREATE-12 PET-01']);
    expect(told(beyond)).toEqual(['PET-01 CREATE-12']);
  });
});

describe('the finding that tells a cause', () => {
  const shownBy = (...results: readonly RequirementResult[]): string | undefined =>
    causesOf(results)[0]?.findings[0]?.result.id;

  it('is of a MUST, whatever explains it', () => {
    const results = [
      failed('LIST-04', finding({ kind: 'response', parameters: 'status' })),
      failed('LIST-08', finding({ kind: 'response', parameters: 'status' })),
    ];
    expect(shownBy(...results)).toBe('LIST-08');
  });

  it('is the one that most responses show', () => {
    const few = finding(status('createPet', 400, 422));
    const many = finding(status('createPet', 400, 422), { occurrences: 7 });
    expect(shownBy(failed('CREATE-05', few), failed('CREATE-08', many))).toBe('CREATE-08');
  });

  it('is a 500, and not the headers that it lacks', () => {
    const [cause, ...others] = causesOf([
      failed('RATE-01', finding(header('X-RateLimit-Limit', 500, 'createPet'), { occurrences: 9 })),
      failed('ROBUST-01', finding({ ...documented, status: 500 })),
    ]);
    expect(others).toEqual([]);
    expect(cause?.results.map(({ id }) => id)).toEqual(['ROBUST-01', 'RATE-01']);
  });
});

describe('two causes', () => {
  it('are a status that is wrong and bad data that is accepted, also of one requirement', () => {
    const accepted = finding(status('createPet', 400, 201));
    const results = [
      failed('CREATE-05', finding(status('createPet', 400, 422))),
      failed('CREATE-08', finding(status('createPet', 400, 422)), accepted, accepted),
    ];
    expect(idsOf(...results)).toEqual(['CREATE-05 CREATE-08', 'CREATE-08']);
  });

  it('are a header that is missing here and wrong there', () => {
    const reset: Fact = { kind: 'header', header: 'X-RateLimit-Reset', problem: 'wrong' };
    const results = [
      failed('RATE-01', finding(header('X-RateLimit-Limit', 401))),
      failed('RATE-03', finding(header('X-RateLimit-Reset', 401)), finding(reset)),
    ];
    expect(idsOf(...results)).toEqual(['RATE-01 RATE-03', 'RATE-03']);
  });

  it('are a wrong success and a wrong value that the same exchange shows', () => {
    const exchanges = ['e1'];
    const name = finding(
      { kind: 'value', field: 'name', operation: 'createPet', status: 200 },
      { exchanges },
    );
    const results = [
      failed('CREATE-01', finding(status('createPet', 201, 200), { exchanges })),
      failed('CREATE-13', name),
    ];
    expect(causesOf(results)).toHaveLength(2);
  });

  it('are bad data that is accepted and an id of the wrong type, though the same exchange shows both', () => {
    const accepted = finding({ kind: 'status', operation: 'createPet', expected: [400], status: 201 });
    const shown = (field: string, value: string): Finding =>
      finding(
        { kind: 'body', form: 'Pet', operation: 'createPet', status: 201, field, value },
        { exchanges: accepted.exchanges },
      );
    expect(
      idsOf(
        failed('CREATE-08', accepted),
        failed('PET-01', shown('categoryId', 'beyond int64'), shown('id', 'string')),
      ),
    ).toEqual(['CREATE-08 PET-01', 'PET-01']);
  });

  it('are a wrong media type and a JSON object that is not an Error', () => {
    const type: Fact = { ...header('Content-Type', 400), problem: 'wrong' };
    const body: Fact = { kind: 'body', form: 'Error', field: '', operation: 'listPets', status: 400 };
    const causes = (fact: Fact): string[] =>
      idsOf(failed('ERR-01', finding(fact)), failed('MEDIA-01', finding(type)));
    expect(causes({ ...body, value: 'detail' })).toHaveLength(2);
    expect(causes(body)).toEqual(['MEDIA-01 ERR-01']);
  });

  it('are a limiter that counts apart and a Retry-After that is too short', () => {
    expect(idsOf(...ofLimiter('apart'))).toEqual(['LIMIT-05', 'LIMIT-09']);
  });

  it('are a wrong key and a wrong success that the same operation shows', () => {
    const undocumented: Fact = { ...documented, status: 200 };
    expect(
      idsOf(
        failed('AUTH-02', finding(status('createPet', 401, 200))),
        failed('CREATE-01', finding(status('createPet', 201, 200))),
        failed('ROBUST-01', finding(undocumented)),
      ),
    ).toEqual(['CREATE-01 ROBUST-01', 'AUTH-02']);
  });

  it('are two operations that break', () => {
    const crash = (operation: string): Finding => finding({ ...documented, operation, status: 500 });
    expect(causesOf([failed('ROBUST-01', crash('listPets'), crash('getPet'))])).toHaveLength(2);
  });

  it('are invalid bodies of two kinds that are accepted', () => {
    const accepted = finding(status('createPet', 400, 201));
    expect(causesOf([failed('CREATE-05', accepted), failed('CREATE-08', accepted)])).toHaveLength(2);
  });

  it('are headers that are missing from other responses', () => {
    const results = [
      failed('RATE-01', finding(header('X-RateLimit-Limit', 401))),
      failed('RATE-03', finding(header('X-RateLimit-Reset', 404))),
    ];
    expect(idsOf(...results)).toEqual(['RATE-01', 'RATE-03']);
  });

  it('have an id each, failures before warnings', () => {
    const results = [
      failed('AUTH-07', finding(header('WWW-Authenticate', 401))),
      failed('ROBUST-01', finding(documented), finding({ ...documented, operation: 'getPet', status: 500 })),
    ];
    expect(causesOf(results).map(({ id }) => id)).toEqual(['ROBUST-01', 'ROBUST-01.2', 'AUTH-07']);
  });
});

describe('what could not be judged', () => {
  it('is named by the cause that it is left to, also by way of another requirement', () => {
    const [cause] = causesOf([
      failed('AUTH-04', finding(status('getPet', 200, 401))),
      open('GET-04', 'refused', 'AUTH-04'),
      open('GET-02', 'not served', 'GET-04'),
    ]);
    expect(cause?.leftOpen.map(({ id }) => id)).toEqual(['GET-04', 'GET-02']);
  });

  it('has a missing control as its cause if nothing was found; by itself it has none', () => {
    const [cause, ...others] = causesOf([
      open('CREATE-01', 'no valid body was accepted'),
      open('CREATE-05', 'no control (see CREATE-01)', 'CREATE-01'),
    ]);
    expect(others).toEqual([]);
    expect(cause).toMatchObject({ id: 'CREATE-01', message: 'no valid body was accepted', results: [] });
    expect(cause?.leftOpen.map(({ id }) => id)).toEqual(['CREATE-01', 'CREATE-05']);
    expect(causesOf([open('CREATE-01', 'the page is full')])).toEqual([]);
  });
});

describe('a record', () => {
  it('without facts has a cause for each requirement', () => {
    expect(idsOf(failed('AUTH-01', finding(), finding()), failed('AUTH-02', finding()))).toEqual([
      'AUTH-01',
      'AUTH-02',
    ]);
  });

  it('keeps the causes with an exchange and a command', () => {
    const fact = status('createPet', 400, 500);
    expect(
      recordedCauses([
        failed('CREATE-05', finding(fact, { message: 'm', exchanges: ['e4'], reproduce: 'curl' })),
      ]),
    ).toEqual([
      { id: 'CREATE-05', message: 'm', requirements: ['CREATE-05'], exchanges: ['e4'], reproduce: 'curl' },
    ]);
  });
});

it('a value that is lost after the response to its creation is one cause with every place that shows another', () => {
  const value = (operation: string): Fact => ({ kind: 'value', field: 'status', operation, status: 200 });
  expect(
    idsOf(
      failed('LIST-06', finding({ kind: 'response', operation: 'listPets', status: 200 })),
      failed('LIST-10', finding(value('listPets'))),
      failed('CREATE-03', finding(value('getPet')), finding(value('listPets'))),
      failed('GET-01', finding(value('getPet'))),
    ),
  ).toEqual(['CREATE-03 LIST-06 LIST-10 GET-01']);
});
