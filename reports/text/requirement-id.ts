/**
 * Ids in few words, for a line that names many: `AUTH-01, LIST-02 to LIST-04`. Three or more that follow each other
 * make a range; the order given is kept.
 */
export function requirementRanges(ids: readonly string[]): string {
  const runs: string[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run && follows(run.at(-1) ?? '', id)) run.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length < 3 ? run.join(', ') : `${run[0]} to ${run.at(-1)}`)).join(', ');
}

function follows(id: string, next: string): boolean {
  const [prefix, number] = id.split('-');
  const [nextPrefix, nextNumber] = next.split('-');
  return prefix === nextPrefix && Number(nextNumber) === Number(number) + 1;
}
