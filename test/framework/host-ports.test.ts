import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HostPort, hostPorts, UsedPorts } from '../../src/framework/host-ports.ts';
import { makePod } from '../builders/make-pod.ts';

const port = (text: string): HostPort => {
  const [ip = '', protocol = '', number = ''] = text.split(' ');
  return { ip, protocol, port: Number(number) };
};

describe('hostPorts', () => {
  test('address and protocol have defaults; no host port, no claim', () => {
    const ports = [
      { hostPort: 80 },
      { hostPort: 80, hostIP: '', protocol: '' },
      { hostPort: 53, hostIP: '::', protocol: 'UDP' },
      { containerPort: 80 },
      { hostPort: 0 },
    ];
    const tcp80 = port('0.0.0.0 TCP 80');
    expect(hostPorts(makePod('p', { ports }))).toEqual([tcp80, tcp80, port(':: UDP 53')]);
  });

  test('sidecars hold ports, other init containers only pass through', () => {
    const initContainers = [
      { restartPolicy: 'Always', ports: [{ hostPort: 1 }] },
      { restartPolicy: 'OnFailure', ports: [{ hostPort: 2 }] },
      { ports: [{ hostPort: 3 }] },
    ];
    const pod = makePod('p', { spec: { containers: [{ ports: [{ hostPort: 4 }] }, {}], initContainers } });
    expect(hostPorts(pod).map((claim) => claim.port)).toEqual([4, 1]);
    expect(hostPorts({})).toEqual([]);
  });
});

describe('UsedPorts', () => {
  test.each([
    ['10.0.0.1 TCP 80', '10.0.0.1 TCP 80', true],
    ['10.0.0.1 TCP 80', '10.0.0.2 TCP 80', false],
    ['0.0.0.0 TCP 80', '10.0.0.2 TCP 80', true],
    ['10.0.0.1 TCP 80', '0.0.0.0 TCP 80', true],
    // Upstream knows the wildcard of IPv4 only.
    [':: TCP 80', '10.0.0.1 TCP 80', false],
    [':: TCP 80', '0.0.0.0 TCP 80', true],
    ['0.0.0.0 TCP 80', '0.0.0.0 UDP 80', false],
    ['0.0.0.0 TCP 80', '0.0.0.0 TCP 81', false],
  ])('%s in use, %s wanted: conflict %s', (used, wanted, conflict) => {
    const ports = new UsedPorts();
    ports.add([port(used)]);
    expect(ports.conflictsWith([port(wanted)])).toBe(conflict);
    expect(ports.conflictsWith([port('1.1.1.1 SCTP 1'), port(wanted)])).toBe(conflict);
    ports.remove([port(used)]);
    expect(ports.conflictsWith([port(wanted)])).toBe(false);
  });

  test('a port that two pods claim is free when one of them is gone', () => {
    const ports = new UsedPorts();
    const claim = port('0.0.0.0 TCP 80');
    ports.add([claim]);
    ports.add([claim]);
    const copy = ports.clone();
    ports.remove([claim]);
    expect([ports.conflictsWith([claim]), copy.conflictsWith([claim])]).toEqual([false, true]);
    ports.remove([claim]);
    expect(ports.conflictsWith([claim])).toBe(false);
  });

  test('agrees with a plain list of claims', () => {
    const anyPort = fc.record({
      ip: fc.constantFrom('0.0.0.0', '10.0.0.1', '10.0.0.2', '::'),
      protocol: fc.constantFrom('TCP', 'UDP'),
      port: fc.constantFrom(80, 443),
    });
    fc.assert(
      fc.property(fc.array(fc.array(anyPort, { maxLength: 3 })), fc.nat(), anyPort, (pods, removed, wanted) => {
        const ports = new UsedPorts();
        for (const claims of pods) ports.add(claims);
        const gone = pods[removed % Math.max(1, pods.length)] ?? [];
        ports.remove(gone);
        const isGone = (claim: HostPort) => gone.some((each) => JSON.stringify(each) === JSON.stringify(claim));
        const left = pods.flat().filter((claim) => !isGone(claim));
        const clash = left.some(({ ip, protocol, port }) => {
          const sameAddress = ip === wanted.ip || ip === '0.0.0.0' || wanted.ip === '0.0.0.0';
          return sameAddress && protocol === wanted.protocol && port === wanted.port;
        });
        expect(ports.conflictsWith([wanted])).toBe(clash);
      }),
    );
  });
});
