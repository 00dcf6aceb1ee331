import { expect, it } from 'vitest';
import { redactionOf } from '../evidence/redaction.js';
import { redacted } from './record-redaction.js';

const key = 'conformance-key-1';

it('what may quote the target loses parts of a key that the target has repeated, and what the user wrote does not', () => {
  const redaction = redactionOf([[key, '$PETSTORE_API_KEY']]);
  redaction.received('unknown key conformance-key-');
  const record = {
    run: { command: 'petstore-conformance --plan=business' },
    requirements: [{ title: 'A conformance-key-', findings: [{ received: 'conformance-key-' }] }],
  };
  expect(redacted(record, redaction)).toEqual({
    run: { command: 'petstore-conformance --plan=business' },
    requirements: [{ title: 'A conformance-key-', findings: [{ received: '[part of PETSTORE_API_KEY]' }] }],
  });
});

it('a whole key goes wherever it stands', () => {
  const redaction = redactionOf([[key, '$PETSTORE_API_KEY']]);
  expect(redacted({ command: `--base-url=http://${key}.example`, reason: key }, redaction)).toEqual({
    command: '--base-url=http://$PETSTORE_API_KEY.example',
    reason: '$PETSTORE_API_KEY',
  });
});
