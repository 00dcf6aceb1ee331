import type { ServiceRequest, ServiceResponse } from '../../http-message.js';
import { withBehaviour } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, created, send, expectOnWire } from '../wire.js';

interface EncodedFault extends Pick<Fault, 'name' | 'title'> {
  /** The bytes of a text in the other encoding; undefined if the text does not fit into it. */
  readonly encode: (text: string) => Uint8Array | undefined;
  readonly matches: (request: ServiceRequest) => boolean;
  /** A name that fits into the encoding. */
  readonly sent: string;
}

/** The text byte by byte; undefined if a character beyond ASCII is not in the table, or none is beyond ASCII. */
function byTable(table: string, first: number): EncodedFault['encode'] {
  return (text) => {
    const bytes = Array.from(text, (character) => {
      const place = table.indexOf(character);
      return character <= '\u007f' ? character.charCodeAt(0) : place < 0 ? -1 : first + place;
    });
    return bytes.includes(-1) || bytes.every((byte) => byte < 128) ? undefined : Uint8Array.from(bytes);
  };
}

/** Breaks MEDIA-01: some bodies are in another encoding than UTF-8, if their text fits into it. */
function encoded({ name, title, encode, matches, sent }: EncodedFault): Fault {
  return {
    name,
    title,
    breaks: ['MEDIA-01'],
    options: withBehaviour(({ finish }) => ({
      async finish(response, request, service): Promise<ServiceResponse> {
        const finished = await finish(response, request, service);
        if (finished.content === undefined || !matches(request)) return finished;
        const bytes = encode(service.behaviour.write(finished.content));
        return bytes ? { ...finished, raw: bytes } : finished;
      },
    })),
    async wire(target) {
      await create(target, { name: sent });
      const texts = await Promise.all([
        created(target, JSON.stringify({ name: sent, categoryId: 7 })).then(({ text }) => text),
        ...['/pets', '/pets/1'].map(async (path) => (await send(target, { path })).text),
      ]);
      expectOnWire(
        texts.some((text) => text.includes('\ufffd')),
        `${sent} in another encoding`,
      );
    },
  };
}

const latin1 = Array.from({ length: 128 }, (_character, index) => String.fromCharCode(128 + index)).join('');
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ' + latin1.slice(32);
const koi8Capitals = 'юабцдефгхийклмнопярстужвьызшэщчъ';

/** Text in another encoding than UTF-8 where it fits, as a runtime does that keeps one byte for each character. */
export const encodingFaults: readonly Fault[] = [
  encoded({
    name: 'creation-in-latin-1-if-it-fits',
    title: 'The response to a creation is in Latin-1 if its text fits into it',
    encode: byTable(latin1, 128),
    matches: ({ operation }) => operation === 'createPet',
    sent: 'Zoë',
  }),
  encoded({
    name: 'fetch-in-windows-1252-if-it-fits',
    title: 'getPet responds in Windows-1252 if the text fits into it',
    encode: byTable(windows1252, 128),
    matches: ({ operation }) => operation === 'getPet',
    sent: 'Œuvre – 5 €',
  }),
  encoded({
    name: 'creation-in-koi8-if-it-fits',
    title: 'The response to a creation is in KOI8-R if its text fits into it',
    encode: byTable(koi8Capitals + koi8Capitals.toUpperCase(), 192),
    matches: ({ operation }) => operation === 'createPet',
    sent: 'Жучка',
  }),
];
