import type { Pod } from '../../api/pod.ts';

/** A port that a pod claims on its node's own network. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const ANY_IP = '0.0.0.0';

/** Host ports of containers and of sidecars (restartable init containers), as upstream's GetHostPorts. */
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

/** The host ports in use on one node. A wildcard address clashes with every address. */
export class UsedPorts {
  /** "protocol/port" -> addresses that hold it, each with the number of pods that claim it. */
  readonly #holders = new Map<string, Map<string, number>>();

  add(ports: readonly HostPort[]): void {
    for (const { ip, protocol, port } of ports) {
      const key = `${protocol}/${port}`;
      let addresses = this.#holders.get(key);
      if (addresses === undefined) {
        addresses = new Map();
        this.#holders.set(key, addresses);
      }
      addresses.set(ip, (addresses.get(ip) ?? 0) + 1);
    }
  }

  remove(ports: readonly HostPort[]): void {
    for (const { ip, protocol, port } of ports) {
      const key = `${protocol}/${port}`;
      const addresses = this.#holders.get(key);
      if (addresses === undefined) continue;
      const left = (addresses.get(ip) ?? 0) - 1;
      if (left > 0) addresses.set(ip, left);
      else addresses.delete(ip);
      if (addresses.size === 0) this.#holders.delete(key);
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
