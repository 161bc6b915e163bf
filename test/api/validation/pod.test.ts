import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validatePod } from '../../../src/api/validation/pod.ts';

const SPEC = { containers: [{ name: 'c' }] };

function problems(spec: object, rest: object = {}) {
  return validatePod({ metadata: { name: 'p' }, spec: { ...SPEC, ...spec }, ...rest }).map(
    ({ field, reason }) => `${field}: ${reason}`,
  );
}

const withRequests = (requests: unknown) => ({ containers: [{ name: 'c', resources: { requests } }] });
const withExpression = (expression: object) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [expression] }] },
    },
  },
});

const withTerm = (term: object) => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
});
const SPREAD = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const withSpread = (fields: object) => ({ topologySpreadConstraints: [{ ...SPREAD, ...fields }] });

/** Uses everything: dates as text and Date, and fields that nobody looks at. */
const FULL_POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web-1.a',
    namespace: 'prod',
    creationTimestamp: new Date(0),
    deletionTimestamp: '2026-01-31T12:00:00.5+01:00',
    labels: { 'example.com/App': 'Web_1', empty: '' },
    annotations: { 'Example.com/Note': 'any text\n' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u', controller: true }],
    managedFields: [{}],
  },
  spec: {
    nodeName: '',
    priority: -5,
    containers: [
      {
        name: 'c',
        ports: [{ containerPort: 80, hostPort: 8080, hostIP: '::1', protocol: 'TCP' }],
        resources: { requests: { cpu: 0.5, 'example.com/gpu': 2 }, limits: { cpu: 1, 'example.com/gpu': '2' } },
      },
    ],
    initContainers: [{ name: 'i', restartPolicy: 'Always' }],
    overhead: { memory: '10Mi' },
    resources: { requests: { 'hugepages-2Mi': '2Mi' } },
    nodeSelector: { pool: 'a' },
    tolerations: [
      { operator: 'Exists' },
      { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'g', operator: 'Gt', values: ['5'] },
                { key: 'g', operator: 'Gt', values: ['no-integer'] },
                { key: 'g', operator: 'Lt', values: ['9223372036854775808'] },
                { key: 'e', operator: 'Exists' },
              ],
            },
            { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, preference: { matchExpressions: [{ key: 'g', operator: 'Gt', values: ['-5'] }] } },
        ],
      },
    },
    schedulingGates: [{ name: 'a.b/c' }],
    priorityClassName: 'high',
    topologySpreadConstraints: [
      {
        ...SPREAD,
        labelSelector: { matchLabels: { a: 'b' } },
        minDomains: 2,
        nodeAffinityPolicy: 'Ignore',
        nodeTaintsPolicy: 'Honor',
        matchLabelKeys: ['a'],
      },
      { ...SPREAD, whenUnsatisfiable: 'ScheduleAnyway' },
    ],
    volumes: [
      { name: 'a', persistentVolumeClaim: { claimName: 'c.d' } },
      { name: 'b', ephemeral: { volumeClaimTemplate: { spec: {} } } },
      { name: 'c', emptyDir: {} },
    ],
    whatIsThis: { any: 1 },
  },
  status: { phase: 'Running', containerStatuses: [{ name: 'c', allocatedResources: { cpu: '1' } }] },
};

describe('validatePod', () => {
  it('accepts a pod that uses everything, dates as text or Date, and fields it does not know', () => {
    expect(validatePod(FULL_POD)).toEqual([]);
    expect(problems({ tolerations: null, nodeSelector: null, containers: [{ name: null, ports: null }] })).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ['no containers', { containers: [] }, /^spec\.containers: must hold at least one item$/],
    ['containers missing', { containers: null }, /^spec\.containers: is required$/],
    ['a list expected', { containers: { name: 'c' } }, /^spec\.containers: must be a list, not an object$/],
    ['an empty item', { containers: [null] }, /^spec\.containers\[0\]: must not be empty$/],
    ['a bad container name', { containers: [{ name: 'A_b' }] }, /^spec\.containers\[0\]\.name: bad name "A_b"/],
    [
      'one name twice',
      { containers: [{ name: 'c' }], initContainers: [{ name: 'c' }] },
      /^spec\.containers\[0\]\.name: duplicate container name "c"$/,
    ],
    ['a malformed quantity', withRequests({ cpu: '10Gi i' }), /requests\.cpu: malformed quantity "10Gi i"/],
    ['a negative quantity', withRequests({ memory: '-1Gi' }), /requests\.memory: negative quantity "-1Gi"$/],
    [
      'a quantity of a wrong type',
      withRequests({ cpu: { a: 1 } }),
      /requests\.cpu: must be a quantity .*not an object$/,
    ],
    [
      'a number that lost digits',
      withRequests({ memory: 2 ** 60 }),
      /requests\.memory: the number .* put it in quotes$/,
    ],
    ['a huge text', withRequests({ memory: '9'.repeat(1000) }), /requests\.memory: malformed quantity "9+…"$/],
    [
      'half a device',
      withRequests({ 'a.b/gpu': '500m' }),
      /requests\[a\.b\/gpu\]: must be a whole number, not "500m"$/,
    ],
    ['a bad resource name', withRequests({ 'a b': 1 }), /requests: bad key "a b"/],
    ['requests that are a list', withRequests([]), /requests: must be a map, not a list$/],
    [
      'more than the limit',
      { containers: [{ resources: { requests: { cpu: 2 }, limits: { cpu: '1500m' } } }] },
      /requests\.cpu: 2 is more than the limit "1500m"$/,
    ],
    [
      'a pod-level device',
      { resources: { requests: { 'a.b/gpu': 1 } } },
      /^spec\.resources\.requests\[a\.b\/gpu\]: cannot/,
    ],
    ['an unknown operator', withExpression({ key: 'a', operator: 'Has' }), /operator: unknown selector operator "Has"/],
    ['no operator', withExpression({ key: 'a' }), /operator: is required$/],
    [
      'In without values',
      withExpression({ key: 'a', operator: 'In', values: [] }),
      /values: must hold at least one value/,
    ],
    ['Exists with values', withExpression({ key: 'a', operator: 'Exists', values: ['b'] }), /values: must be empty/],
    ['Lt with two', withExpression({ key: 'a', operator: 'Lt', values: ['1', '2'] }), /values: must hold exactly one/],
    [
      'a weight of 0',
      {
        affinity: {
          nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }] },
        },
      },
      /weight: must be between 1 and 100, not 0$/,
    ],
    [
      'no terms',
      { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } },
      /nodeSelectorTerms: must hold at least one item$/,
    ],
    [
      'an unknown operator in pod affinity',
      {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'z', labelSelector: { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] } },
            ],
          },
        },
      },
      /operator: unknown selector operator "Gt"/,
    ],
    [
      'a negative number in required node affinity',
      withExpression({ key: 'a', operator: 'Gt', values: ['-5'] }),
      /values\[0\]: bad label value "-5"/,
    ],
    ['pod affinity without topologyKey', withTerm({}), /Execution\[0\]\.topologyKey: is required$/],
    ['a bad topologyKey', withTerm({ topologyKey: 'a b' }), /topologyKey: bad key "a b"/],
    ['a bad namespace', withTerm({ topologyKey: 'z', namespaces: ['A'] }), /namespaces\[0\]: bad name "A"/],
    [
      'a selector value that is no label',
      withTerm({
        topologyKey: 'z',
        labelSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['a b'] }] },
      }),
      /matchExpressions\[0\]\.values\[0\]: bad label value "a b"/,
    ],
    [
      'a bad namespaceSelector',
      withTerm({ topologyKey: 'z', namespaceSelector: { matchLabels: { a: 1 } } }),
      /namespaceSelector\.matchLabels\.a: must be a string/,
    ],
    [
      'matchLabelKeys without a selector',
      withTerm({ topologyKey: 'z', matchLabelKeys: ['a'] }),
      /\[0\]\.matchLabelKeys: must not be set when labelSelector is not set$/,
    ],
    [
      'mismatchLabelKeys without a selector',
      withTerm({ topologyKey: 'z', mismatchLabelKeys: ['a'] }),
      /mismatchLabelKeys: must not be set when labelSelector is not set$/,
    ],
    [
      'a key that matches and mismatches',
      withTerm({ topologyKey: 'z', labelSelector: {}, matchLabelKeys: ['b', 'a'], mismatchLabelKeys: ['a'] }),
      /matchLabelKeys\[1\]: "a" is in mismatchLabelKeys too$/,
    ],
    [
      'a weight of 101 in pod affinity',
      {
        affinity: {
          podAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, podAffinityTerm: { topologyKey: 'z' } }],
          },
        },
      },
      /weight: must be between 1 and 100, not 101$/,
    ],
    ['a constraint without topologyKey', withSpread({ topologyKey: null }), /\[0\]\.topologyKey: is required$/],
    ['maxSkew 0', withSpread({ maxSkew: 0 }), /\[0\]\.maxSkew: must be between 1 and 2147483647, not 0$/],
    ['no maxSkew', withSpread({ maxSkew: null }), /maxSkew: is required$/],
    [
      'an unknown whenUnsatisfiable',
      withSpread({ whenUnsatisfiable: 'Perhaps' }),
      /whenUnsatisfiable: unknown action "Perhaps" \(known: DoNotSchedule, ScheduleAnyway\)$/,
    ],
    ['minDomains 0', withSpread({ minDomains: 0 }), /minDomains: must be between 1/],
    [
      'minDomains of a soft constraint',
      withSpread({ minDomains: 2, whenUnsatisfiable: 'ScheduleAnyway' }),
      /minDomains: can only be set when whenUnsatisfiable is DoNotSchedule$/,
    ],
    ['an unknown policy', withSpread({ nodeAffinityPolicy: 'honor' }), /nodeAffinityPolicy: unknown policy "honor"/],
    ['an unknown taints policy', withSpread({ nodeTaintsPolicy: 'No' }), /nodeTaintsPolicy: unknown policy "No"/],
    [
      'spread keys without a selector',
      withSpread({ matchLabelKeys: ['a'] }),
      /matchLabelKeys: must not be set when labelSelector is not set$/,
    ],
    [
      'a spread selector with an unknown operator',
      withSpread({ labelSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }),
      /labelSelector\.matchExpressions\[0\]\.operator: unknown selector operator "Like"/,
    ],
    [
      'two constraints alike',
      { topologySpreadConstraints: [SPREAD, { ...SPREAD, maxSkew: 2 }] },
      /Constraints\[1\]: duplicate constraint {topologyKey, whenUnsatisfiable} "{zone, DoNotSchedule}"$/,
    ],
    ['a volume without name', { volumes: [{ emptyDir: {} }] }, /^spec\.volumes\[0\]\.name: is required$/],
    [
      'one volume twice',
      { volumes: [{ name: 'a' }, { name: 'a' }] },
      /^spec\.volumes\[1\]: duplicate volume name "a"$/,
    ],
    [
      'a claim without name',
      { volumes: [{ name: 'a', persistentVolumeClaim: {} }] },
      /persistentVolumeClaim\.claimName: is required$/,
    ],
    ['a disk without name', { volumes: [{ name: 'a', gcePersistentDisk: {} }] }, /pdName: is required$/],
    ['below 32 bits', { priority: -(2 ** 31) - 1 }, /^spec\.priority: must be between/],
    ['an unknown preemptionPolicy', { preemptionPolicy: 'Always' }, /unknown preemptionPolicy "Always"/],
    ['a bad class name', { priorityClassName: 'Very High' }, /^spec\.priorityClassName: bad name/],
    ['an unknown effect', { tolerations: [{ key: 'a', effect: 'Never' }] }, /effect: unknown taint effect "Never"/],
    [
      'an unknown toleration operator',
      { tolerations: [{ key: 'a', operator: 'In' }] },
      /unknown toleration operator "In"/,
    ],
    ['no key', { tolerations: [{ value: 'a' }] }, /operator: must be Exists when key is empty/],
    ['Exists with a value', { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }, /value: must be empty/],
    [
      'a port out of range',
      { containers: [{ ports: [{ containerPort: 65536 }] }] },
      /containerPort: must be between 1 and 65535/,
    ],
    [
      'a port as text',
      { containers: [{ ports: [{ hostPort: '80' }] }] },
      /hostPort: must be an integer, not the string "80"$/,
    ],
    ['a bad address', { containers: [{ ports: [{ hostIP: '1.2.3' }] }] }, /hostIP: bad IP address "1\.2\.3"$/],
    ['an unknown protocol', { containers: [{ ports: [{ protocol: 'tcp' }] }] }, /protocol: unknown protocol "tcp"/],
    ['a fraction', { priority: 1.5 }, /^spec\.priority: must be an integer, not the number 1\.5$/],
    ['beyond 32 bits', { priority: 2 ** 31 }, /^spec\.priority: must be between/],
    ['a boolean as text', { hostNetwork: 'true' }, /^spec\.hostNetwork: must be true or false, not the string "true"$/],
    ['another one', { hostUsers: 'false' }, /^spec\.hostUsers: must be true or false, not the string "false"$/],
    ['a number as label', { nodeSelector: { pool: 1 } }, /^spec\.nodeSelector\.pool: must be a string.*quotes\)$/],
    ['a bad label value', { nodeSelector: { pool: 'a b' } }, /^spec\.nodeSelector\.pool: bad label value "a b"/],
    ['a bad node name', { nodeName: 'Node_1' }, /^spec\.nodeName: bad name "Node_1"/],
    [
      'one gate twice',
      { schedulingGates: [{ name: 'a' }, { name: 'a' }] },
      /schedulingGates\[1\]: duplicate scheduling gate "a"$/,
    ],
  ])('refuses %s', (_what, spec, expected) => {
    const found = problems(spec);
    expect(found[0]).toMatch(expected);
    expect(found).toHaveLength(1);
  });

  it('refuses bad metadata, kinds and phases', () => {
    const metadata = (value: object) => problems({}, { metadata: { name: 'p', ...value } })[0];
    expect(metadata({ name: '' })).toBe('metadata.name: is required');
    expect(metadata({ name: 5 })).toMatch(/^metadata\.name: must be a string, not the number 5/);
    expect(metadata({ name: 'a'.repeat(254) })).toMatch(/longer than 253 characters$/);
    expect(metadata({ namespace: 'a.b' })).toMatch(/^metadata\.namespace: bad name/);
    expect(metadata({ labels: { '/x': 'a' } })).toMatch(/^metadata\.labels: bad key "\/x"/);
    expect(metadata({ creationTimestamp: 'yesterday' })).toMatch(/malformed timestamp "yesterday"/);
    expect(metadata({ deletionTimestamp: new Date(Number.NaN) })).toMatch(/invalid Date$/);
    expect(metadata({ ownerReferences: [{ kind: 'Job', name: 'j' }] })).toBe(
      'metadata.ownerReferences[0].uid: is required',
    );
    expect(problems({}, { metadata: null })[0]).toBe('metadata: is required');
    expect(problems({}, { status: { phase: 'Happy' } })[0]).toMatch(/^status\.phase: unknown phase "Happy"/);
    expect(problems({}, { apiVersion: 'v2' })[0]).toMatch(/^apiVersion: unknown apiVersion "v2"/);
    expect(validatePod(null)).toHaveLength(1);
    expect(validatePod('x', 'items[0]')[0]?.field).toBe('items[0]');
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withNullPrototype: true, maxDepth: 4 }), (value) => {
        validatePod(value);
        validatePod({ metadata: value, spec: value, status: value });
        validatePod({ metadata: { name: 'a' }, spec: { containers: [value], affinity: value, tolerations: [value] } });
      }),
    );
  });
});
