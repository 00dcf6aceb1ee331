import '../../suites/all.js';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogue, isRequirementId } from '../specification/catalogue.js';
import { declarationOf, requirement } from './requirement.js';

const ids = catalogue.map(({ id }) => id);

describe('the suites', () => {
  it('declare every requirement', () => {
    expect(() => ids.map(declarationOf)).not.toThrow();
  });

  it('declare as judged on every exchange what the catalogue says is', () => {
    const ofAll = catalogue.flatMap(({ id, judged }) =>
      /^every (?:exchange|response with)\b/.test(judged) ? id : [],
    );
    expect(ofAll).toEqual(expect.arrayContaining(['ERR-01', 'MEDIA-01', 'RATE-01', 'ROBUST-01']));
    const others = ['LIST-09', 'DEP-03', 'PET-01', 'PET-02'] as const;
    const phases = [...ofAll, ...others].map((id) => declarationOf(id).phase);
    expect(new Set(phases)).toEqual(new Set(['every exchange']));
  });

  it('leave out of quick nothing that is a MUST', () => {
    const left = new Set<string>(
      ids
        .map(declarationOf)
        .filter(({ inProfile }) => typeof inProfile('quick') === 'string')
        .map(({ id }) => id),
    );
    expect(catalogue.filter(({ id, level }) => level === 'MUST' && left.has(id))).toEqual([]);
  });
});

describe('what a requirement leaves to another one', () => {
  const folder = new URL('../../suites/', import.meta.url);
  const suites = readdirSync(folder).filter((name) => name.endsWith('.suite.ts'));
  it.each(suites)('is data in %s: no comment and no sentence names a requirement', (name) => {
    const source = readFileSync(new URL(name, folder), 'utf8');
    const ids = [...source.matchAll(/(.?)\b([A-Z]+-\d{2})\b(.?)/g)].filter(([, , id = '']) =>
      isRequirementId(id),
    );
    expect(
      ids.filter(([, before, , after]) => before !== "'" || after !== "'").map(([text]) => text),
    ).toEqual([]);
  });
});

describe('a declaration', () => {
  it('that is there already is refused', () => {
    expect(() => requirement('LIST-02', { rule: () => [] })).toThrow('LIST-02 is declared twice');
  });
});
