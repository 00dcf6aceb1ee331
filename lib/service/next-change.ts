import { relative } from 'node:path';
import { watch } from 'chokidar';

/** Folders whose files nobody edits, and what a run writes itself. */
const ignored = /(?:^|[\\/])(?:\.git|node_modules|__pycache__|\.venv|reports[\\/]runs)(?:[\\/]|$)|\.log$/;

/** Milliseconds after a change in which further ones belong to it: an editor, or a build, writes more than one file. */
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

/** The terminal, or what stands for it. */
interface Keys {
  readonly isTTY: boolean;
  setRawMode(raw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: 'data', tell: (key: Buffer) => void): unknown;
  off(event: 'data', tell: (key: Buffer) => void): unknown;
}

/** What ended a wait: a file, a key, or the user's wish to end. */
export type Next = 'again' | 'end';

/**
 * Waits for changes and keys, time after time. A change while nobody waits counts for the next wait, unless the file had
 * changed in such a time before: then it is the service that writes it.
 */
export class NextChange {
  readonly #keys: Keys;
  readonly #writtenByService = new Set<string>();
  #pending = false;
  #tell: (() => void) | undefined;

  constructor(changes: Pick<Changes, 'onChange'>, keys: Keys) {
    this.#keys = keys;
    changes.onChange((path) => {
      if (this.#tell) this.#tell();
      else if (this.#writtenByService.has(path)) return;
      else {
        this.#writtenByService.add(path);
        this.#pending = true;
      }
    });
  }

  /** `end` if the signal aborts, or `q` or Ctrl-C is pressed. */
  async wait(signal: AbortSignal): Promise<Next> {
    if (signal.aborted) return 'end';
    if (this.#pending) {
      this.#pending = false;
      return 'again';
    }
    const keys = this.#keys;
    return new Promise<Next>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (next: Next): void => {
        clearTimeout(timer);
        this.#tell = undefined;
        signal.removeEventListener('abort', interrupted);
        keys.off('data', pressed);
        if (keys.isTTY) keys.setRawMode(false);
        keys.pause();
        resolve(next);
      };
      const interrupted = (): void => end('end');
      const pressed = (key: Buffer): void => end(/^[q\u0003\u0004]/.test(String(key)) ? 'end' : 'again');
      this.#tell = () => (timer ??= setTimeout(() => end('again'), settles));
      signal.addEventListener('abort', interrupted, { once: true });
      if (keys.isTTY) {
        keys.setRawMode(true);
        keys.on('data', pressed);
        keys.resume();
      }
    });
  }
}
