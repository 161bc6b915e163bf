import type { KubernetesObject } from '../../api/meta.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { ServiceSpec } from './service-spec.ts';

/** The addresses that services may have: all that begin so. */
export const ADDRESS_PREFIX = '10.0.';
export const PORT_MIN = 30_000;
export const PORT_MAX = 32_767;

const ADDRESS_COUNT = 65_534;
const FIRST_ADDRESS = 256;

/** The addresses and node ports of a cluster as one service may use them. */
export interface ServicePool {
  isUsedAddress(address: string): boolean;
  isUsedPort(port: number): boolean;
  /** An address that no service has. */
  freeAddress(): string;
  /** A port that no service has, and that was not returned before. */
  freePort(): number;
}

/** Where the search for the next free address and port begins, so that one that was freed is not reused at once. */
interface Cursor {
  address: number;
  port: number;
}

const cursors = new WeakMap<Ledger, Cursor>();

/** What the services of a ledger leave, besides one that may keep its own. */
export class LedgerPool implements ServicePool {
  readonly #addresses: ReadonlySet<string>;
  readonly #ports: Set<number>;
  readonly #cursor: Cursor;

  /** `ownUid`: the uid of the service that is allocated for, if it exists already. */
  constructor(ledger: Ledger, ownUid: string | undefined) {
    const all = [...ledger.objects('services').values()] as readonly (KubernetesObject & { spec?: unknown })[];
    const others = all
      .filter(({ metadata }) => metadata?.uid !== ownUid)
      .map(({ spec }) => (spec ?? {}) as ServiceSpec);
    this.#addresses = new Set(others.flatMap(({ clusterIPs }) => clusterIPs ?? []));
    this.#ports = new Set(others.flatMap(portsOf));
    this.#cursor = cursors.get(ledger) ?? { address: FIRST_ADDRESS - 1, port: PORT_MIN - 1 };
    cursors.set(ledger, this.#cursor);
  }

  isUsedAddress(address: string): boolean {
    return this.#addresses.has(address);
  }

  isUsedPort(port: number): boolean {
    return this.#ports.has(port);
  }

  freeAddress(): string {
    const cursor = this.#cursor;
    for (;;) {
      cursor.address = (cursor.address % ADDRESS_COUNT) + 1;
      const address = `${ADDRESS_PREFIX}${cursor.address >> 8}.${cursor.address & 255}`;
      if (!this.#addresses.has(address)) return address;
    }
  }

  freePort(): number {
    const cursor = this.#cursor;
    for (;;) {
      cursor.port = cursor.port >= PORT_MAX ? PORT_MIN : cursor.port + 1;
      if (this.#ports.has(cursor.port)) continue;
      this.#ports.add(cursor.port);
      return cursor.port;
    }
  }
}

function portsOf({ ports = [], healthCheckNodePort = 0 }: ServiceSpec): number[] {
  return [...ports.map(({ nodePort }) => nodePort ?? 0), healthCheckNodePort];
}

/** A dry run takes nothing, and is always shown the same. */
export const DRY_RUN_POOL: ServicePool = {
  isUsedAddress: () => false,
  isUsedPort: () => false,
  freeAddress: () => `${ADDRESS_PREFIX}0.0`,
  freePort: () => PORT_MIN,
};
