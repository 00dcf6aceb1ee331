import { rendererNames, renderers } from '../renderers.js';
import { layoutOf } from '../terminal/layout.js';

/** A mistake in how the command was called; the message is one line that says what to do. Exit code 2. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}

const layout = layoutOf({ columns: 80, colour: false });

const reports = rendererNames.map((name) => {
  const { file, summary } = renderers[name];
  return layout.paragraph(`    ${name.padEnd(10)}${file.padEnd(14)}`, summary);
});

/** What `--help` prints, where the command is called so: `npm run report --`. */
export function usageOf(invocation: string): string {
  return `Reports of finished runs; nothing is sent. DIR is the folder that a run wrote.

  ${invocation} render DIR [--report=NAME,…] [--output=FOLDER]
      makes reports again, into DIR or FOLDER (default: html; all: each of them)
${reports.join('\n')}
    terminal  (printed)     what the run printed when it ended

  ${invocation} compare OLD NEW
      what broke, was fixed, is newly judged or no longer; exit 1 where it broke

  ${invocation} matrix DIR DIR … [--output=FILE.md]
      implementations side by side; with --output as a Markdown page

  ${invocation} waivers DIR [--output=FILE.yaml]
      a file of waivers to start from, one for each failure of the run

  ${invocation} verify DIR
      proves that no file was changed, and judges the recorded exchanges again;
      exit 1 where the evidence contradicts the run, 3 where it is not whole

Exit code 2: the command or a folder is wrong.
`;
}
