import { createHash } from 'node:crypto';
import type { FinishedRun } from '../finished-run.js';
import { describeFile } from '../manifest.js';
import type { Renderer } from '../renderer.js';
import { renderers } from '../renderers.js';
import { contradicted, fine, type Remark } from './remark.js';
import { count } from '../text/quantity.js';

/** Renders each report that the folder holds once more, and compares it byte by byte. */
export async function checkReports(run: FinishedRun): Promise<Remark[]> {
  const wrong: Remark[] = [];
  let same = 0;
  for (const { file, render } of Object.values<Renderer>(renderers)) {
    const found = await describeFile(run.directory, file).catch(() => undefined);
    if (!found) continue;
    const hash = createHash('sha256');
    for await (const text of render(run)) hash.update(text);
    if (hash.digest('hex') === found.sha256) same += 1;
    else wrong.push(contradicted(`${file}: another report than the record and the exchanges give`));
  }
  return same === 0
    ? wrong
    : [fine(`${count(same, 'report')} rendered again, byte for byte the same.`), ...wrong];
}
