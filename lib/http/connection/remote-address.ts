import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Where a connection went, as the socket tells. */
export interface RemoteAddress {
  readonly address: string;
  readonly port: number;
  /** The address is that of a proxy. */
  readonly proxy?: true;
  readonly certificate?: {
    /** SHA-256 of the certificate (DER), in hexadecimal. */
    readonly sha256: string;
    /** ISO 8601. */
    readonly validFrom: string;
    readonly validUntil: string;
  };
}

/** Undefined if the connection is closed already. */
export function remoteAddressOf(socket: Socket, throughProxy: boolean): RemoteAddress | undefined {
  const { remoteAddress: address, remotePort: port } = socket;
  if (address === undefined || port === undefined) return undefined;
  const certificate = socket instanceof TLSSocket ? certificateOf(socket) : undefined;
  return { address, port, ...(throughProxy && { proxy: true }), ...(certificate && { certificate }) };
}

function certificateOf(socket: TLSSocket): RemoteAddress['certificate'] {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return undefined;
  const [from, until] = [certificate.validFrom, certificate.validTo].map((text) => Date.parse(text));
  if (from === undefined || until === undefined || Number.isNaN(from) || Number.isNaN(until))
    return undefined;
  return {
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    validFrom: new Date(from).toISOString(),
    validUntil: new Date(until).toISOString(),
  };
}

/** Addresses of one target: a name may have several, and they may change. */
const mostKept = 16;

/** The addresses that a run's connections went to, each once, in the order of their first connection. */
export class RemoteAddresses {
  readonly #found = new Map<string, RemoteAddress>();

  see(one: RemoteAddress | undefined): void {
    if (!one) return;
    const key = `${one.address} ${one.port}`;
    const known = this.#found.get(key);
    // A TLS session that is taken up again shows no certificate.
    if (known ? known.certificate === undefined : this.#found.size < mostKept) this.#found.set(key, one);
  }

  get all(): readonly RemoteAddress[] {
    return [...this.#found.values()];
  }
}
