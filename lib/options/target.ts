import { keyVariable, type KeyName } from '../http/exchange/credential.js';
import type { Plan } from '../specification/plan.js';
import type { TargetValues } from './read-target.js';

type Header = readonly [name: string, value: string];

/** A target as a run needs it: what its options say, and what follows from that. */
export interface Target extends Pick<TargetValues, 'otherApiKey' | 'categoryId'> {
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How a shell command names the key; by default `$PETSTORE_API_KEY`. */
  readonly keyName?: KeyName | undefined;
  /** Gets another key, if this one runs out. */
  readonly renewKey?: (() => Promise<string | undefined>) | undefined;
  readonly plan: Plan;
  /** False if no plan was given: requests are paced as on the Free plan, and RATE-04 is not judged. */
  readonly planGiven: boolean;
  /** The variable that holds the second key; by default `PETSTORE_OTHER_API_KEY`. */
  readonly otherKeyVariable?: string | undefined;
  /** Milliseconds within which a created animal must be listed. */
  readonly consistencyMs: number;
  /** Milliseconds for one request as a whole. */
  readonly deadlineMs: number;
  readonly readOnly: boolean;
  /** The production target that it is, as a message names it. */
  readonly production?: string | undefined;
  /** Source addresses of this machine, the vantage points of LIMIT-15; connections come from the first. */
  readonly localAddresses?: readonly string[] | undefined;
  /** Further header fields of every request. */
  readonly headers?: readonly Header[] | undefined;
  /** Those of them that may be credentials: their values are written nowhere. */
  readonly secretHeaders?: readonly Header[] | undefined;
  /** How the options are called that a message tells the user to look at: `STAGING_API_KEY`, `--plan`. */
  readonly optionNames?: Readonly<Record<'baseUrl' | 'apiKey' | 'plan', string>> | undefined;
  /** PEM text of a CA certificate to trust beside the well-known ones, and its file. */
  readonly ca?: string | undefined;
  readonly caFile?: string | undefined;
  /** What the client shows of itself (PEM), and its files. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string } | undefined;
  readonly certFiles?: readonly [cert: string, key: string] | undefined;
}

/** The variables that stand for a target's keys in what is recorded. */
export function keyVariablesOf({ keyName, otherKeyVariable }: Target): { own: string; other: string } {
  return { own: keyName?.variable ?? keyVariable, other: otherKeyVariable ?? 'PETSTORE_OTHER_API_KEY' };
}
