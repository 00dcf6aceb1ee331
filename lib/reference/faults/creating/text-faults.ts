import { parse } from 'lossless-json';
import { isJsonObject } from '../../operations/pet-body.js';
import { Refusal } from '../../operations/refused-request.js';
import { withBehaviour } from '../../changes.js';
import type { Fault, WireTarget } from '../fault.js';
import { created, expectOnWire, send } from '../wire.js';

async function expectLatin1Accepted(target: WireTarget, what: string): Promise<void> {
  const body = Buffer.from('{"name":"Ren\u00e9","categoryId":7}', 'latin1');
  expectOnWire((await send(target, { method: 'POST', body })).status === 201, what);
}

/** Refuses bodies whose text matches, although they are valid JSON. */
function refuses(name: string, title: string, matches: (text: string) => boolean, body: string): Fault {
  return {
    name,
    title,
    breaks: ['CREATE-01'],
    options: withBehaviour(({ parseBody }) => ({
      parseBody(text) {
        const body = parseBody(text);
        if (matches(text)) throw new Refusal('invalid-body', 'The request body is not valid JSON.', 'body');
        return body;
      },
    })),
    async wire(target) {
      expectOnWire((await created(target, body)).status === 400, `${body} is refused`);
    },
  };
}

/** Makes a valid body of some texts that are none, before they are parsed. */
function mends(name: string, title: string, mend: (text: string) => string, body: string): Fault {
  return {
    name,
    title,
    breaks: ['CREATE-10'],
    options: withBehaviour(({ parseBody }) => ({
      parseBody(text) {
        try {
          return parseBody(text);
        } catch {
          return parseBody(mend(text));
        }
      },
    })),
    async wire(target) {
      expectOnWire((await created(target, body)).status === 201, `${body} is accepted`);
    },
  };
}

/** The first JSON object in a text: what a reader takes that stops at its end. */
function firstObject(text: string): string {
  for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', end + 1)) {
    try {
      parse(text.slice(0, end + 1));
      return text.slice(0, end + 1);
    } catch {
      // Not its end yet.
    }
  }
  return text;
}

const compact = '{"name":"Rex","categoryId":7}';

/** How the text of a body is read: CREATE-01 and CREATE-10. */
export const creatingTextFaults: readonly Fault[] = [
  refuses(
    'line-breaks-refused',
    'A body with a line break is refused',
    (text) => /[\r\n]/.test(text),
    `{\n"name":"Rex","categoryId":7}`,
  ),
  refuses(
    'spaces-refused',
    'A body with a space between its tokens is refused',
    (text) => /": |, "/.test(text),
    '{"name": "Rex", "categoryId": 1}',
  ),
  refuses(
    'space-before-a-colon-refused',
    'White space before a colon is refused',
    (text) => /"\s+:/.test(text),
    '{"name" :"Rex","categoryId":7}',
  ),
  refuses(
    'outer-space-refused',
    'White space around a body is refused',
    (text) => text.trim() !== text,
    ` ${compact}`,
  ),
  refuses(
    'name-must-come-first',
    'A body whose first member is not the name is refused',
    (text) => !/^\s*\{\s*"(?:name|\\u006e)/.test(text),
    '{"categoryId":7,"name":"Rex"}',
  ),
  refuses(
    'escapes-refused',
    'A body with an escape of a letter is refused',
    (text) => /\\u00[67]/.test(text),
    '{"name":"\\u0072ex","categoryId":7}',
  ),
  {
    name: 'escapes-kept',
    title: 'Escapes of letters in a name are kept as they are written',
    breaks: ['CREATE-01'],
    options: withBehaviour(({ parseBody }) => ({
      parseBody(text) {
        const body = parseBody(text);
        const written = /"(?:name|(?:\\u00..){4})"\s*:\s*"((?:\\u00..|[^"\\])*)"/.exec(text)?.[1] ?? '';
        return written.includes('\\') && isJsonObject(body) ? { ...body, name: written } : body;
      },
    })),
    async wire(target) {
      const { text } = await created(target, '{"name":"\\u0072ex","categoryId":7}');
      expectOnWire(text.includes('\\\\u0072'), 'an escape is kept');
    },
  },
  mends(
    'text-after-a-body-ignored',
    'What follows the object is ignored',
    firstObject,
    `${compact} and more`,
  ),
  mends(
    'last-of-two-objects-taken',
    'If two objects come, the last one is taken',
    (text) => text.split('\n').at(-1) ?? '',
    `${compact}\n${compact}`,
  ),
  mends(
    'open-string-closed',
    'A body that ends inside a string is completed',
    (text) => `${text}"}`,
    '{"categoryId":7,"name":"Rex',
  ),
  mends(
    'comma-after-the-last-member-accepted',
    'A comma after the last member of a body is ignored',
    (text) => text.replace(/,\s*\}/u, '}'),
    '{"name":"Rex","categoryId":7,}',
  ),
  {
    name: 'bodies-read-as-latin-1',
    title: 'A body that is not UTF-8 is read as Latin-1',
    breaks: ['CREATE-10'],
    options: withBehaviour(({ readBodyText }) => ({
      readBodyText(request) {
        try {
          return readBodyText(request);
        } catch (error) {
          if (!(error instanceof Refusal) || !error.message.includes('UTF-8')) throw error;
          return Buffer.from(request.body).toString('latin1');
        }
      },
    })),
    wire: (target) => expectLatin1Accepted(target, 'Latin-1 is accepted'),
  },
  {
    name: 'bytes-that-are-not-utf-8-replaced',
    title: 'Bytes that are not UTF-8 become replacement characters',
    breaks: ['CREATE-10'],
    options: withBehaviour(({ readBodyText }) => ({
      readBodyText: (request) =>
        readBodyText({ ...request, body: Buffer.from(Buffer.from(request.body).toString('utf8')) }),
    })),
    wire: (target) => expectLatin1Accepted(target, 'bytes that are not UTF-8 are accepted'),
  },
  {
    name: 'waits-for-the-end-of-a-string',
    title: 'A body that ends inside a string gets no response',
    breaks: ['ROBUST-01'],
    options: withBehaviour(({ createPet }) => ({
      async createPet(request, service) {
        const quotes = Buffer.from(request.body).toString().match(/"/g) ?? [];
        if (quotes.length % 2 === 1) await new Promise(() => undefined);
        return createPet(request, service);
      },
    })),
    async wire(target) {
      let isAnswered = false;
      void send(target, { method: 'POST', body: '{"categoryId":7,"name":"Rex' }).then(
        () => (isAnswered = true),
        () => undefined,
      );
      // What is sent after it has its response.
      for (let later = 0; later < 5; later += 1) await created(target, '{"name":"Rex","categoryId":7}');
      expectOnWire(!isAnswered, 'no response comes');
    },
  },
];
