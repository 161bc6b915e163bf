import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { kindProblems } from './kind-problems.ts';

const PORTS = [{ port: 80, targetPort: 80, protocol: 'TCP' }];

describe('serviceErrors', () => {
  const problems = (spec: JsonObject): string[] => kindProblems('v1', 'Service', { spec: { ports: PORTS, ...spec } });

  it.each<[JsonObject, string[]]>([
    [
      { type: 'ExternalName', externalName: 'a.b', clusterIPs: ['None'], ipFamilyPolicy: 'SingleStack' },
      [
        'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
        'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
      ],
    ],
    [
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 90_000 } } },
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 90000: ' +
          'must be greater than 0 and less than 86400',
      ],
    ],
    [
      { externalIPs: ['127.0.0.1'], externalTrafficPolicy: 'Cluster' },
      ['spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ],
    [
      { healthCheckNodePort: 1 },
      [
        'spec.healthCheckNodePort: Invalid value: 1: ' +
          "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      { trafficDistribution: 'x' },
      [
        'spec.trafficDistribution: Unsupported value: "x": ' +
          'supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
      ],
    ],
    [
      { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'] },
      [
        'spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: ' +
          'may specify no more than one IP for each IP family',
      ],
    ],
    [
      { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv6'] },
      ['spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`'],
    ],
    [{ ipFamilies: ['IPv4', 'IPv4'] }, ['spec.ipFamilies[1]: Duplicate value: "IPv4"']],
    [
      { type: 'LoadBalancer', loadBalancerClass: 'a/', externalTrafficPolicy: 'Cluster' },
      ['spec.loadBalancerClass: Invalid value: "a/": name part must be non-empty'],
    ],
  ])('refuses %j', (spec, expected) => {
    expect(problems(spec).slice(0, expected.length)).toEqual(expected);
  });

  it('refuses a port of nodes that is wanted twice', () => {
    const ports = ['a', 'b'].map((name, i) => ({ ...PORTS[0], name, port: i + 1, nodePort: 30_000 }));
    expect(problems({ type: 'NodePort', ports })).toEqual(['spec.ports[1].nodePort: Duplicate value: 30000']);
  });
});

it('checks where endpoints are', () => {
  const addresses = [{ ip: '224.0.0.5', hostname: 'A', nodeName: 'n_1' }];
  const found = kindProblems('v1', 'Endpoints', { subsets: [{ addresses }] });
  expect(found.map((problem) => problem.split(': ')[0])).toEqual([
    'subsets[0].addresses[0].hostname',
    'subsets[0].addresses[0].nodeName',
    'subsets[0].addresses[0].ip',
  ]);
});

it('wants full domains in slices of domains', () => {
  const problems = (address: string): string[] =>
    kindProblems('discovery.k8s.io/v1', 'EndpointSlice', {
      addressType: 'FQDN',
      endpoints: [{ addresses: [address] }],
    });
  expect(problems('a.b.')).toEqual([]);
  expect(problems('a')).toEqual([
    'endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots',
  ]);
});
