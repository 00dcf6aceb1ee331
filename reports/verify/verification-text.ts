import { withoutLogCommand } from '../text/log-commands.js';
import { printableDeep } from '../text/printable.js';
import { requirementRanges } from '../text/requirement-id.js';
import { verificationExitCode, type Verification } from './verify-run.js';
import { layoutOf, type Layout } from '../terminal/layout.js';

const conclusions = {
  0: ['green', 'Proved: no file was changed, and the exchanges give the recorded verdicts.'],
  1: ['red', 'Not proved: the evidence contradicts the run.'],
  3: ['yellow', 'Not proved: nothing contradicts the run, but the evidence is not whole.'],
} as const;

/** A load, say, or a run of a few probes. */
const nothingClaimed =
  'Proved: no file was changed. The run claims nothing that is judged on every exchange.';

/** What a verification found, for a terminal; its conclusion as the last line. */
export function renderVerification(
  found: Verification,
  options: { columns: number; colour: boolean },
): string {
  const verification = printableDeep(found);
  const layout = layoutOf(options);
  const code = verificationExitCode(verification);
  const [colour, proof] = conclusions[code];
  const conclusion = code === 0 && verification.confirmed.length === 0 ? nothingClaimed : proof;
  return [
    '',
    ...manifestLines(verification, layout),
    ...judgementLines(verification, layout),
    layout.paint(['bold', colour], layout.paragraph('', conclusion)),
    '',
  ]
    .map(withoutLogCommand)
    .join('\n');
}

function manifestLines({ manifest, files }: Verification, layout: Layout): string[] {
  if (manifest === 'absent') {
    return [
      layout.paragraph(
        '! ',
        'There is no manifest.json: the run was cut off before it ended, or the file was removed. Nothing proves that its files are unchanged.',
      ),
    ];
  }
  if (manifest !== 'read') return [layout.paragraph('✗ ', manifest.unreadable)];
  const counted = files.filter(({ state }) => state === 'unchanged').length;
  const others = files.filter(({ state }) => state !== 'unchanged');
  return [
    `${counted === files.length ? '✓' : ' '} ${counted} of ${files.length} files are as the manifest describes them.`,
    ...others.map(({ name, state }) =>
      layout.paragraph(state === 'added' ? '! ' : '✗ ', `${name}: ${fileState[state]}`),
    ),
  ];
}

const fileState = {
  unchanged: 'as described',
  changed: 'changed since the run ended',
  missing: 'missing',
  added: 'not in the manifest: added after the run ended, and proved by nothing',
} as const satisfies Record<Verification['files'][number]['state'], string>;

function judgementLines(verification: Verification, layout: Layout): string[] {
  const { unreadable, complete, exchanges, confirmed, differences, judgedNow } = verification;
  const { contradictions, lost } = verification;
  if (unreadable !== undefined) return [layout.paragraph('✗ ', unreadable)];
  const told = `${exchanges} exchanges judged again: ${confirmed.length} ${confirmed.length === 1 ? 'requirement' : 'requirements'} confirmed, ${differences.length} differ.`;
  const passed = differences.length === 0 && confirmed.length > 0;
  return [
    layout.paragraph(passed ? '✓ ' : '  ', told),
    ...contradictions.map((one) => layout.paragraph('✗ ', `The record contradicts itself: ${one}.`)),
    ...lostLines(lost, layout),
    ...differences.map(({ id, recorded, again, because }) =>
      layout.paragraph(
        `✗ ${id}  `,
        `recorded ${recorded}, judged again ${again}${because === undefined ? '' : `: ${because}`}`,
      ),
    ),
    ...judgedNowLines(judgedNow, layout),
    ...(complete
      ? []
      : [layout.paragraph('! ', 'The run was cut off: its record says only what had been judged by then.')]),
  ];
}

function lostLines(lost: Verification['lost'], layout: Layout): string[] {
  if (!lost) return [];
  const named = lost.ids.join(', ') + (lost.count > lost.ids.length ? ' and more' : '');
  const exchanges = lost.count === 1 ? '1 exchange is' : `${lost.count} exchanges are`;
  return [layout.paragraph('✗ ', `${exchanges} missing from the run's evidence: ${named}.`)];
}

function judgedNowLines(rows: Verification['judgedNow'], layout: Layout): string[] {
  return [...new Set(rows.map(({ verdict }) => verdict))].map((verdict) => {
    const ids = rows.filter((row) => row.verdict === verdict).map(({ id }) => id);
    return layout.paragraph(
      '  ',
      `Not judged by the run; its exchanges give ${verdict} for ${requirementRanges(ids)}.`,
    );
  });
}
