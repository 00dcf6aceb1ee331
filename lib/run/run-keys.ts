import type { Redaction } from '../evidence/redaction.js';
import { credentialsFor, renewableCredential, type Credentials } from '../http/exchange/credential.js';
import { keyVariablesOf } from '../options/target.js';
import type { Settings } from './settings.js';

/** The credentials of the target's key, or of the one that was taken since. */
export function livingCredentials(
  { apiKey, keyName, renewKey }: Settings['target'],
  redact: Redaction,
): () => Credentials {
  let credentials = credentialsFor(apiKey, keyName);
  if (!renewKey) return () => credentials;
  const valid = renewableCredential(credentials.valid, async () => {
    const key = await renewKey();
    if (key === undefined) return undefined;
    const others = credentialsFor(key, keyName);
    redact.add(others.secrets);
    credentials = { ...others, valid };
    return key;
  });
  credentials = { ...credentials, valid };
  return () => credentials;
}

/** Every key of a run, with what stands for it in what is recorded. */
export function secretsOf({ target, observeBanKey }: Settings, own: Credentials): Credentials['secrets'] {
  const others = [
    { apiKey: target.otherApiKey, variable: keyVariablesOf(target).other },
    { apiKey: observeBanKey, variable: 'PETSTORE_BAN_API_KEY' },
  ];
  return [
    ...own.secrets,
    ...others.flatMap(({ apiKey, variable }) =>
      apiKey === undefined || apiKey === target.apiKey ? [] : credentialsFor(apiKey, { variable }).secrets,
    ),
    ...(target.secretHeaders ?? []).map(([name, value]) => [value, `[the header ${name}]`] as const),
  ];
}
