import { expect, it } from 'vitest';
import { kindProblems } from './kind-problems.ts';

const problems = (spec: object): string[] =>
  kindProblems('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {}, ...spec } });

it('ports have numbers or names, and perhaps an end', () => {
  const port = (one: object): string[] => problems({ ingress: [{ ports: [one] }] });
  const at = 'spec.ingress[0].ports[0]';
  expect(port({ port: 80, endPort: 90, protocol: 'UDP' })).toEqual([]);
  expect(port({ port: 80, endPort: 70 })).toEqual([
    `${at}.endPort: Invalid value: 80: must be greater than or equal to \`port\``,
  ]);
  expect(port({ port: 'http', endPort: 70 })).toEqual([
    `${at}.endPort: Invalid value: 70: may not be specified when \`port\` is non-numeric`,
  ]);
  expect(port({ endPort: 70 })).toEqual([
    `${at}.endPort: Invalid value: 70: may not be specified when \`port\` is not specified`,
  ]);
  expect(port({ protocol: 'ICMP' })).toEqual([
    `${at}.protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"`,
  ]);
});

it('peers are selected, or a range of addresses with exceptions', () => {
  const peer = (one: object): string[] => problems({ egress: [{ to: [one] }] });
  const at = 'spec.egress[0].to[0]';
  expect(peer({ podSelector: {}, namespaceSelector: {} })).toEqual([]);
  expect(peer({})).toEqual([`${at}: Required value: must specify a peer`]);
  expect(peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } })).toEqual([]);
  expect(peer({ ipBlock: { cidr: '2001:db8::/32', except: ['2001:db8:1::/48'] } })).toEqual([]);
  expect(peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16', '10.0.0.0/8'] } })).toEqual([
    `${at}.ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of \`cidr\``,
    `${at}.ipBlock.except[1]: Invalid value: "10.0.0.0/8": must be a strict subset of \`cidr\``,
  ]);
  expect(peer({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} })).toEqual([
    `${at}: Forbidden: may not specify both ipBlock and another peer`,
  ]);
});

it('types are ingress and egress', () => {
  expect(problems({ policyTypes: ['Ingress', 'Odd'] })).toEqual([
    'spec.policyTypes[1]: Unsupported value: "Odd": supported values: "Ingress", "Egress"',
  ]);
});
