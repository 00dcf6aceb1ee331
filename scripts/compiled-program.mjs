import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';

/** Microseconds of work: a command that needed less has compiled too little of the program to keep it. */
const worthKeeping = 700_000;

/**
 * Runs a bundled program. What V8 has compiled of it is kept beside it, if it can be written there, and is loaded by the
 * next start, which takes a third of the time. V8 itself refuses what another version of it has compiled.
 */
export function runProgram(file) {
  // A run is short: V8 spends a fifth of it on optimizing what is hardly used again, unless it waits for longer use.
  setFlagsFromString('--interrupt-budget=400000');
  const { mtimeMs, size } = statSync(file);
  const compiled = [file, process.version, ...process.execArgv, size, mtimeMs]
    .join(' ')
    .replaceAll(/[ =]+/g, '-');
  const cachedData = orNothing(() => readFileSync(compiled));
  // As the bundler writes it, every character of it is one byte.
  const text = `(function(require,module,exports,__filename,importModule){${readFileSync(file, 'latin1')}\n})`;
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = new Script(text, { filename: file, cachedData, importModuleDynamically });
  if (cachedData === undefined || script.cachedDataRejected)
    process.once('exit', () => {
      if (process.cpuUsage().user < worthKeeping) return;
      orNothing(() => {
        writeFileSync(`${compiled}.${process.pid}`, script.createCachedData());
        renameSync(`${compiled}.${process.pid}`, compiled);
      });
    });
  const module = { exports: {} };
  script.runInThisContext()(createRequire(file), module, module.exports, file, (url) => import(url));
}

/** What can't be read or written takes time, and nothing else. */
function orNothing(attempt) {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}
