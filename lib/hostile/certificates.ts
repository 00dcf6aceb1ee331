import { generate } from 'selfsigned';

/** A certificate and its key, PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateChoice {
  /** The DNS name that it is issued for, beside the loopback address. `null` issues it for another host instead. */
  readonly name?: 'localhost' | null;
  readonly validFrom?: Date;
  readonly validTo?: Date;
  /** Who signs it; by default itself. */
  readonly authority?: Certificate;
}

const day = 86_400_000;

/** A certificate for servers. */
export async function issue({
  name = 'localhost',
  validFrom,
  validTo,
  authority,
}: CertificateChoice): Promise<Certificate> {
  const commonName = name ?? 'elsewhere.example';
  const { cert, private: key } = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: validFrom ?? new Date(Date.now() - day),
    notAfterDate: validTo ?? new Date(Date.now() + 30 * day),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: commonName },
          ...(name === null ? [] : [{ type: 7 as const, ip: '127.0.0.1' }]),
        ],
      },
    ],
    ...(authority ? { ca: authority } : {}),
  });
  return { cert, key };
}

/** A certificate authority that clients only trust if they are configured to. */
export async function createAuthority(): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Hostile Test Authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - day),
    notAfterDate: new Date(Date.now() + 30 * day),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { cert, key };
}
