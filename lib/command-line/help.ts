import { optionGroups } from './options.js';

const width = 21;

function line(name: string, value: string | undefined, help: string): string {
  return `  ${`--${name}${value === undefined ? '' : `=${value}`}`.padEnd(width)} ${help}`;
}

/** What `--help` prints; it fits a screen of 80 columns. */
export function helpText(): string {
  const groups = Object.entries(optionGroups).map(([title, options]) => {
    const entries: Array<[string, { value?: string; help: string }]> = Object.entries(options);
    // Told in the line of another option.
    const lines = entries
      .filter(([name]) => name !== 'insecure')
      .map(([name, { value, help }]) => line(name, value, help));
    return `${title}\n${lines.join('\n')}`;
  });
  return `petstore-conformance [options]: judges a Pet Store Service by its specification.
Without a target: the embedded reference service.

${groups.join('\n')}
  Vitest's own -t, --bail, --reporter, --outputFile pass through.
See too: npm run report, npm run load; or npx petstore-conformance report, load
Exit: 0 conformant or partial by choice, 1 non-conformant, 2 usage, 3 incomplete
`;
}
