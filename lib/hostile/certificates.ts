import { generate } from 'selfsigned';

/** A certificate and its key, PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateChoice {
  /** The DNS name that it is issued for, beside the loopback address. `null` issues it for another host instead. */
  readonly name?: 'localhost' | null;
  /** By default 30 days from now. */
  readonly validTo?: Date;
  /** Who signs it; by default itself. */
  readonly authority?: Certificate;
}

type Options = NonNullable<Parameters<typeof generate>[1]>;

const day = 86_400_000;

/** A certificate for servers and clients. */
export async function issue({
  name = 'localhost',
  validTo,
  authority,
}: CertificateChoice): Promise<Certificate> {
  const commonName = name ?? 'elsewhere.example';
  const address = name === null ? [] : [{ type: 7 as const, ip: '127.0.0.1' }];
  return certificate(commonName, {
    ...(validTo && { notAfterDate: validTo }),
    ...(authority && { ca: authority }),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: commonName }, ...address] },
    ],
  });
}

/** A certificate authority that clients only trust if they are configured to. */
export async function createAuthority(): Promise<Certificate> {
  return certificate('Hostile Test Authority', {
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
}

async function certificate(commonName: string, options: Options): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 730 * day),
    notAfterDate: new Date(Date.now() + 30 * day),
    ...options,
  });
  return { cert, key };
}
