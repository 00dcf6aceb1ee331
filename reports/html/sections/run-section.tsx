import type { ComponentChildren, JSX } from 'preact';
import { plans } from '../../../lib/specification/plan.js';
import type { RunRecord } from '../../../lib/record/record.js';
import { unnamedTarget } from '../../summary/headline.js';
import { isLoad } from '../../summary/load-summary.js';
import { count, counted, duration, listed, moment } from '../../text/quantity.js';
import { TargetText } from '../parts/target-text.js';
import { Prose } from '../text/prose.js';

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** How far the clocks differ; `milliseconds` is the target's minus ours. */
export function clockSentence(milliseconds: number | null): string {
  if (milliseconds === null) return 'Their difference is unknown: no Date header told it.';
  // A Date header tells whole seconds.
  if (Math.abs(milliseconds) < 1_000)
    return 'They agree within a second, which is as fine as a Date header tells.';
  const side = milliseconds > 0 ? 'ahead of' : 'behind';
  return `The target’s clock is ${duration(Math.abs(milliseconds))} ${side} the suite’s.`;
}

/** The plan and its quotas: as recorded, else as section 8 publishes them. */
export function planSentence({ plan, planGiven, ...recorded }: RunRecord['target']): string {
  if (planGiven === false) return 'Not given: requests were paced as on the Free plan';
  const published = plan === 'enterprise' ? undefined : plans[plan];
  const perMinute = recorded.perMinute ?? published?.perMinute;
  const perDay = recorded.perDay ?? published?.perDay;
  const name = `${plan.charAt(0).toUpperCase()}${plan.slice(1)}`;
  if (perMinute === undefined || perDay === undefined) return `${name}: quotas as agreed`;
  return `${name}: ${count(perMinute)} requests a minute, ${count(perDay)} a day`;
}

const limits = {
  none: 'not tried',
  minute: 'the minute',
  day: 'the minute and the day',
} as const satisfies Record<RunRecord['run']['limits'], string>;

function requestsSentence({ requests }: RunRecord): string {
  const operations = Object.entries(requests.byOperation).map(([name, sent]) => `${count(sent)} ${name}`);
  const waited =
    requests.waitedMs >= 1 ? ` The run waited ${duration(requests.waitedMs)} for the limit.` : '';
  return `${counted(requests.sent, 'request')}${operations.length > 0 ? `: ${listed(operations)}` : ''}.${waited}`;
}

function originsSentence(origins: ReadonlyArray<readonly [origin: string, sent: number]>): string {
  const [first] = origins;
  if (first && origins.length === 1) return `All went to ${first[0]}.`;
  return `They went to ${listed(origins.map(([origin, sent]) => `${origin} (${count(sent)})`))}.`;
}

function Repeated({ record }: { readonly record: RunRecord }): JSX.Element | null {
  const repeated = record.requests.repeated ?? [];
  if (repeated.length === 0) return null;
  return (
    <Fact name="Repeated">
      {counted(repeated.length, 'request')}:{' '}
      <Prose text={listed(repeated.slice(0, 8).map(({ exchange, reason }) => `${exchange} (${reason})`))} />
      {repeated.length > 8 && ', and more in report.json'}
    </Fact>
  );
}

/** Who was tested, when, by what, and what it takes to run the same again. */
export function RunSection({ record }: { readonly record: RunRecord }): JSX.Element {
  const { run, suite, target, requests } = record;
  const elapsed = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  const origins = Object.entries(requests.byOrigin ?? {});
  return (
    <section id="run" aria-labelledby="run-title">
      <h2 id="run-title">The run</h2>
      <dl class="facts">
        <Fact name="Target">
          {target.name !== unnamedTarget && (
            <>
              <TargetText text={target.name} />,{' '}
            </>
          )}
          <code>{<TargetText text={target.baseUrl} />}</code>
          {target.readOnly && ', read-only: nothing was created'}
        </Fact>
        <Fact name="Plan">{planSentence(target)}</Fact>
        <Fact name="Begun">
          <TargetText text={moment(run.startedAt)} />
        </Fact>
        <Fact name="Ended">
          <TargetText text={moment(run.finishedAt)} />
          {Number.isFinite(elapsed) && `, after ${duration(elapsed)}`}
        </Fact>
        <Fact name="Suite">
          <TargetText text={`${suite.name} ${suite.version}`} />
        </Fact>
        {!isLoad(record) && (
          <Fact name="Profile">
            {run.profile}
            {run.strict === true && ', strict: warnings fail'}; limits: {limits[run.limits]}
          </Fact>
        )}
        <Fact name="Seed">
          <code>{run.seed}</code>
        </Fact>
        <Fact name="Run">
          <code>
            <TargetText text={run.id} />
          </code>
        </Fact>
        <Fact name="Clocks">{clockSentence(target.clockDifferenceMs)}</Fact>
        <Fact name="Sent">
          <TargetText text={requestsSentence(record)} />
          {origins.length > 0 && (
            <>
              {' '}
              <TargetText text={originsSentence(origins)} />
            </>
          )}
        </Fact>
        <Repeated record={record} />
        <Fact name="Command">
          <code>
            {run.command.split(' ').map((argument) => (
              <>
                <span class="argument">
                  <TargetText text={argument} />
                </span>{' '}
              </>
            ))}
          </code>
        </Fact>
      </dl>
    </section>
  );
}
