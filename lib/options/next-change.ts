import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { watch } from 'chokidar';

/** Folders whose files nobody edits, and what a run writes itself. */
const ignored = /(?:^|[\\/])(?:\.git|node_modules|__pycache__|\.venv|reports[\\/]runs)(?:[\\/]|$)|\.log$/;

/** Milliseconds after a change in which further ones belong to it. */
const settles = 100;

/** Changes of files below a path. */
export interface Changes {
  /** Calls back with the path of each file that changes. */
  onChange(tell: (path: string) => void): void;
  close(): Promise<void>;
  /** Resolves when all files are watched. */
  readonly ready: Promise<unknown>;
}

/** Watches the files below a path, but those of version control, of dependencies and of runs. */
export function changesBelow(path: string): Changes {
  const watcher = watch(path, { ignored: (file) => ignored.test(relative('.', file)), ignoreInitial: true });
  // What can't be watched, such as a folder without permission, is not watched.
  watcher.on('error', () => undefined);
  const ready = new Promise<void>((resolve) => {
    watcher.once('ready', () => resolve());
  });
  return {
    ready,
    onChange: (tell) => void watcher.on('all', (_, file) => tell(file)),
    close: async () => watcher.close(),
  };
}

/** What ended a wait: a file, or the user's wish to end. */
export type Next = 'again' | 'end';

/**
 * Waits for a change, one time after another. A change while nobody waits counts for the next wait, unless the file had
 * changed in such a time before: then it is the service that writes it.
 */
export class NextChange {
  readonly #writtenByService = new Set<string>();
  #pending = false;
  #tell: (() => void) | undefined;

  constructor(changes: Pick<Changes, 'onChange'>) {
    changes.onChange((path) => {
      if (this.#tell) this.#tell();
      else if (this.#writtenByService.has(path)) return;
      else {
        this.#writtenByService.add(path);
        this.#pending = true;
      }
    });
  }

  /** `end` if the signal aborts. */
  async wait(signal: AbortSignal): Promise<Next> {
    if (!this.#pending && !signal.aborted) {
      const waited = new AbortController();
      await new Promise<void>((resolve) => {
        this.#tell = resolve;
        signal.addEventListener('abort', () => resolve(), { signal: waited.signal });
      });
      waited.abort();
      // Further changes belong to it: an editor, or a build, writes more than one file.
      await delay(settles, undefined, { signal }).catch(() => undefined);
      this.#tell = undefined;
    }
    this.#pending = false;
    return signal.aborted ? 'end' : 'again';
  }
}
