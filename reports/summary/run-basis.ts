import type { RunRecord } from '../../lib/record/record.js';

/** What a run rests on beside its options, as far as the record tells: for the facts of every format. */
export function runBasis({ suite, run, target }: RunRecord): [name: string, text: string][] {
  const { environment, waivers, traffic, options } = run;
  const description = options?.description;
  const facts: [name: string, text: string | undefined][] = [
    ['Code', suite.digest && `sha256:${suite.digest}`],
    ['Made on', environment && `Node ${environment.node}, ${environment.platform}`],
    ['Commit', environment?.commit],
    ['CI job', environment?.ciJob],
    ['Connected to', target.addresses?.map(addressText).join('; ')],
    [
      'Traffic',
      traffic &&
        `${fileText(traffic.file, traffic.sha256)}, recorded by ${traffic.tool || 'an unnamed program'}`,
    ],
    ['Left out', traffic && leftOutText(traffic.leftOut)],
    ['Waivers', waivers && fileText(waivers.file, waivers.sha256)],
    ['Description', description && fileText(description.source, description.sha256)],
  ];
  return facts.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
}

type Address = NonNullable<RunRecord['target']['addresses']>[number];

function addressText({ address, port, proxy, certificate }: Address): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return [
    `${proxy ? 'the proxy ' : ''}${host}:${port}`,
    ...(certificate
      ? [`certificate sha256:${certificate.sha256}, valid until ${certificate.validUntil.slice(0, 10)}`]
      : []),
  ].join(', ');
}

function fileText(file: string, sha256: string | undefined): string {
  return sha256 === undefined ? file : `${file} (sha256:${sha256})`;
}

/** Entries of a file that show nothing of the service. */
function leftOutText(leftOut: Readonly<Record<string, number>>): string | undefined {
  const parts = Object.entries(leftOut).map(([why, number]) => `${number} ${why}`);
  return parts.length === 0 ? undefined : parts.join(', ');
}
