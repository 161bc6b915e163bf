/** Volumes of plugins that came before CSI, where a node has handed them over to a CSI driver. */
import { type InTreePlugin, inTreePluginOf } from '../../api/in-tree-volumes.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm } from '../../api/node-selector.ts';
import type { PersistentVolume } from '../../api/storage.ts';
import { ZONE_LABEL } from '../../api/topology-spread.ts';
import { BETA_REGION_LABEL, BETA_ZONE_LABEL, REGION_LABEL, ZONE_DELIMITER } from '../../api/volume-zones.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';

/** On a CSINode: names of the plugins, with commas between them. */
const MIGRATED_PLUGINS_ANNOTATION = 'storage.alpha.kubernetes.io/migrated-plugins';

type Translated = PersistentVolume | { readonly error: string };

/** Objects are replaced, never changed. */
const translations = new WeakMap<PersistentVolume, Translated>();

/** Names of the in-tree plugins that CSI drivers stand in for on the node, as its CSINode tells them. */
export function migratedPlugins({ metadata }: KubernetesObject): string {
  return metadata?.annotations?.[MIGRATED_PLUGINS_ANNOTATION] ?? '';
}

/**
 * The volume as the node has it: where a CSI driver has taken it over, its node affinity speaks of the driver's zones.
 * An error in upstream's words for a volume that cannot be translated (binder.go, tryTranslatePVToCSI).
 */
export function asOnNode(volume: PersistentVolume, node: Node, objects: ClusterObjects): Translated {
  const plugin = inTreePluginOf(volume.spec ?? {});
  // Without zones the translation changes nothing that decides.
  if (plugin === undefined || plugin.zoneKey === null) return volume;
  const csiNode = objects.get('CSINode', node.metadata?.name ?? '');
  if (csiNode === undefined || !migratedPlugins(csiNode).split(',').includes(plugin.name)) return volume;
  let translated = translations.get(volume);
  if (translated === undefined) {
    translated = translate(volume, plugin, plugin.zoneKey);
    translations.set(volume, translated);
  }
  return translated;
}

function translate(volume: PersistentVolume, plugin: InTreePlugin, zoneKey: string): Translated {
  const handle = plugin.handle(volume.spec ?? {}, volume.metadata?.labels ?? {});
  if (typeof handle === 'object') return { error: `could not translate pv: ${handle.error}` };
  const nodeSelectorTerms = driverTerms(volume, zoneKey);
  if (nodeSelectorTerms === null) return volume;
  return { ...volume, spec: { ...volume.spec, nodeAffinity: { required: { nodeSelectorTerms } } } };
}

/**
 * The terms of the volume's node affinity in the driver's words (csi-translation-lib's in_tree_volume.go); null: as
 * they are. Zones that they name themselves count more than those of the volume's labels.
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
