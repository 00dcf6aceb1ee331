import type { JSX } from 'preact';
import { wasKilled } from '../../../lib/record/cut-off.js';
import type { RunRecord } from '../../../lib/record/record.js';
import { isLoad } from '../../summary/load-summary.js';
import { runBasis } from '../../summary/run-basis.js';
import { clockSentence, elapsedMs, planText, retriesSentence, sentText } from '../../summary/run-summary.js';
import { capitalized, unnamedTarget } from '../../summary/verdict-sentences.js';
import { duration, integer, list, moment } from '../../text/quantity.js';
import { Facts } from '../parts/table.js';
import { TargetText } from '../parts/text.js';

const limits = {
  none: 'not tested',
  minute: 'the minute',
  day: 'the minute and the day',
} as const satisfies Record<RunRecord['run']['limits'], string>;

const retriesShown = 8;

function requestsText(record: RunRecord): string {
  const { byOperation, byOrigin = {}, waitedMs } = record.requests;
  const counts = (of: Record<string, number>): string =>
    list(Object.entries(of).map(([name, number]) => `${integer(number)} ${name}`));
  const operations = counts(byOperation);
  const origins = Object.keys(byOrigin).length > 1 ? counts(byOrigin) : Object.keys(byOrigin).join('');
  if (wasKilled(record)) return `${capitalized(sentText(record))}.`;
  return [
    `${sentText(record)}${operations && `: ${operations}`}.`,
    ...(waitedMs >= 1 ? [`The run waited ${duration(waitedMs)} for the limit.`] : []),
    ...(origins === '' ? [] : [`Sent to: ${origins}.`]),
  ].join(' ');
}

function retriesText(record: RunRecord): string | undefined {
  const repeated = record.requests.repeated ?? [];
  const named = repeated.slice(0, retriesShown).map(({ exchange, reason }) => `${exchange} (${reason})`);
  const more = repeated.length > retriesShown ? ', and more in report.json' : '';
  const sentence = retriesSentence(record);
  return sentence && `${sentence} ${named.join(', ')}${more}`;
}

/** Who was tested, when, by what, and what it takes to run the same again. */
export function RunSection({ record }: { readonly record: RunRecord }): JSX.Element {
  const { run, suite, target } = record;
  const name = target.name === unnamedTarget ? '' : `${target.name}, `;
  const texts: [string, string | undefined][] = [
    ['Target', `${name}${target.baseUrl}${target.readOnly ? ', read-only: nothing was created' : ''}`],
    ['Plan', planText(target)],
    ['Started', moment(run.startedAt)],
    [
      'Finished',
      wasKilled(record) ? 'not known' : `${moment(run.finishedAt)}, after ${duration(elapsedMs(run))}`,
    ],
    ['Suite', `${suite.name} ${suite.version}`],
    ['Profile', isLoad(record) ? undefined : `${run.profile}${run.strict ? ', strict: warnings fail' : ''}`],
    ['Limits', isLoad(record) ? undefined : limits[run.limits]],
    ['Seed', String(run.seed)],
    ['Run', run.id],
    ['Clocks', clockSentence(target.clockDifferenceMs)],
    ['Sent', requestsText(record)],
    ['Retries', retriesText(record)],
    ...runBasis(record),
  ];
  const command = run.command.split(' ').map((argument) => [
    <span class="argument">
      <TargetText text={argument} />
    </span>,
    ' ',
  ]);
  return (
    <section id="run" aria-labelledby="run-title">
      <h2 id="run-title">The run</h2>
      <details>
        <summary>
          <TargetText
            text={`${capitalized(sentText(record))}, ${suite.name} ${suite.version}, seed ${run.seed}`}
          />
        </summary>
        <Facts
          facts={[
            ...texts.map(([fact, text]) => [fact, text && <TargetText text={text} />] as const),
            ['Command', <code>{command}</code>],
          ]}
        />
      </details>
    </section>
  );
}
