import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { commandLineOptions } from '../../lib/options/run-options.js';
import { readOptions, settingsOf, withTarget } from '../../lib/options/request.js';
import { knownTargets, readSources } from '../../lib/options/sources.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { freeRunFolder } from '../../lib/evidence/record/run-files.js';
import { run } from '../../lib/run/conformance.js';
import {
  classOf,
  isRequirementId,
  requirementRow,
  type RequirementId,
} from '../../lib/specification/catalogue.js';
import { selectedFiles } from './selected-files.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run that all suites are told by. */
    readonly record: RunRecord;
  }
}

/**
 * `npx vitest --project suites`: one run before the tests, and before each repetition in watch mode, of the requirements whose
 * files and names are selected. The target is the one that `.env`, the environment or the settings file configure;
 * `PETSTORE_TARGET` names one of several. Without any it is the embedded reference service.
 */
export default async function judgeOnce(project: TestProject): Promise<void> {
  const judge = async (files: readonly string[]): Promise<void> =>
    project.provide('record', await judged(project, files));
  await judge(await selectedFiles(project));
  project.onTestsRerun(async (specifications) => judge(specifications.map(({ moduleId }) => moduleId)));
}

/** The requirements that a suite names: those that it declares, and those that it leaves something to. */
function namedIn(path: string): RequirementId[] {
  const names = readFileSync(path, 'utf8').matchAll(/'([A-Z]+-\d+)'/g);
  return [...names].flatMap(([, id = '']) => (isRequirementId(id) ? [id] : []));
}

async function judged({ config, vitest }: TestProject, files: readonly string[]): Promise<RunRecord> {
  const pattern = vitest.config.testNamePattern ?? config.testNamePattern;
  const named = [...new Set(files.flatMap(namedIn))];
  const wanted = named.filter((id) => pattern?.test(`${id} ${requirementRow(id).title}`) ?? true);
  const sources = await readSources();
  const known = knownTargets(sources);
  const target = process.env['PETSTORE_TARGET'] ?? (known.length === 1 ? known[0] : undefined);
  const typed = {
    ...(target !== undefined && { target }),
    ...(wanted.length > 0 && { only: wanted.join(',') }),
    // Who selects nothing else asks for load.
    ...(wanted.length > 0 && wanted.every((id) => classOf(id) === 'limits') && { limits: 'minute' }),
  };
  const request = await readOptions('test', commandLineOptions, typed, sources);
  return withTarget(request, async (own) => {
    const directory = freeRunFolder(join('reports', 'runs', `vitest-${own.name}`));
    return run({ ...settingsOf(request), directory, target: own });
  });
}
