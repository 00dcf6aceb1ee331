import { parse } from 'lossless-json';
import { withBehaviour } from '../changes.js';
import { Refusal } from '../operations/refused-request.js';
import type { Variant } from './variant.js';

/** Makes a body of some texts that are not JSON: a parser may accept more than JSON (RFC 8259 section 9). */
function mending(mend: (text: string) => string): Variant['options'] {
  return withBehaviour(({ parseBody }) => ({
    parseBody(text) {
      try {
        return parseBody(text);
      } catch {
        return parseBody(mend(text));
      }
    },
  }));
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

/** How leniently the text of a body is read. */
export const bodyTextVariants: readonly Variant[] = [
  {
    name: 'text-after-a-body-ignored',
    title: 'What follows the object is ignored, as the decoder of Go does',
    options: mending(firstObject),
  },
  {
    name: 'last-of-two-objects-taken',
    title: 'If two objects come, the last one is taken',
    options: mending((text) => text.split('\n').at(-1) ?? ''),
  },
  {
    name: 'comma-after-the-last-member-accepted',
    title: 'A comma after the last member of a body is ignored',
    options: mending((text) => text.replace(/,\s*\}/u, '}')),
  },
  {
    name: 'bodies-read-as-latin-1',
    title: 'A body that is not UTF-8 is read as Latin-1',
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
  },
  {
    name: 'bytes-that-are-not-utf-8-replaced',
    title: 'Bytes that are not UTF-8 become replacement characters, as in Node.js and Go',
    options: withBehaviour(({ readBodyText }) => ({
      readBodyText: (request) =>
        readBodyText({ ...request, body: Buffer.from(Buffer.from(request.body).toString('utf8')) }),
    })),
  },
];
