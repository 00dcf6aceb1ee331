import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as forward } from 'node:http';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAuthority, issue } from '../hostile/certificates.js';
import { serveReference } from '../reference/serve.js';
import { runConformance } from '../run-conformance.js';
import { UsageProblem } from '../explain/usage-problem.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-credentials-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('a key that runs out', () => {
  const quota = { perMinute: 1_000, perDay: 100_000 };
  const [first, second] = ['pets_first_7hQ2mVx9KdLw', 'pets_second_4tZ8nRb3JcYp'];

  /** Whose key is another one from its twentieth request on; `file` holds the one that is valid. */
  async function withRotation(next: string) {
    const keys = [{ key: first, ...quota }];
    const service = await serveReference({ keys });
    const file = fileOf('key', first);
    const rotation = setInterval(() => {
      if (service.requestCount() < 20) return;
      clearInterval(rotation);
      keys.splice(0, 1, { key: second, ...quota });
      writeFileSync(file, next);
    }, 1);
    onTestFinished(async () => {
      clearInterval(rotation);
      await service.close();
    });
    return { baseUrl: service.baseUrl, apiKeyCommand: `cat '${file}'`, plan: 'business' } as const;
  }

  it('is taken again from its command, and what was refused meanwhile is no fault', async () => {
    const output = join(folder, 'renewed');
    const target = await withRotation(second);
    const record = await runConformance({ ...target, output, only: ['AUTH', 'GET-01', 'LIST-02', 'CREATE'] });
    const wrong = record.requirements.filter(
      ({ verdict }) => verdict === 'fail' || verdict === 'inconclusive',
    );
    expect(wrong).toEqual([]);
    expect(record.requests.repeated?.map(({ reason }) => reason)).toContain(
      'the key had run out; another was taken',
    );
    const evidence = readFileSync(join(output, 'exchanges.jsonl'), 'utf8');
    expect(evidence).toContain('"credentialText":"a key that had run out"');
    for (const text of [evidence, JSON.stringify(record)]) {
      expect(text).not.toContain(first);
      expect(text).not.toContain(second);
    }
  });

  it('is refused as any other if the command gives the same again', async () => {
    const target = await withRotation(first);
    const record = await runConformance({ ...target, only: ['AUTH-04', 'LIST-02'] });
    expect(record.requirements.find(({ id }) => id === 'AUTH-04')?.verdict).toBe('fail');
  });
});

describe('a target that asks for a client certificate', () => {
  it('gets that of --cert and --key, and refuses a run without', async () => {
    const authority = await createAuthority();
    const [ofServer, ofClient] = [await issue({ authority }), await issue({ authority })];
    const service = await serveReference();
    const { port } = new URL(service.baseUrl);
    const server = createServer(
      { ...ofServer, ca: authority.cert, requestCert: true, rejectUnauthorized: true },
      (incoming, response) => {
        const { method, url: path, headers } = incoming;
        const onward = forward({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
          answer.pipe(response);
        });
        incoming.pipe(onward);
      },
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await service.close();
    });
    const target = {
      baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      apiKey: service.keys.find(({ perMinute }) => perMinute === 1_000)?.key ?? '',
      ca: fileOf('ca.pem', authority.cert),
      only: ['AUTH-01', 'LIST-01'],
      plan: 'business',
    } as const;
    const own = { cert: fileOf('client.pem', ofClient.cert), key: fileOf('client.key', ofClient.key) };
    const output = join(folder, 'certificate');
    const record = await runConformance({ ...target, ...own, output });
    expect(record.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)).toEqual([
      'AUTH-01',
      'LIST-01',
    ]);
    const evidence = readFileSync(join(output, 'exchanges.jsonl'), 'utf8');
    expect(evidence).toContain(JSON.stringify({ cert: [own.cert, own.key] }).slice(1, -1));
    expect(evidence).not.toContain(ofClient.key.split('\n')[1]);
    expect((await runConformance(target)).verdict).toBe('incomplete');
    const alone = runConformance({ ...target, cert: own.cert });
    await expect(alone).rejects.toThrow(new UsageProblem('cert and key belong together: give both'));
  });
});
