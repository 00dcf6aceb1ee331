import './suites/all.js';
import { variants } from './lib/reference/variants/variants.js';
import { limitVariants } from './lib/reference/variants/limit-variants.js';
import { algorithms, type AlgorithmName } from './lib/reference/limiter/algorithms.js';
import { limitConditions } from './lib/reference/variants/limit-conditions.js';
import { combineOptions } from './lib/reference/options.js';
import { proveLimitsAgainst } from './lib/proof/prove.js';
const [,, from, to] = process.argv;
function rng(seed: number) { let s = seed * 2654435761 >>> 0; return () => { s ^= s << 13; s >>>= 0; s ^= s >>> 17; s ^= s << 5; s >>>= 0; return s / 2 ** 32; }; }
const pool = variants.filter((v) => (v.plan === undefined || v.plan === 'business') && !v.name.startsWith('after-rem'));
const algos = Object.keys(algorithms) as AlgorithmName[];
for (let i = Number(from); i < Number(to); i++) {
  const random = rng(i + 1); for (let k = 0; k < 10; k++) random();
  const pick = <T,>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const habits = new Set(Array.from({ length: Math.floor(random() * 3) }, () => pick(pool)));
  const lv = new Set(Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(limitVariants)));
  const conds = random() < 0.3 ? [pick(limitConditions)] : [];
  const algorithm = pick(algos);
  const name = [algorithm, ...[...lv].map((v) => v.name), ...[...habits].map((v) => v.name), ...conds.map((c) => c.name)].join(' + ');
  const options = combineOptions({ limiter: { algorithm } }, ...[...habits].map((v) => v.options), ...[...lv].map((v) => v.options), ...conds.map((c) => c.options));
  const ahead = [...lv].find((v) => v.ahead !== undefined)?.ahead;
  const directory = `/tmp/c2/${i}`;
  try {
    const record = await proveLimitsAgainst(options, { directory, ...(ahead === undefined ? {} : { ahead }) });
    const turned = record.requirements.filter((r) => (r.verdict === 'fail' || r.verdict === 'warn') && !conds.some((c) => (c.turns as string[] ?? []).includes(r.id)));
    if (turned.length > 0) console.log(`#${i} ${name}`);
    for (const r of turned) console.log(`   EXTRA ${r.id}: ${r.findings[0]?.message} | ${r.findings[0]?.expected} | ${r.findings[0]?.received}`);
  } catch (error) { console.log(`#${i} THREW ${name}`, error); }
}
console.log('done');
process.exit(0);
