import type { ReferenceOptions } from '../options.js';

/** A service that conforms, and differs from the reference in something that the specification leaves open. */
export interface Variant {
  /** Unique, in words: `oldest-first`. */
  readonly name: string;
  /** What it does, in a sentence. */
  readonly title: string;
  /** What `serveReference` is started with, beside keys and port. */
  readonly options: ReferenceOptions;
}
