import type { Pod } from '../api/pod.ts';

/** A port of the node's network that a pod uses. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const ANY_IP = '0.0.0.0';

/** The host ports of containers and of sidecars, which are restartable init containers (upstream's GetHostPorts). */
export function hostPorts(pod: Pod): HostPort[] {
  const ports: HostPort[] = [];
  const sidecars = (pod.spec?.initContainers ?? []).filter((container) => container.restartPolicy === 'Always');
  for (const container of [...(pod.spec?.containers ?? []), ...sidecars]) {
    for (const { hostPort, hostIP, protocol } of container.ports ?? []) {
      if (hostPort && hostPort > 0) ports.push({ ip: hostIP || ANY_IP, protocol: protocol || 'TCP', port: hostPort });
    }
  }
  return ports;
}

/**
 * The host ports that are in use on one node. A wildcard address conflicts with every address. As upstream
 * (framework/types.go), ports have no count of their users: a port that several pods use is free once one of them is
 * removed.
 */
export class UsedPorts {
  /** The addresses at which a port is used, by "protocol/port". */
  readonly #holders: Map<string, Set<string>>;

  constructor(holders: ReadonlyMap<string, ReadonlySet<string>> = new Map()) {
    this.#holders = new Map([...holders].map(([key, addresses]) => [key, new Set(addresses)]));
  }

  /** The addresses by "protocol/port". */
  entries(): [string, string[]][] {
    return Array.from(this.#holders, ([key, addresses]) => [key, [...addresses]]);
  }

  clone(): UsedPorts {
    return new UsedPorts(this.#holders);
  }

  add(ports: readonly HostPort[]): void {
    for (const { ip, protocol, port } of ports) {
      const key = `${protocol}/${port}`;
      const addresses = this.#holders.get(key);
      if (addresses === undefined) this.#holders.set(key, new Set([ip]));
      else addresses.add(ip);
    }
  }

  remove(ports: readonly HostPort[]): void {
    for (const { ip, protocol, port } of ports) {
      const key = `${protocol}/${port}`;
      const addresses = this.#holders.get(key);
      addresses?.delete(ip);
      if (addresses?.size === 0) this.#holders.delete(key);
    }
  }

  conflictsWith(ports: readonly HostPort[]): boolean {
    return ports.some(({ ip, protocol, port }) => {
      const addresses = this.#holders.get(`${protocol}/${port}`);
      if (addresses === undefined) return false;
      return ip === ANY_IP || addresses.has(ip) || addresses.has(ANY_IP);
    });
  }
}
