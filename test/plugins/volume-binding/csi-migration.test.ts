import { describe, expect, it } from 'vitest';
import type { Labels } from '../../../src/api/meta.ts';
import type { NodeSelectorTerm } from '../../../src/api/node-selector.ts';
import type { CSINode, PersistentVolume } from '../../../src/api/storage.ts';
import type { InTreeVolumeSource } from '../../../src/api/volumes.ts';
import { asOnNode } from '../../../src/plugins/volume-binding/csi-migration.ts';
import { VolumeBinding } from '../../../src/plugins/volume-binding/plugin.ts';
import { filterCluster } from '../../builders/filter-cluster.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeVolume, podWithClaims } from '../../builders/make-storage.ts';

const ZONE = 'topology.kubernetes.io/zone';
const BETA_ZONE = 'failure-domain.beta.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';
const BETA_REGION = 'failure-domain.beta.kubernetes.io/region';
const GKE = 'topology.gke.io/zone';

const disk: InTreeVolumeSource = { gcePersistentDisk: { pdName: 'd' } };
const ALL = ['aws-ebs', 'azure-disk', 'cinder', 'gce-pd', 'portworx-volume'];

/** Key and values of each requirement; no values: the key must be there. */
type Term = Readonly<Record<string, readonly string[]>>;

function termOf(term: Term): NodeSelectorTerm {
  const matchExpressions = Object.entries(term).map(([key, values]) =>
    values.length === 0 ? { key, operator: 'Exists' } : { key, operator: 'In', values },
  );
  return { matchExpressions };
}

function inTree(source: InTreeVolumeSource, labels: Labels = {}, terms: readonly Term[] | null = null) {
  const nodeAffinity = terms === null ? undefined : { required: { nodeSelectorTerms: terms.map(termOf) } };
  return makeVolume('v', { labels, spec: { csi: undefined, ...source, nodeAffinity } });
}

function csiNode(name: string, plugins: readonly string[]): CSINode {
  const migrated = plugins.map((plugin) => `kubernetes.io/${plugin}`).join(',');
  return { metadata: { name, annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': migrated } } };
}

/** The terms that decide on a node that has migrated all plugins. */
function termsOnNode(volume: PersistentVolume): Term[] | string | undefined {
  const cluster = makeCluster([]);
  cluster.objects.set('CSINode', csiNode('n', ALL));
  const translated = asOnNode(volume, makeNode('n'), cluster.objects);
  if ('error' in translated) return translated.error;
  return translated.spec?.nodeAffinity?.required?.nodeSelectorTerms?.map(({ matchExpressions = [] }) =>
    Object.fromEntries(matchExpressions.map(({ key, values = [] }) => [key, values])),
  );
}

describe('a volume that a driver has taken over', () => {
  it.each<[string, Labels, readonly Term[] | null, readonly Term[] | undefined]>([
    ['the zone of its label', { [ZONE]: 'a' }, null, [{ [GKE]: ['a'] }]],
    ['the zone of its label, without spaces', { [ZONE]: ' a ' }, null, [{ [GKE]: ['a'] }]],
    ['the zone of its older label', { [BETA_ZONE]: 'a', [BETA_REGION]: 'r' }, null, [{ [GKE]: ['a'] }]],
    ['the zone of its label, not of its older one', { [ZONE]: 'a', [BETA_ZONE]: 'b' }, null, [{ [GKE]: ['a'] }]],
    ['all zones of its label', { [ZONE]: 'r-1-a__r-1-b' }, null, [{ [GKE]: ['r-1-a', 'r-1-b'] }]],
    [
      'the zones of its terms',
      {},
      [{ [ZONE]: ['a'] }, { [ZONE]: ['b'], x: ['y'] }],
      [{ [GKE]: ['a'] }, { [GKE]: ['b'], x: ['y'] }],
    ],
    ['the zones of its terms, not of its labels', { [ZONE]: 'a' }, [{ [ZONE]: ['b'] }], [{ [GKE]: ['b'] }]],
    [
      'older terms, with their regions',
      { [ZONE]: 'a' },
      [{ [BETA_ZONE]: ['b'], [BETA_REGION]: ['r'] }],
      [{ [GKE]: ['b'], [REGION]: ['r'] }],
    ],
    [
      'newer terms beside older ones',
      {},
      [{ [ZONE]: ['a'] }, { [BETA_ZONE]: ['b'] }],
      [{ [GKE]: ['a'] }, { [BETA_ZONE]: ['b'] }],
    ],
    [
      'the zone of its label beside terms without zones',
      { [ZONE]: 'a' },
      [{ x: ['y'] }, {}],
      [{ x: ['y'], [GKE]: ['a'] }, { [GKE]: ['a'] }],
    ],
    ['a term of its own where there are none', { [ZONE]: 'a' }, [], [{ [GKE]: ['a'] }]],
    ['terms that ask for any zone', { [ZONE]: 'a' }, [{ [ZONE]: [] }], [{ [ZONE]: [], [GKE]: ['a'] }]],
    [
      'the region of its older label, but no zone',
      { [BETA_ZONE]: '' },
      [{ [BETA_REGION]: ['r'] }],
      [{ [REGION]: ['r'] }],
    ],
    ['terms in the words of the driver', {}, [{ [GKE]: ['a'] }], [{ [GKE]: ['a'] }]],
    ['no terms without zones', {}, null, undefined],
  ])('keeps to %s', (_what, labels, terms, expected) => {
    expect(termsOnNode(inTree(disk, labels, terms))).toEqual(expected);
  });

  it.each<[InTreeVolumeSource, string]>([
    [disk, GKE],
    [{ awsElasticBlockStore: { volumeID: 'vol-1' } }, 'topology.ebs.csi.aws.com/zone'],
    [{ cinder: { volumeID: 'c' } }, 'topology.cinder.csi.openstack.org/zone'],
    // These drivers take volumes over with the node affinity that they have.
    [{ azureDisk: { diskURI: '/d' } }, ZONE],
    [{ portworxVolume: { volumeID: 'p' } }, ZONE],
    [{ azureFile: {} }, ZONE],
    [{}, ZONE],
  ])('%j: zones are those of %s', (source, key) => {
    expect(termsOnNode(inTree(source, {}, [{ [ZONE]: ['a'] }]))).toEqual([{ [key]: ['a'] }]);
  });

  it('may not be readable', () => {
    expect(termsOnNode(inTree({ awsElasticBlockStore: { volumeID: 'aws://zone/disk' } }))).toBe(
      'could not translate pv: failed to translate Kubernetes ID to EBS Volume ID ' +
        'Invalid format for AWS volume (aws://zone/disk)',
    );
    expect(termsOnNode(inTree(disk, { [ZONE]: 'a__b' }))).toBe(
      'could not translate pv: failed to get region from zones: ' +
        'zone in unexpected format, expected: {locale}-{region}-{zone}, got: a',
    );
  });
});

describe('VolumeBinding, for a claim with a volume of an in-tree plugin', () => {
  const CONFLICT = "UnschedulableAndUnresolvable: node(s) didn't match PersistentVolume's node affinity";

  /** Nodes of zones `a` and `b`, by the label of the driver alone. */
  function verdicts(volume: PersistentVolume, ...csiNodes: readonly CSINode[]): (string | null)[] | string {
    const nodes = ['a', 'b'].map((name) => makeNode(name, { labels: { [GKE]: name } }));
    const cluster = makeCluster(nodes);
    cluster.objects.set('PersistentVolumeClaim', makeClaim('c', { volume: 'v' }));
    cluster.objects.set('PersistentVolume', volume);
    for (const each of csiNodes) cluster.objects.set('CSINode', each);
    return filterCluster(new VolumeBinding(cluster), cluster, podWithClaims('p', ['c']));
  }
  const [onA, onB] = [csiNode('a', ALL), csiNode('b', ALL)];

  it('goes to the zone of the volume where the plugin has been migrated', () => {
    const labelled = inTree(disk, { [BETA_ZONE]: 'a' });
    expect(verdicts(labelled, onA, onB)).toEqual([null, CONFLICT]);
    expect(verdicts(labelled, onA)).toEqual([null, null]);
    expect(verdicts(labelled, onA, csiNode('b', ['aws-ebs']))).toEqual([null, null]);
    expect(verdicts(labelled, onA, { metadata: { name: 'b' } })).toEqual([null, null]);
  });

  it('understands zones in the words of the plugin', () => {
    const affine = inTree(disk, {}, [{ [ZONE]: ['a'] }]);
    expect(verdicts(affine, onA, onB)).toEqual([null, CONFLICT]);
    expect(verdicts(affine)).toEqual([CONFLICT, CONFLICT]);
  });

  it('fails where the volume cannot be translated', () => {
    expect(verdicts(inTree({ awsElasticBlockStore: { volumeID: 'aws://zone/disk' } }), onA)).toEqual([
      expect.stringMatching(/^Error: could not translate pv: .*\(aws:\/\/zone\/disk\)$/),
      null,
    ]);
  });
});
