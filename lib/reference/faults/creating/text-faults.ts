import { isJsonObject } from '../../operations/pet-body.js';
import { Refusal } from '../../operations/refused-request.js';
import { withBehaviour } from '../../changes.js';
import type { Fault } from '../fault.js';
import { created, expectOnWire, send } from '../wire.js';

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
    'open-string-closed',
    'A body that ends inside a string is completed',
    (text) => `${text}"}`,
    '{"categoryId":7,"name":"Rex',
  ),
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
