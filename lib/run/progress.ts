import { styleText } from 'node:util';
import type { Activity } from '../limits/probe/session.js';
import { count, integer } from '../explain/count.js';
import { printable } from '../explain/printable.js';
import type { Clock } from '../http/clock/clock.js';
import type { Listener } from './settings.js';

/** Milliseconds between two drawings on a terminal, and between two lines in a log. */
const redrawEvery = 80;
const lineEvery = 15_000;
/** Failures that stand above the progress; the report has them all. */
const mostFailures = 12;

/** Lines that change on a terminal, and now and then a line of their own in a log; returns what ends them. */
export async function liveLines(
  stream: NodeJS.WriteStream,
  lines: (isLog: boolean) => readonly string[],
): Promise<() => void> {
  // Lines can't be drawn over each other on what is no terminal, nor on one that nobody gave a size (0 columns).
  const isLog = !stream.columns;
  // What draws is loaded for a terminal alone.
  const log = isLog ? undefined : (await import('log-update')).createLogUpdate(stream, { showCursor: true });
  const timer = setInterval(
    () => (log ? log(lines(false).join('\n')) : stream.write(`${lines(true).join('; ')}\n`)),
    isLog ? lineEvery : redrawEvery,
  );
  timer.unref();
  return () => {
    clearInterval(timer);
    log?.clear();
  };
}

/** What is done, and the seconds that are left of its wait; no line if nothing is. */
export function activityLines(activity: Activity | null, now: number): string[] {
  if (!activity) return [];
  const { text, until = 0 } = activity;
  return [until <= now ? text : `${text}, ${integer(Math.ceil((until - now) / 1_000))} s`];
}

/** Shows the progress of a run: its failures, as soon as they are known, what is counted, and what is done. */
export async function progressOn(
  stream: NodeJS.WriteStream,
  clock: Clock,
  total: number,
): Promise<Required<Listener> & { readonly end: () => void }> {
  const failures: string[] = [];
  let [judged, sent] = [0, 0];
  let current: Activity | null = null;
  const end = await liveLines(stream, (isLog) => [
    // A log gets no failures: it ends with the report, as the terminal does.
    ...(isLog ? [] : failures.slice(0, mostFailures)),
    `${judged} of ${total} requirements judged, ${failures.length} failed, ${count(sent, 'request')}`,
    ...activityLines(current, clock.now()),
  ]);
  return {
    result({ id, verdict, findings: [finding] }) {
      judged += 1;
      if (verdict !== 'fail') return;
      const mark = styleText('red', '✗', { stream });
      failures.push(`${mark} ${printable(`${id}  ${finding?.message ?? ''}`)}`);
    },
    exchange() {
      sent += 1;
    },
    activity(next) {
      current = next;
    },
    end,
  };
}
