/** In-tree volumes on nodes where a CSI driver stands in for the in-tree plugin. */
import { type InTreePlugin, inTreePluginOf } from '../../api/in-tree-volumes.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm } from '../../api/node-selector.ts';
import type { PersistentVolume } from '../../api/storage.ts';
import { ZONE_LABEL } from '../../api/topology-spread.ts';
import { BETA_REGION_LABEL, BETA_ZONE_LABEL, REGION_LABEL, ZONE_DELIMITER } from '../../api/volume-zones.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { assert } from '../../lib/assert.ts';
import { memoized } from '../../lib/memoized.ts';

/** The annotation of a CSINode with the names of migrated plugins, separated by commas. */
const MIGRATED_PLUGINS_ANNOTATION = 'storage.alpha.kubernetes.io/migrated-plugins';

type Translated = PersistentVolume | { readonly error: string };

/** The names of the in-tree plugins for which CSI drivers stand in on the node, separated by commas. */
export function migratedPlugins({ metadata }: KubernetesObject): string {
  return metadata?.annotations?.[MIGRATED_PLUGINS_ANNOTATION] ?? '';
}

/**
 * The volume as the node sees it: where a CSI driver stands in for the in-tree plugin, the volume's node affinity names
 * the driver's zones. Returns upstream's error for a volume that cannot be translated (binder.go, tryTranslatePVToCSI).
 */
export function asOnNode(volume: PersistentVolume, node: Node, objects: ClusterObjects): Translated {
  const plugin = inTreePluginOf(volume.spec ?? {});
  // For plugins without zones the translation changes nothing that a decision reads.
  if (plugin === undefined || plugin.zoneKey === null) return volume;
  return isMigrated(plugin.name, node.metadata?.name ?? '', objects) ? translate(volume) : volume;
}

/** Whether a CSI driver stands in for the in-tree plugin on the node. */
export function isMigrated(plugin: string, nodeName: string, objects: ClusterObjects): boolean {
  const csiNode = objects.get('CSINode', nodeName);
  return csiNode !== undefined && migratedPlugins(csiNode).split(',').includes(plugin);
}

/**
 * The volume as nodes see it where a CSI driver stands in for this plugin; null if all nodes see the volume as it is.
 */
export function translationOf(volume: PersistentVolume): { readonly plugin: string; readonly to: Translated } | null {
  const plugin = inTreePluginOf(volume.spec ?? {});
  if (plugin === undefined || plugin.zoneKey === null || hasNoZones(volume, plugin)) return null;
  const to = translate(volume);
  return to === volume ? null : { plugin: plugin.name, to };
}

/** Whether the volume obviously equals its translation. Most volumes are asked about once, so that nothing is kept. */
function hasNoZones({ spec = {}, metadata }: PersistentVolume, plugin: InTreePlugin): boolean {
  if (spec.nodeAffinity?.required?.nodeSelectorTerms?.length) return false;
  const labels = metadata?.labels ?? {};
  if (labels[ZONE_LABEL] !== undefined || labels[BETA_ZONE_LABEL] !== undefined) return false;
  return typeof plugin.handle(spec, labels) === 'string';
}

/** The volume must be of an in-tree plugin with zones. */
const translate = memoized((volume: PersistentVolume): Translated => {
  const plugin = inTreePluginOf(volume.spec ?? {});
  assert(plugin?.zoneKey, 'only volumes with zones are translated');
  const handle = plugin.handle(volume.spec ?? {}, volume.metadata?.labels ?? {});
  if (typeof handle === 'object') return { error: `could not translate pv: ${handle.error}` };
  const nodeSelectorTerms = driverTerms(volume, plugin.zoneKey);
  if (nodeSelectorTerms === null) return volume;
  return { ...volume, spec: { ...volume.spec, nodeAffinity: { required: { nodeSelectorTerms } } } };
});

/**
 * The terms of the volume's node affinity with the driver's zone key (csi-translation-lib's in_tree_volume.go); null if
 * they do not change. Zones that the terms name take precedence over those of the volume's labels.
 */
function driverTerms(volume: PersistentVolume, zoneKey: string): readonly NodeSelectorTerm[] | null {
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const labels = volume.metadata?.labels ?? {};
  const isNamed = (key: string): boolean => requirementsOf(terms).some((requirement) => requirement.key === key);
  const hasValues = (key: string): boolean =>
    requirementsOf(terms).some((requirement) => requirement.key === key && requirement.values?.length);

  const isBeta =
    !isNamed(ZONE_LABEL) &&
    (isNamed(BETA_ZONE_LABEL) || (labels[ZONE_LABEL] === undefined && labels[BETA_ZONE_LABEL] !== undefined));
  const zoneLabel = isBeta ? BETA_ZONE_LABEL : ZONE_LABEL;
  const newKeys = new Map<string, string>();
  if (hasValues(zoneLabel)) newKeys.set(zoneLabel, zoneKey);
  if (isBeta && hasValues(BETA_REGION_LABEL)) newKeys.set(BETA_REGION_LABEL, REGION_LABEL);
  const zones = hasValues(zoneLabel) ? [] : zonesOf(labels[zoneLabel]);
  if (newKeys.size === 0 && zones.length === 0) return null;
  const inZones: NodeSelectorRequirement[] =
    zones.length === 0 ? [] : [{ key: zoneKey, operator: 'In', values: zones }];
  return (terms.length === 0 ? [{}] : terms).map(({ matchExpressions = [], ...fields }: NodeSelectorTerm) => ({
    ...fields,
    matchExpressions: [...matchExpressions.map((requirement) => renamed(requirement, newKeys)), ...inZones],
  }));
}

function requirementsOf(terms: readonly NodeSelectorTerm[]): NodeSelectorRequirement[] {
  return terms.flatMap(({ matchExpressions }) => matchExpressions ?? []);
}

function renamed(requirement: NodeSelectorRequirement, newKeys: ReadonlyMap<string, string>): NodeSelectorRequirement {
  return { ...requirement, key: newKeys.get(requirement.key) ?? requirement.key };
}

function zonesOf(label = ''): string[] {
  return label.split(ZONE_DELIMITER).flatMap((zone) => zone.trim() || []);
}
