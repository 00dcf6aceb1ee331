import { styleText } from 'node:util';
import type { Activity } from '../limits/probe/session.js';
import { count, integer } from '../explain/count.js';
import { printable } from '../explain/printable.js';
import type { Clock } from '../http/clock/clock.js';
import { liveLines } from './live-lines.js';
import type { Listener } from './settings.js';

interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly clock: Clock;
  /** How many requirements the run tries. */
  readonly total: number;
}

/** Failures that stand above the progress; the report has them all. */
const mostFailures = 12;

/** What is done, and the seconds that are left of its wait. */
export function activityLine({ text, until = 0 }: Activity, now: number): string {
  return until <= now ? text : `${text}, ${integer(Math.ceil((until - now) / 1_000))} s`;
}

/** Shows the progress of a run: its failures, as soon as they are known, what is counted, and what is done. */
export async function progressOn({
  stream,
  clock,
  total,
}: ProgressOptions): Promise<Required<Listener> & { readonly end: () => void }> {
  const failures: string[] = [];
  let [judged, sent] = [0, 0];
  let current: Activity | null = null;
  const counts = (): string =>
    `${judged} of ${total} requirements judged, ${failures.length} failed, ${count(sent, 'request')}`;
  // A log gets no failures: it ends with the report, as the terminal does.
  const { isLog, end } = await liveLines(stream, (log) => [
    ...(log ? [] : failures.slice(0, mostFailures)),
    counts(),
    ...(current ? [activityLine(current, clock.now())] : []),
  ]);
  return {
    result({ id, verdict, findings: [finding] }) {
      judged += 1;
      if (verdict === 'fail')
        failures.push(
          `${styleText('red', '✗', { stream })} ${printable(`${id}  ${finding?.message ?? ''}`)}`,
        );
    },
    exchange() {
      sent += 1;
    },
    activity(next) {
      // A log shows a wait when it begins: it may be a long one.
      if (isLog && next?.until !== undefined && next.until - clock.now() > 1_000 && !current?.until)
        stream.write(`${activityLine(next, clock.now())}\n`);
      current = next;
    },
    end,
  };
}
