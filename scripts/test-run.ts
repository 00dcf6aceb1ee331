import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { notReached, type RunRecord } from '../lib/evidence/record/record.js';
import { recordText, UnreadableRun } from '../lib/evidence/record/regular-file.js';
import { RecordLost } from '../lib/evidence/record/run-files.js';
import { count } from '../lib/explain/count.js';
import { commandLineOptions } from '../lib/options/run-options.js';
import { redactionOfProgram } from '../lib/options/command-redaction.js';
import type { Typed } from '../lib/options/option.js';
import { readOptions, settingsOf, withTarget } from '../lib/options/request.js';
import { withService } from '../lib/options/with-service.js';
import { run } from '../lib/run/conformance.js';
import { progressOn } from '../lib/run/progress.js';
import { selectionOf } from '../lib/run/selection.js';
import type { Settings } from '../lib/run/settings.js';
import { exitCode } from '../lib/verdict/class-verdict.js';
import { withPreviousRun } from '../reports/compare.js';
import { recordFile, manifestDigest } from '../reports/finished-run.js';
import { tellGitHub } from '../reports/github.js';
import { renderersIn, writeReports, type RendererName } from '../reports/renderers.js';
import { isSelfCheck, selfCheck, wasNothingJudged } from '../reports/summary/verdict-sentences.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import { applyWaivers, readWaivers } from '../reports/waivers.js';
import { nextLine, repeating, watched, watchRounds, type Round } from './again.js';
import { complain, interruption, layout, print, runFolder } from './run-command.js';

/** One run, from what was typed to the exit code: it judges the target, or prints what it would send. */
export async function testRun(typed: Typed): Promise<number> {
  const { again } = typed;
  const wanted = typeof again === 'string' ? await repeating(again, typed) : typed;
  const request = await readOptions('test', commandLineOptions, wanted);
  const { target: asked, values } = request;
  const { start, wait, watch, verbose = false } = values;
  if (asked?.production !== undefined && asked.readOnly && values.readOnly !== true)
    complain(`${asked.production} is only read: --allow-writes lets the run create there`);
  const ofRun = settingsOf(request);
  const reports = renderersIn(values.report ?? ['html']);
  const waivers = values.waivers === undefined ? undefined : await readWaivers(values.waivers);
  return withTarget(request, async (target) => {
    const settings = { ...ofRun, target };
    if (values.dryRun === true) {
      const { dryRun } = await import('../lib/run/dry-run.js');
      const { dryRunText } = await import('../reports/terminal/dry-run-text.js');
      return print(redactionOfProgram()(dryRunText(await dryRun(settings), settings, layout)));
    }
    const signal = interruption('ending the run: its record is being written');
    const directory = runFolder(settings.directory, target.name);
    const judge = async (round: Settings): Promise<Round> =>
      withService({ ...round, directory, start, wait, signal, complain }, async () => {
        const recorded = await judged(round, signal, typed);
        const waived = waivers === undefined ? recorded : applyWaivers(recorded, waivers);
        const record = await withPreviousRun(waived, directory);
        await writeFiles(record, record !== recorded, directory, reports);
        const file = reports.includes('html') ? undefined : recordFile;
        print(renderTerminal(record, { ...layout, directory, file, verbose }));
        const digest = await manifestDigest(directory);
        await tellGitHub(record, { environment: process.env, directory, digest, print }).catch(
          (error: unknown) => complain(`GITHUB_STEP_SUMMARY or GITHUB_OUTPUT: ${String(error)}`),
        );
        const left = record.requirements.filter(({ reason }) => reason === notReached).length;
        if (left > 0) print(`The run ended early (--bail): ${count(left, 'requirement')} not reached.`);
        // A log that others keep is a witness: `report verify --digest` holds the folder to it. The command to run next is on
        // the same line: each is looked for on the last one.
        const hasNext = watch === undefined && !wasNothingJudged(record);
        const next = hasNext ? nextLine(record, directory, typed) : undefined;
        print(`Digest sha256:${digest}${next === undefined ? '' : `  ${next}`}`);
        if (isSelfCheck(record)) print(selfCheck);
        return { record, code: signal.aborted ? 130 : exitCode(record) };
      });
    const whole = { ...settings, directory };
    if (watch === undefined) return (await judge(whole)).code;
    const files = await watched(watch);
    // A run that repeats an earlier one judges everything once that passes.
    const [all, first] = again === undefined ? [whole, []] : [{ ...whole, only: [] }, whole.only];
    return watchRounds(all, first, files, signal, judge).finally(() => void files.close());
  });
}

async function judged(settings: Settings, signal: AbortSignal, typed: Typed): Promise<RunRecord> {
  const { stderr, env } = process;
  if (isSelfCheck(settings)) print(selfCheck);
  // GitHub is told by an annotation, as of all else.
  if (isSelfCheck(settings) && env['CI'] && !env['GITHUB_ACTIONS'] && typed['target'] === undefined)
    stderr.write(
      `${env['TF_BUILD'] ? '##vso[task.logissue type=warning]' : 'WARNING: '}No target was given. ${selfCheck}\n`,
    );
  const { size: total } = selectionOf(settings).ids;
  const listener = await progressOn(stderr, settings.clock, total);
  return run(settings, { signal, listener }).finally(() => listener.end());
}

/**
 * Writes what a run leaves behind beside its evidence: the record, if it has changed, and the reports.
 * @throws RecordLost if the disk is full, or the folder is gone.
 */
async function writeFiles(
  record: RunRecord,
  hasChanged: boolean,
  directory: string,
  reports: readonly RendererName[],
): Promise<void> {
  try {
    if (hasChanged) await writeFile(join(directory, recordFile), recordText(record));
    await writeReports(directory, reports);
  } catch (error) {
    const isOfTheDisk = error instanceof UnreadableRun || (error instanceof Error && 'syscall' in error);
    throw isOfTheDisk ? new RecordLost(record, error) : error;
  }
}
