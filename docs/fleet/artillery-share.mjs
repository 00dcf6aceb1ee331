import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';

/** Sends the first share that no other virtual user has taken: making a folder succeeds for one of them alone. */
export async function sendShare({ vars: { target, shares, load } }) {
  for (let share = 1; share <= shares; share += 1) {
    try {
      mkdirSync(`share-${share}`);
    } catch (error) {
      if (error.code === 'EEXIST') continue;
      throw error;
    }
    const options = [`--share=${share}/${shares}`, `--begin=${process.env.BEGIN}`, `--output=share-${share}`];
    const words = ['--yes', 'petstore-conformance@0.1.0', 'load', `--base-url=${target}`, ...load.split(' ')];
    const [code] = await once(spawn('npx', [...words, ...options], { stdio: 'inherit' }), 'exit');
    if (code !== 0) throw new Error(`share ${share} ended with exit code ${code}`);
    return;
  }
  throw new Error(`all ${shares} shares have been sent: remove the folders share-*`);
}
